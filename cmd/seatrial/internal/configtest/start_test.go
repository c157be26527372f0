package configtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// starting is a program that looks at what it is told and stays, if it can do with that.
const starting = `package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	size := flag.Int("size", 1, "")
	flag.Var(new(names), "name", "")
	file := flag.String("file", "", "")
	lock := flag.String("lock", "", "")
	stubborn := flag.Bool("stubborn", false, "")
	flag.Parse()
	if *lock != "" {
		if _, err := os.OpenFile(*lock, os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			fmt.Println("another one runs:", err)
			os.Exit(1)
		}
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM)
		go func() {
			for range ended {
				if !*stubborn {
					os.Remove(*lock)
					os.Exit(1)
				}
			}
		}()
	}
	if text, err := os.ReadFile(*file); *file != "" && (err != nil || string(text) != "a: 1\n") {
		fmt.Printf("the file is %q, %v\n", text, err)
		os.Exit(3)
	}
	if *size < 1 || os.Getenv("LEVEL") == "loud" || len(flag.Args()) > 1 {
		panic(fmt.Sprint("no: ", *size, flag.Args(), os.Getenv("LEVEL")))
	}
	<-time.After(time.Hour)
}

type names []string

func (n *names) String() string         { return "" }
func (n *names) Set(value string) error { *n = append(*n, value); return nil }
`

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    args: [--size=%s, --name, x, --name, y, serve]\n    env: [{name: LEVEL, value: %s}]\n"

// TestArguments: a program is started with the arguments as they are written; a value that is made stands behind a
// name.
func TestArguments(t *testing.T) {
	told := strings.NewReplacer("--size=%s, --name, x, --name, y, serve", "-v, --size, '2', --strict, serve, --name=x, --name, y", "%s", "low").Replace(pod)
	settings, err := change.Parse("a.yaml", []byte(told))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(arguments(settings), " "), "-v --size 2 --strict serve --name=x --name y"; got != want {
		t.Errorf("they are %s, want %s", got, want)
	}
	for _, command := range []string{"command: [/web]\n    args:", "command: [sh, -c, 'sleep 1; exec /web \"$@\"', web]\n    args:"} { // the program is none of them, and neither is what else a shell is told
		called, err := change.Parse("a.yaml", []byte(strings.Replace(told, "args:", command, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(arguments(called), " "), "-v --size 2 --strict serve --name=x --name y"; got != want {
			t.Errorf("with %s they are %s, want %s", command, got, want)
		}
	}
	settings[0].Value = change.TextOf("3")
	if got := arguments(settings)[0]; got != "--v=3" {
		t.Errorf("one that is made is %s", got)
	}
}

// TestStart: a program that stays with one version and does not with the other.
func TestStart(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/start\n\ngo 1.24\n", "main.go": starting,
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	filled := func(size, level string) string {
		return strings.Replace(strings.Replace(pod, "%s", size, 1), "%s", level, 1)
	}
	config := func(data string) string {
		return "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n" + data
	}
	for name, c := range map[string]struct {
		command       string
		before, after string
		want          finding.Verdict
		says          string
	}{
		"stays":                       {". {args}", filled("1", "low"), filled("2", "low"), finding.Holds, ""},
		"an argument":                 {". {args}", filled("1", "low"), filled("0", "low"), finding.Violated, "it starts with the old version, and with the new one it exited with code 2: go panic: no: 0 [serve]low"},
		"a variable":                  {". {args}", filled("1", "low"), filled("1", "loud"), finding.Violated, "go panic: no: 1 [serve]loud"},
		"what is removed in the end":  {". --lock " + filepath.Join(t.TempDir(), "lock") + " {args}", filled("1", "low"), filled("2", "low"), finding.Holds, ""},
		"what the old version leaves": {". --stubborn --lock " + filepath.Join(t.TempDir(), "lock") + " {args}", filled("1", "low"), filled("2", "low"), finding.Inconclusive, "it starts with the old version once, and the second time it exited with code 1: another one runs"},
		"neither":                     {". {args}", filled("0", "low"), filled("-1", "low"), finding.Inconclusive, "it does not start here with the old version either"},
		"the file":                    {". --file {}", "a: 1\n", "a: 2\n", finding.Violated, `the file is "a: 2\n"`},
		"the file of an object":       {". --file={}", config("  a.yaml: |\n    a: 1\n"), config("  a.yaml: |\n    a: 2\n"), finding.Violated, `the file is "a: 2\n"`},
		"one of several files":        {". --file={b.yaml}", config("  a.yaml: |\n    a: 1\n  b.yaml: |\n    a: 1\n"), config("  a.yaml: |\n    a: 2\n  b.yaml: |\n    a: 1\n"), finding.Holds, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, folder, "")
			o.Start = Start{Command: strings.Fields(c.command), Within: 2 * time.Second}
			var versions [2]Version
			for i, text := range []string{c.before, c.after} {
				settings, err := change.Parse("a.yaml", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				versions[i] = Version{Name: "main:a.yaml", Text: []byte(text), Settings: settings}
			}
			s, err := begin(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			s.versions = versions
			out, err := s.started(t.Context(), change.Between(versions[0].Settings, versions[1].Settings))
			if err != nil {
				t.Fatal(err)
			}
			r := out.result(nil)
			if r.Verdict != c.want || !strings.Contains(r.Message+r.Reason, c.says) {
				t.Errorf("%s: %s%s, want %s: %s", r.Verdict, r.Message, r.Reason, c.want, c.says)
			}
		})
	}
}

// TestStartAgain: that the program does not start with the new version is said if it is so twice, and it starts with
// the old one twice.
func TestStartAgain(t *testing.T) {
	stays, ends := &run.Started{Stays: true}, &run.Started{Ended: "exited with code 1", Outcome: run.Outcome{Output: "no"}}
	for name, c := range map[string]struct {
		again *start
		want  finding.Verdict
	}{
		"twice":            {&start{before: stays, after: ends}, finding.Violated},
		"the old one once": {&start{before: ends, after: ends}, finding.Inconclusive},
		"the new one once": {&start{before: stays, after: stays}, finding.Inconclusive},
	} {
		if r := (&start{before: stays, after: ends, again: c.again}).result(nil); r.Verdict != c.want {
			t.Errorf("%s: %s: %s%s", name, r.Verdict, r.Message, r.Reason)
		}
	}
}
