package spec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestFolderOfHistories: each history of a folder has a verdict of its own; after the first that is no behaviour the
// others are open, unless all are asked for.
func TestFolderOfHistories(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "examples", "spec")
	operator := filepath.Join(root, "operator")
	folder := t.TempDir()
	for name, from := range map[string]string{"a.jsonl": "once.jsonl", "b.jsonl": "twice.jsonl", "c.jsonl": "once.jsonl", "notes.txt": "twice.jsonl"} {
		text, err := os.ReadFile(filepath.Join(operator, from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for all, last := range map[bool]finding.Verdict{false: finding.Inconclusive, true: finding.Holds} {
		o := Options{File: filepath.Join(operator, "Observed.tla"), History: folder, Observed: "Observed"}
		o.All = all
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]finding.Verdict{"Observed!a": finding.Holds, "Observed!b": finding.Violated, "Observed!c": last}
		for _, one := range r.Results {
			if verdict, ok := want[one.Subject]; ok && one.Rule == "SEA6007" {
				if delete(want, one.Subject); one.Verdict != verdict {
					t.Errorf("all %v: %s is %s, want %s", all, one.Subject, one.Verdict, verdict)
				}
			}
		}
		if len(want) > 0 || r.Verdict != finding.Violated {
			t.Errorf("all %v: %s, nothing is said of %v", all, r.Verdict, want)
		}
	}
	if _, err := Run(t.Context(), Options{File: filepath.Join(operator, "Observed.tla"), History: root, Observed: "Observed"}); err == nil || !IsInput(err) {
		t.Errorf("a folder without histories: %v is no error of what was given", err)
	}
}

// TestHistoriesOfAReport: a report of a trial stands for the histories that it names, where they were written or from
// its folder on.
func TestHistoriesOfAReport(t *testing.T) {
	operator, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "examples", "spec", "operator"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "kept"), os.DirFS(operator)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		report, subjects, problem string
	}{
		{`{"schema":"seatrial.dev/replays/v1alpha1","replays":[],"histories":["kept/once.jsonl","kept/twice.jsonl"]}`, "Observed!once holds, Observed!twice violated", ""},
		{`{"schema":"seatrial.dev/report/v1alpha1","command":"seatrial perturb x","histories":["` + filepath.ToSlash(operator) + `/once.jsonl"]}`, "Observed!once holds", ""},
		{`{"schema":"seatrial.dev/report/v1alpha1","command":"seatrial perturb x","histories":["kept/gone.jsonl"]}`, "", "report.json: the history that this report names is not there any more: "},
		{`{"schema":"seatrial.dev/report/v1alpha1","command":"seatrial perturb x"}`, "", "report.json:1: this is a report of perturb, and no history"},
	} {
		file := filepath.Join(folder, "report.json")
		if err := os.WriteFile(file, []byte(c.report), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), Options{File: filepath.Join(operator, "Observed.tla"), History: file, Observed: "Observed"})
		if c.problem != "" {
			if err == nil || !IsInput(err) || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: %v, want %s", c.report, err, c.problem)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, one := range r.Results {
			if one.Rule == "SEA6007" {
				said = append(said, one.Subject+" "+string(one.Verdict))
			}
		}
		if got := strings.Join(said, ", "); got != c.subjects {
			t.Errorf("%s: %s, want %s", c.report, got, c.subjects)
		}
	}
}

// TestExplainedEvents: a trace says which events its steps explain.
func TestExplainedEvents(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"M.tla": "---- MODULE M ----\nEXTENDS Naturals, Sequences\nVARIABLES n, hidden\nInit == n = 0 /\\ hidden = FALSE\nNext == \\/ ~hidden /\\ hidden' = TRUE /\\ UNCHANGED n\n        \\/ hidden /\\ n' = n + 1 /\\ n < 1 /\\ UNCHANGED hidden\nObserved(o) == [n |-> Len(o)]\n====\n",
		"M.cfg": "INIT Init NEXT Next",
		"h.jsonl": `{"revision":1,"type":"create","resource":"pods","name":"a","object":{"a":1}}
{"revision":2,"type":"create","resource":"pods","name":"b","object":{"a":1}}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run(t.Context(), Options{File: filepath.Join(folder, "M.tla"), History: filepath.Join(folder, "h.jsonl"), Observed: "Observed"})
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, step := range r.Results[0].Trace.Steps {
		notes = append(notes, step.Note)
	}
	if want := []string{"", "event 1: create pods a", "no step leads here, and none would change anything observed"}; !slices.Equal(notes, want) {
		t.Errorf("the steps are said to explain %q, want %q", notes, want)
	}
	if want := "M with M.cfg, 2 of 3 observations explained"; r.Bound.Text != want {
		t.Errorf("the bound is %q, want %q", r.Bound.Text, want)
	}
}
