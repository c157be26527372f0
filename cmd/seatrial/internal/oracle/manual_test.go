package oracle

import (
	"os"
	"strings"
	"testing"
)

// TestTheManualHasEveryOracle: who reads what is wrong finds in the manual what it means.
func TestTheManualHasEveryOracle(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/perturb.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n| oracle |")
	table, _, _ = strings.Cut(table, "\n\n")
	if !found || strings.Count(table, "\n") != len(oracles)+1 {
		t.Errorf("the table of oracles does not have %d rows:\n%s", len(oracles), table)
	}
	for _, o := range oracles {
		if !strings.Contains(table, "\n| `"+o.Name+"` |") {
			t.Errorf("%s has no row", o.Name)
		}
	}
}
