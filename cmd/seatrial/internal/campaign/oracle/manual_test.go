package oracle

import (
	"os"
	"strings"
	"testing"
)

// TestTheManualHasEveryOracle: who reads what is wrong finds in the manual what was asked, and
// what was not compared.
func TestTheManualHasEveryOracle(t *testing.T) {
	text, err := os.ReadFile("../../../../../docs/campaign.md")
	if err != nil {
		t.Fatal(err)
	}
	for head, names := range map[string][]string{"oracle": Names(), "mask": MaskNames()} {
		_, table, found := strings.Cut(string(text), "\n| "+head+" |")
		table, _, _ = strings.Cut(table, "\n\n")
		if !found || strings.Count(table, "\n") != len(names)+1 {
			t.Errorf("the table of each %s does not have %d rows:\n%s", head, len(names), table)
		}
		for _, name := range names {
			if !strings.Contains(table, "\n| `"+name+"` |") {
				t.Errorf("%s %s has no row", head, name)
			}
		}
	}
	for _, o := range oracles {
		if !strings.Contains(string(text), "\n| `"+o.Name+"` | ["+o.Rule+"](rules/"+o.Rule+".md) |") {
			t.Errorf("%s is not in the manual with its rule %s", o.Name, o.Rule)
		}
	}
}
