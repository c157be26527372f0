package pattern

import (
	"os"
	"strings"
	"testing"
)

// TestTheManualHasEveryPattern: each has a row, which leads to its rule.
func TestTheManualHasEveryPattern(t *testing.T) {
	text, err := os.ReadFile("../../../../../docs/perturb.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n| pattern |")
	table, _, _ = strings.Cut(table, "\n\n")
	if !found || strings.Count(table, "\n") != len(All())+1 {
		t.Errorf("the table of patterns does not have %d rows:\n%s", len(All()), table)
	}
	for _, p := range All() {
		_, row, found := strings.Cut(table, "\n| `"+p.Name+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if !found || !strings.Contains(row, "["+p.ID+"](rules/"+p.ID+".md)") {
			t.Errorf("%s has no row, or one without %s: %s", p.Name, p.ID, row)
		}
	}
}

// TestTold: a pattern is known by the id and the name of its rule.
func TestTold(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range Told() {
		if r.Trial != "perturb" || !r.Controller() || seen[r.ID] || Rule(r.Name) != r.ID {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
		if i > 0 && Told()[i-1].ID >= r.ID {
			t.Errorf("%s comes before %s", Told()[i-1].ID, r.ID)
		}
	}
	if len(seen) != len(Names()) || Rule("none") != "" {
		t.Errorf("%d rules of %d patterns", len(seen), len(Names()))
	}
}
