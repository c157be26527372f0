package settle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/finding"
)

// A stub of the go command: what list says, and what test does in the folder of the
// messages.
const stub = `#!/bin/sh
case "$1" in
list) cat <<'END'
LIST
END
LISTED ;;
test) folder=$(printf '%s' "$SEATRIAL_SETTLE" | sed 's/.*"folder":"\([^"]*\)".*/\1/')
TEST ;;
esac
`

// aPackage is what go list says of a package with a test.
const aPackage = `{"ImportPath": "example.com/a", "Dir": "DIR", "TestGoFiles": ["a_test.go"]}
{"ImportPath": "example.com/a.test", "Dir": "DIR", "Deps": ["github.com/seatrial/seatrial/settle"]}`

// leaves is a message of a test.
func leaves(test, verdict string) string {
	report := `{"schema": "seatrial.dev/report/v1alpha1", "verdict": "` + verdict + `", "kubernetes": "v1.34", "bound": {"text": "a bound", "states": 7, "complete": true}, "results": [{"rule": "SEA5001", "name": "settles", "subject": "` + test + `", "verdict": "` + verdict + `"}], "assumptions": ["it is fair"]}`
	return `cat > "$folder/` + test + `.json" <<'END'
{"test": "` + test + `", "directory": "DIR", "seconds": 0.5, "report": ` + report + `}
END
`
}

// TestRun: what becomes of what the go command and the tests say.
func TestRun(t *testing.T) {
	for _, test := range []struct {
		name, list, listed, test string
		verdict                  finding.Verdict
		// says is in the error, and input tells whose fault it is.
		says  string
		input bool
	}{
		{"all holds", aPackage, "", leaves("TestA", "holds"), finding.Holds, "", false},
		{"one is violated", aPackage, "", leaves("TestA", "holds") + leaves("TestB", "violated") + `printf '%s\n' '{"Action": "fail", "Package": "example.com/a", "Test": "TestB"}'; exit 1`, finding.Violated, "", false},
		{"one is open", aPackage, "", leaves("TestA", "inconclusive") + `printf '%s\n' '{"Action": "fail", "Package": "example.com/a", "Test": "TestA"}'; exit 1`, finding.Inconclusive, "", false},
		{
			"another test fails", aPackage, "", leaves("TestA", "holds") + `printf '%s\n' '{"Action": "output", "Package": "example.com/a", "Test": "TestB", "Output": "it rains\n"}'
printf '%s\n' '{"Action": "fail", "Package": "example.com/a", "Test": "TestB"}'; exit 1`, finding.Holds, "TestB of example.com/a fails, and not by what settle found:\nit rains", true,
		},
		{
			"another test panics", aPackage, "", leaves("TestA", "holds") + `printf '%s\n' '{"Action": "output", "Package": "example.com/a", "Test": "TestB", "Output": "=== RUN\npanic: it rains\n\ngoroutine 1:\nmain.b()\n\tb.go:3\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"}'
printf '%s\n' '{"Action": "fail", "Package": "example.com/a", "Test": "TestB"}'; exit 1`, finding.Holds, "found:\npanic: it rains\ngoroutine 1:\nmain.b()\n    b.go:3\n1\n", true,
		},
		{"they do not compile", aPackage, "", `printf '%s\n' '{"Action": "build-output", "ImportPath": "example.com/a", "Output": "a.go:3:1: undefined: x\n"}'; exit 1`, "", "the tests do not compile:\na.go:3:1: undefined: x", true},
		{
			"they end in the middle", aPackage, "", `printf '%s\n' '{"test": "TestA", "directory": "DIR", "states": 12}' > "$folder/a.json"
printf '%s\n' '{"Action": "output", "Package": "example.com/a", "Output": "signal: killed\n"}'; exit 1`, finding.Inconclusive, "ended by themselves:\nsignal: killed", true,
		},
		{"a configuration that is wrong", aPackage, "", `printf '%s\n' '{"test": "TestA", "directory": "DIR", "error": "settle: Scheme is needed"}' > "$folder/a.json"; exit 1`, "", "TestA: settle: Scheme is needed", true},
		{"none is run", aPackage, "", "", "", "does --run match one?", true},
		{"none is there", `{"ImportPath": "example.com/a", "Dir": "DIR"}`, "", "", "", "no test in ./... calls settle.Check", true},
		{"a package that is wrong", `{"ImportPath": "example.com/a", "Dir": "DIR", "Error": {"Pos": "a.go:1:1", "Err": "expected 'package'"}}`, "", "", "", "example.com/a: a.go:1:1: expected 'package'", true},
		{"no module", "", "echo 'go: go.mod file not found' >&2; exit 1", "", "", "go list ./...: go: go.mod file not found", true},
		{"another release", aPackage, "", `echo '[]' > "$folder/a.json"`, "", "of the same release?", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			write := func(name, text string, mode os.FileMode) {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), mode); err != nil {
					t.Fatal(err)
				}
			}
			write("a_test.go", "package a\nimport \"github.com/seatrial/seatrial/settle\"\nfunc TestA(t *testing.T) { settle.Check(t, settle.Config{}) }\n", 0o600)
			write("go", strings.ReplaceAll(strings.NewReplacer("LISTED", test.listed, "LIST", test.list, "TEST", test.test).Replace(stub), "DIR", folder), 0o700)
			outcome, err := Run(t.Context(), Options{Packages: []string{"./..."}, Directory: folder, Go: filepath.Join(folder, "go"), Environment: os.Environ(), Tick: make(chan time.Time)})
			if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v, want %q", err, test.says)
			}
			var input *InputError
			if errors.As(err, &input) != test.input {
				t.Errorf("whose fault: %v", err)
			}
			if test.verdict != "" {
				if r := outcome.Report(); r.Verdict != test.verdict {
					t.Errorf("%s, want %s: %+v", r.Verdict, test.verdict, r)
				}
			}
		})
	}
}

// TestInterrupted: what was found until then is said.
func TestInterrupted(t *testing.T) {
	folder := t.TempDir()
	script := strings.ReplaceAll(strings.NewReplacer("LISTED", "", "LIST", aPackage, "TEST", leaves("TestA", "holds")+`printf '%s\n' '{"test": "TestB", "directory": "DIR", "states": 12}' > "$folder/b.json"; exec tail -f /dev/null`).Replace(stub), "DIR", folder)
	for name, text := range map[string]string{"go": script, "a_test.go": "package a\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tick := make(chan time.Time, 1)
	outcome, err := Run(ctx, Options{
		Packages: []string{"."}, Directory: folder, Go: filepath.Join(folder, "go"), Environment: os.Environ(), Tick: tick,
		Progress: func(p Progress) {
			if p.Test == "TestB" && p.Done == 1 {
				cancel()
				return
			}
			select { // once more
			case tick <- time.Time{}:
			default:
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := outcome.Report()
	if got := fmt.Sprintln(r.Verdict, r.Interrupted, len(r.Results), r.Bound.States, r.Code()); got != "inconclusive true 2 19 130\n" {
		t.Errorf("got %s: %+v", got, r)
	}
}

// TestBegun: what is wrong before any search is no report; one that is ended in the middle says how far it came.
func TestBegun(t *testing.T) {
	for _, test := range []struct {
		name  string
		of    Message
		begun bool
		bound string
	}{
		{"a configuration that is wrong", Message{Test: "TestA", Error: "settle: there is no Scheme"}, false, "no search came to its end"},
		{"ended in the middle", Message{Test: "TestA", States: 12}, true, "no search came to its end"},
		{"over", Message{Test: "TestA", Report: &finding.Report{Verdict: finding.Holds, Bound: finding.Bound{Text: "bars: 3"}}}, true, "bars: 3"},
	} {
		o := Outcome{Tests: []Message{test.of}}
		if r := o.Report(); o.Begun() != test.begun || r.Bound.Text != test.bound {
			t.Errorf("%s: %v, %q", test.name, o.Begun(), r.Bound.Text)
		}
	}
}
