//go:build mutation

package cluster_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/finding"
)

// TestMutations switches on each deliberate mistake in turn and wants some case
// to come out otherwise: another verdict, or other rules violated.
func TestMutations(t *testing.T) {
	all := variants(t)
	mutation.Set("")
	defer mutation.Set("")
	sound := map[string]outcome{}
	for _, v := range all {
		sound[v.path] = v.outcome(t)
	}
	// Cases that caught one mutation are likely to catch another.
	catches := map[string]int{}
	for _, name := range mutation.Names() {
		if strings.HasPrefix(name, "reduction-") {
			continue // the cases are too small for reductions: TestMutationsOfReductions
		}
		mutation.Set(name)
		slices.SortStableFunc(all, func(a, b variant) int { return cmp.Compare(catches[b.path], catches[a.path]) })
		by := ""
		for _, v := range all {
			if mistaken := v.outcome(t); mistaken.differs(sound[v.path]) {
				by = v.path + ": " + sound[v.path].rules + ", then " + mistaken.rules
				catches[v.path]++
				break
			}
		}
		if by == "" {
			t.Errorf("no case notices %s: %s", name, mutation.Description(name))
			continue
		}
		t.Logf("%s: %s", name, by)
	}
}

// outcome is a verdict and, if all was explored, which rules are violated: a
// search that is cut short decides some rules and not others.
type outcome struct {
	verdict  finding.Verdict
	rules    string
	complete bool
}

func (v variant) outcome(t *testing.T) outcome {
	t.Helper()
	r := v.check(t, cluster.Whole(cluster.Options{MaxStates: mutatedStates}, false))
	return outcome{r.Verdict, verdictLine(r), r.Bound.Complete}
}

func (o outcome) differs(from outcome) bool {
	if o.verdict == finding.Inconclusive || from.verdict == finding.Inconclusive {
		return false
	}
	return o.verdict != from.verdict || o.complete && from.complete && o.rules != from.rules
}

// TestMutationOfSymmetry holds TestBisimulation to noticing a choice that
// depends on the order of equal nodes.
func TestMutationOfSymmetry(t *testing.T) {
	mutation.Set("scheduler-first-of-equals")
	defer mutation.Set("")
	random := rand.New(rand.NewPCG(5, 6))
	for _, v := range variants(t) {
		if _, err := cluster.Bisimilar(t.Context(), v.load(t), 1000, random); err != nil {
			t.Log(v.path, err)
			return
		}
	}
	t.Error("no case notices that the first of equal nodes is taken")
}

// mutatedStates bounds a case under a mutation: a mistake may make the state
// space large, and then another case has to notice it.
const mutatedStates = 5000
