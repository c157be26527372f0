package spec

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestFolderOfHistories: each history of a folder has a verdict of its own; after the first that is no behaviour the others are open, unless all
// are asked for.
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
