package run

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// twice is a package that has a test, and one of the same name from outside.
var twice = map[string]string{
	"go.mod":      "module example.com/twice\n\ngo 1.24\n",
	"a_test.go":   "package twice\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Parallel() }\n\nfunc TestB(t *testing.T) { t.Parallel() }\n",
	"out_test.go": "package twice_test\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Error(\"no\") }\n",
}

// TestTwice: two tests of one name are one, which passes if both do; where tests share a process it is told of none of
// them.
func TestTwice(t *testing.T) {
	m, err := Find(t.Context(), write(t, twice), "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	if p := packages[0]; !slices.Equal(p.Tests, []string{"TestA", "TestB"}) || !slices.Equal(p.Parallel, []string{"TestB"}) {
		t.Errorf("the tests are %v, and %v may run beside others", p.Tests, p.Parallel)
	}
	programs, err := m.Compile(t.Context(), Build{Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Module: m, Folder: t.TempDir(), Timeout: 30 * time.Second}
	if o, err := r.Test(t.Context(), programs[0], "TestA", Values{}); err != nil || o.Ending != Failed {
		t.Errorf("%+v, %v", o, err)
	}
	var events []record.Event
	for label, of := range map[string][2]string{"1": {"TestA", "passed"}, "2": {"TestA", "failed"}, "3": {"TestB", "passed"}} {
		events = append(events, record.Event{Verb: record.Begin, Subject: parameter.ID("test:" + of[0]), Process: "7", Label: label},
			record.Event{Verb: record.End, Subject: parameter.ID("test:" + of[0]), Value: of[1], Process: "7", Label: label})
	}
	if out := apart(events); len(out) != 1 || out["TestB"] == nil {
		t.Errorf("told apart are %v", out)
	}
	if out := endings(events); len(out) != 1 || out["TestB"] != Passed {
		t.Errorf("the endings are %v", out)
	}
}
