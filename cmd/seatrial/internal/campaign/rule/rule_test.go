package rule_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/rule"
)

// TestEachOracleHasARule: of its name, and each rule is of an oracle.
func TestEachOracleHasARule(t *testing.T) {
	names := map[string]string{}
	for _, o := range oracle.All() {
		names[o.Rule] = o.Name
	}
	if len(names) != len(oracle.All()) {
		t.Error("two oracles have one rule")
	}
	for _, r := range rule.Told() {
		if names[r.ID] != r.Name || r.Trial != "campaign" || !r.Controller() {
			t.Errorf("%s %s: its oracle is %q", r.ID, r.Name, names[r.ID])
		}
		delete(names, r.ID)
	}
	if len(names) > 0 {
		t.Errorf("no rule: %v", names)
	}
}
