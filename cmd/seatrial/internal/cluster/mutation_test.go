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
)

// TestMutations switches on each deliberate mistake in turn and wants some case
// to come out otherwise: another verdict, or other rules violated.
func TestMutations(t *testing.T) {
	all := variants(t)
	mutation.Set("")
	sound := map[string]string{}
	for _, v := range all {
		sound[v.path] = verdictLine(v.check(t, cluster.Options{}))
	}
	// Cases that caught one mutation are likely to catch another.
	catches := map[string]int{}
	defer mutation.Set("")
	for _, name := range mutation.Names() {
		mutation.Set(name)
		slices.SortStableFunc(all, func(a, b variant) int { return cmp.Compare(catches[b.path], catches[a.path]) })
		by := ""
		for _, v := range all {
			mistaken := verdictLine(v.check(t, cluster.Options{MaxStates: mutatedStates}))
			if mistaken != sound[v.path] && !strings.HasPrefix(mistaken, "inconclusive") {
				by = v.path + ": " + sound[v.path] + ", then " + mistaken
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
const mutatedStates = 20000
