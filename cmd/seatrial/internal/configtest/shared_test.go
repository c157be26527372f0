package configtest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// bakery has tests that would be taken for each other in one process: some come to what earlier ones have left.
const bakery = `package bakery

import (
	"os"
	"sync"
	"testing"
)

var mode string

func Mode() string {
	if mode == "" {
		mode = os.Getenv("BAKERY_MODE")
	}
	return mode
}

var (
	port string
	once sync.Once
)

func Port() string {
	once.Do(func() { port = os.Getenv("BAKERY_PORT") })
	return port
}

type oven struct {
	once sync.Once
	heat string
}

func (o *oven) Heat() string {
	o.once.Do(func() { o.heat = os.Getenv("BAKERY_HEAT") })
	return o.heat
}

var (
	questions = make(chan chan string)
	asked     = sync.OnceFunc(func() {
		go func() {
			for q := range questions {
				q <- os.Getenv("BAKERY_LEVEL")
			}
		}()
	})
)

func Level() string {
	asked()
	answer := make(chan string)
	questions <- answer
	return <-answer
}

var shelf = os.Getenv("BAKERY_SHELF")

func TestHeatA(t *testing.T)  { new(oven).Heat() }
func TestHeatB(t *testing.T)  { new(oven).Heat() }
func TestLeaves(t *testing.T) { os.Setenv("BAKERY_LEFT", "1"); os.Chdir(os.TempDir()) }
func TestLooks(t *testing.T) {
	if os.Getenv("BAKERY_LEFT") == "" {
		os.Getenv("BAKERY_ELSE")
	}
}
func TestNothing(t *testing.T) {}
func TestParallelA(t *testing.T) {
	t.Parallel()
	t.Run("below", func(t *testing.T) { t.Parallel(); os.Getenv("BAKERY_A") })
}
func TestParallelB(t *testing.T) {
	t.Parallel()
	done := make(chan string)
	go func() { done <- os.Getenv("BAKERY_B") }()
	<-done
}
func TestQuestionA(t *testing.T) { Level() }
func TestQuestionB(t *testing.T) { Level() }
func TestX1(t *testing.T)        { Mode() }
func TestX2(t *testing.T)        { Mode() }
func TestY1(t *testing.T)        { Port() }
func TestY2(t *testing.T)        { Port() }
`

// TestTogether: tests that share a process are seen to read what each reads in one of its own, whatever others have
// left there.
func TestTogether(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/bakery\n\ngo 1.25\n", "bakery_test.go": bakery} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, folder, t.TempDir())
	s, err := begin(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	m, err := s.mapped(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"TestHeatA": "HEAT", "TestHeatB": "HEAT", "TestLeaves": "", "TestLooks": "ELSE LEFT", "TestNothing": "",
		"TestParallelA": "A", "TestParallelB": "B", "TestQuestionA": "LEVEL", "TestQuestionB": "LEVEL",
		"TestX1": "MODE", "TestX2": "MODE", "TestY1": "PORT", "TestY2": "PORT",
	}
	for _, test := range m.Packages[0].Tests {
		if got := baked(test.Reads); got != want[test.Name] || test.Ends != "" {
			t.Errorf("%s reads %q and ends %q, want %q", test.Name, got, test.Ends, want[test.Name])
		}
	}
	// Three are behind what keeps a value for them, and two of these at least share a process without that.
	if alone := cache(o.Cache).alone(s.aloneKey(s.packages[0])); len(alone) > 2 {
		t.Errorf("%v are run by themselves", alone)
	}
	outcomes, err := s.runner.Shared(t.Context(), s.programs["."], s.packages[0].Tests, run.Values{}, s.Timeout, func(e record.Event) bool { return matters(s.module, e) })
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []string{"TestHeatB", "TestLooks", "TestNothing", "TestQuestionA"} {
		if outcomes[test] == nil {
			t.Errorf("%s is run again by itself", test)
		} else if took := outcomes[test].Took; took <= 0 || took%time.Millisecond != 0 {
			t.Errorf("%s took %v: that is not what it says of itself", test, took)
		}
	}
	for _, test := range []string{"TestQuestionB", "TestX2", "TestY2"} {
		if outcomes[test] != nil {
			t.Errorf("%s is not run by itself, and comes to what another one has left", test)
		}
	}
}

// TestByItself: a test that starts programs is run by itself, and the next time at once.
func TestByItself(t *testing.T) {
	pace.Slow(t)
	folder, runs := t.TempDir(), filepath.Join(t.TempDir(), "runs")
	for name, text := range map[string]string{"go.mod": "module example.com/starts\n\ngo 1.25\n", "starts_test.go": `package starts

import (
	"os"
	"os/exec"
	"testing"
)

func TestA(t *testing.T) { os.Getenv("STARTS_A") }
func TestB(t *testing.T) { os.Getenv("STARTS_B") }
func TestStarts(t *testing.T) {
	f, err := os.OpenFile(os.Getenv("STARTS_RUNS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("x")
	if err := exec.Command(os.Args[0], "-test.run=^TestA$").Run(); err != nil {
		t.Fatal(err)
	}
}
`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, folder, t.TempDir())
	o.Environment = append(o.Environment, "STARTS_RUNS="+runs)
	o.Fresh = true
	var first string
	for _, want := range []string{"xx", "xxx"} {
		s, err := begin(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.mapped(t.Context())
		s.close()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(runs); err != nil || string(got) != want {
			t.Errorf("it has run %q times, want %q: %v", got, want, err)
		}
		var reads []string
		for _, test := range m.Packages[0].Tests {
			reads = append(reads, fmt.Sprint(test.Name, test.Reads))
		}
		if got := strings.Join(reads, "\n"); first == "" {
			first = got
		} else if got != first {
			t.Errorf("the second time they read\n%s\nthe first time\n%s", got, first)
		}
	}
}

// TestEndsTogether: how tests end that share a process is known of those before one that ends it.
func TestEndsTogether(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/ends\n\ngo 1.25\n", "ends_test.go": `package ends

import (
	"os"
	"testing"
)

func TestA(t *testing.T) {}
func TestB(t *testing.T) {
	if os.Getenv("ENDS") == "no" {
		t.Error("no")
	}
}
func TestC(t *testing.T) { t.Skip() }
func TestD(t *testing.T) { os.Exit(1) }
func TestE(t *testing.T) {}
`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if _, err := s.mapped(t.Context()); err != nil {
		t.Fatal(err)
	}
	values := run.Values{Environment: map[string]string{"ENDS": "no"}}
	got, err := s.runner.Together(t.Context(), s.programs["."], s.packages[0].Tests, values, s.Timeout)
	want := map[string]run.Ending{"TestA": run.Passed, "TestB": run.Failed, "TestC": run.Skipped}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got): %s", err, diff)
	}
}

// baked are names of variables, without what all begin with, and without the one that all tests read.
func baked(ids []parameter.ID) string {
	var out []string
	for _, id := range ids {
		if name := strings.TrimPrefix(id.Name(), "BAKERY_"); name != "SHELF" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestLeft: a test that finds in the configuration what another one has set there is not told apart from that.
func TestLeft(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/left\n\ngo 1.25\n", "left.go": `package left

import "encoding/json"

type Config struct {
	Request int ` + "`json:\"request\"`" + `
	Drain   int ` + "`json:\"drain\"`" + `
}

var Conf = &Config{5, 25}

func Load(text []byte) error { return json.Unmarshal(text, Conf) }

func Fits() bool { return Conf.Request <= Conf.Drain }
`, "left_test.go": `package left

import "testing"

func TestA(t *testing.T) {
	Conf.Request = 1
	t.Log(Fits())
}
func TestB(t *testing.T) { t.Log(Fits()) }
func TestC(t *testing.T) { t.Log(Conf.Drain) }
func TestD(t *testing.T) {
	Conf.Request = 2
	t.Log(Fits())
}
`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if _, err := s.mapped(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := s.runner.Shared(t.Context(), s.programs["."], s.packages[0].Tests, run.Values{}, s.Timeout, func(e record.Event) bool { return matters(s.module, e) })
	if err != nil || len(got) != 3 || got["TestB"] != nil {
		t.Errorf("%v is known, %v", slices.Sorted(maps.Keys(got)), err)
	}
}
