package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/finding"
)

// reached are the witnesses of a result that were reached, by name.
func reached(r finding.Result) []string {
	var out []string
	for _, w := range r.Witnesses {
		if w.Reached {
			out = append(out, w.Name)
		}
	}
	return out
}

// TestPartsThatAreAlikeAreSearchedOnce: of three Deployments two differ in nothing
// but their names. What is said of them does not show that one was not searched.
func TestPartsThatAreAlikeAreSearchedOnce(t *testing.T) {
	for _, row := range []struct {
		name   string
		second string // the budget of the second
		alike  bool
	}{{"equal", "", true}, {"a budget over one of them", partBudget, false}} {
		t.Run(row.name, func(t *testing.T) {
			text := strings.ReplaceAll(partNodes, "ROOM", "8") + workload("two", "first", "100m", "") + workload("two", "second", "100m", row.second) +
				workload("one", "third", "100m", "") + fmt.Sprintf(partEvent, "{type: drain}")
			parts, whole := checkPair(t, text, Options{}), checkPair(t, text, Options{together: true})
			if diff := cmp.Diff(verdicts(whole), verdicts(parts)); diff != "" {
				t.Errorf("(-whole +parts):\n%s", diff)
			}
			for _, p := range parts.Results {
				k := slices.IndexFunc(whole.Results, func(q finding.Result) bool { return q.Rule == p.Rule && q.Subject == p.Subject })
				if k < 0 {
					t.Fatalf("%s %s is not said of the whole", p.Rule, p.Subject)
				}
				if diff := cmp.Diff(reached(whole.Results[k]), reached(p)); diff != "" {
					t.Errorf("witnesses of %s %s (-whole +parts):\n%s", p.Rule, p.Subject, diff)
				}
			}
			if got := slices.Contains(parts.Bound.Reductions, reducedParts); got != row.alike {
				t.Errorf("searched once: %v, want %v", got, row.alike)
			}
		})
	}
}
