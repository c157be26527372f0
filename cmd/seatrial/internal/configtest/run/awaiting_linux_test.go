package run

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// waits is a module whose tests start a program, and wait for it for ever.
var waits = map[string]string{
	"go.mod": "module example.com/waits\n\ngo 1.24\n",
	"waits_test.go": `package waits

import (
	"os/exec"
	"testing"
	"time"
)

const says = "printf 'gave\\tflag:--x\\t\"15days\"\\t%s\\t%s\\t0\\t\\n' "

func start(t *testing.T, script string) {
	if err := exec.Command("/bin/sh", "-c", "exec >>$SEATRIAL_CONFIGTEST/log; "+script).Start(); err != nil {
		t.Fatal(err)
	}
}

func TestRefused(t *testing.T) {
	start(t, says+"'there is no such unit' $$; exit 2")
	time.Sleep(time.Hour)
}

func TestCrashed(t *testing.T) {
	start(t, "printf 'panic: no room\\n\\ngoroutine 1 [running]:\\n' >$SEATRIAL_CONFIGTEST/crash-$$; kill -9 $$")
	time.Sleep(time.Hour)
}

func TestStays(t *testing.T) {
	start(t, says+"'there is no such unit' $$; sleep 100")
	time.Sleep(time.Hour)
}

func TestTakenElsewhere(t *testing.T) {
	start(t, says+"'there is no such unit' $$; exit 2")
	start(t, says+"'' $$; exit 0")
	time.Sleep(time.Hour)
}

func TestRefusedWithin(t *testing.T) {
	start(t, says+"'there is no such unit' $PPID; exit 2")
	time.Sleep(time.Hour)
}

func TestWorks(t *testing.T) {
	start(t, says+"'there is no such unit' $$; exit 2")
	for {
	}
}
`,
}

// TestAwaiting: a test that waits for a program which has refused a value and ended is over; one that waits for
// something else, or works, has its time. Other systems do not tell who has ended.
func TestAwaiting(t *testing.T) {
	m, err := Find(t.Context(), write(t, waits), "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := m.Compile(t.Context(), Build{Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	says := map[string]string{"TestRefused": "does not take it: there is no such unit\n", "TestCrashed": "has crashed:\npanic: no room\n\ngoroutine 1 [running]:\n\n"}
	for test, want := range map[string]Ending{
		"TestRefused": Exited, "TestCrashed": Panicked, "TestStays": TimedOut, "TestTakenElsewhere": TimedOut, "TestRefusedWithin": TimedOut, "TestWorks": TimedOut,
	} {
		t.Run(test, func(t *testing.T) {
			t.Parallel()
			r := &Runner{Module: m, Folder: t.TempDir(), Timeout: 4 * time.Second}
			if want != TimedOut {
				r.Timeout = time.Minute
			}
			o, err := r.Test(t.Context(), programs[0], test, Values{Inject: map[parameter.ID]string{"flag:--x": "15days"}})
			if err != nil {
				t.Fatal(err)
			}
			if starts := test != "TestRefusedWithin" && test != "TestCrashed"; o.Starts != starts {
				t.Errorf("it starts a program that does something: %v, want %v", o.Starts, starts)
			}
			if o.Ending != want || !strings.HasSuffix(o.Output, says[test]) {
				t.Errorf("it %s, want %s: %s", o.Ending, want, o.Output)
			}
		})
	}
}
