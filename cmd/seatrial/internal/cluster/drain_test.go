package cluster_test

import (
	"strings"
	"testing"
)

// TestEveryBudgetThatBlocks: the causes of an endless drain name the budgets that
// would block another one, and no others.
func TestEveryBudgetThatBlocks(t *testing.T) {
	const either = "allows no disruption either"
	other := func(object string) string {
		return strings.NewReplacer("name: web", "name: api", "app: web", "app: api").Replace(object)
	}
	on := func(node string) string {
		return "nodeSelector: {kubernetes.io/hostname: " + node + "},"
	}
	for _, c := range []struct {
		name, budget, at, scenario string
		named                      bool
	}{
		{"on another node", "minAvailable: 1", "n2", `events: [{type: drain}]`, true},
		{"by a maximum", "maxUnavailable: 0", "n2", `events: [{type: drain}]`, true},
		{"that allows one", "maxUnavailable: 1", "n2", `events: [{type: drain}]`, false},
		{"that is the trace's too", "minAvailable: 1", "n1", `events: [{type: drain}]`, false},
		{"on a node that nobody drains", "minAvailable: 1", "n2", `events: [{type: drain, nodes: [n1]}]`, false},
		{"of a node that was not asked about", "minAvailable: 1", "n2", `events: [{type: drain}], properties: [{rule: drain-completes, node: n1}]`, false},
	} {
		r := reportOn(t, []string{
			node("n1"), node("n2"), deployment(1, "100m", "", on("n1")), budget("minAvailable: 1"),
			other(deployment(1, "100m", "", on(c.at))), other(budget(c.budget)), scenarioOf(c.scenario),
		})
		violated, named := false, 0
		for _, p := range r.Results {
			if p.Rule != "SEA1002" {
				continue
			}
			violated = p.Trace != nil
			for _, cause := range p.Causes {
				if strings.HasPrefix(cause.Message, either) {
					named++
				}
			}
		}
		if want := map[bool]int{true: 1}[c.named]; !violated || named != want {
			t.Errorf("%s: violated %v, %d other budgets are named, want %d: %s", c.name, violated, named, want, summary(r))
		}
	}
}
