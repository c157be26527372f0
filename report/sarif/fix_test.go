package sarif

import (
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestFixes: a suggestion is lines that take the place of others, file by file.
func TestFixes(t *testing.T) {
	r := violated(1, nil)
	r.Suggestions = []finding.Suggestion{{Title: "raise replicas", Cost: "one pod more runs", Changes: []finding.Change{
		{File: "a b/x.yaml", Line: 7, Old: []string{"replicas: 1"}, New: []string{"replicas: 2", "x: y"}},
		{File: "a b/x.yaml", Line: 9, New: []string{"z: 1"}},
		{File: "web.yaml", Line: 2, Old: []string{"gone"}},
	}}, {Title: "nothing"}}
	got, _ := write(t, &finding.Report{Results: []finding.Result{r}})
	fixes := got.Results[0].Fixes
	if len(fixes) != 1 || fixes[0].Description.Text != "raise replicas (one pod more runs)" || len(fixes[0].Changes) != 2 {
		t.Fatalf("%+v", fixes)
	}
	first, second := fixes[0].Changes[0], fixes[0].Changes[1]
	if first.Artifact.URI != "a%20b/x.yaml" || len(first.Replacements) != 2 || second.Artifact.URI != "web.yaml" {
		t.Fatalf("%+v", fixes)
	}
	if with := first.Replacements[0]; with.Deleted != (deletion{7, 1, 8, 1}) || with.Inserted.Text != "replicas: 2\nx: y\n" {
		t.Errorf("%+v", with)
	}
	if with := first.Replacements[1]; with.Deleted != (deletion{9, 1, 9, 1}) || with.Inserted.Text != "z: 1\n" {
		t.Errorf("%+v", with)
	}
	if with := second.Replacements[0]; with.Deleted != (deletion{2, 1, 3, 1}) || with.Inserted != nil {
		t.Errorf("%+v", with)
	}
}
