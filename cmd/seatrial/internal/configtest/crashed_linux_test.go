package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/internal/pace"
)

// crowd is a server that crashes with a bound below 0, and a test that starts it and waits until it answers.
var crowd = map[string]string{
	"go.mod": "module example.com/crowd\n\ngo 1.24\n",
	"crowd.go": `package crowd

import (
	"flag"
	"fmt"
)

var seats = flag.Int("seats", 10, "")

func Serve() {
	go func() { fmt.Println("serving", cap(make(chan bool, *seats))) }()
	select {}
}
`,
	"crowd_test.go": `package crowd

import (
	"bufio"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("CROWD_SERVES") != "" {
		os.Args = []string{"crowd"}
		flag.Parse()
		Serve()
	}
	os.Exit(m.Run())
}

func TestServes(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CROWD_SERVES=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answer, _ := bufio.NewReader(out).ReadString('\n')
	for !strings.Contains(answer, "serving") {
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
}
`,
}

// TestCrashes: a test that waits for a program which has crashed is over, and what the runtime said of the program is
// what is found, though the test tells nothing of it.
func TestCrashes(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range crowd {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, folder, t.TempDir())
	o.Timeout = 10 * time.Minute // the test has no end
	const manifest = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, args: [%s]}]}\n"
	out, err := Diff(t.Context(), o, version(t, "a.yaml", fmt.Sprintf(manifest, "--seats=20")), version(t, "a.yaml", fmt.Sprintf(manifest, "--seats=-1")))
	if err != nil {
		t.Fatal(err)
	}
	r := out.Report(folder).Results[0]
	got := fmt.Sprintf("%s %s %s: %s%s", r.Verdict, r.Name, r.Subject, r.Message, r.Reason)
	if want := "violated no-panic --seats: TestServes: panic: makechan: size out of range"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
