package cluster

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/specimen"
	"github.com/seatrial/seatrial/finding"
)

// randomStates bounds each search of a random cluster; what is larger is passed over.
const randomStates = 10_000

// decided are the verdicts of the properties, in the order of their rules.
func decided(r *finding.Report) map[string]finding.Verdict {
	out := map[string]finding.Verdict{}
	for i, p := range r.Results {
		key := fmt.Sprint(p.Rule, " ", p.Subject)
		if p.Verdict == finding.Violated || out[key] == "" || p.Verdict == finding.Inconclusive && out[key] != finding.Violated {
			out[key] = r.Results[i].Verdict
		}
	}
	return out
}

// differences are the properties that two reports decide otherwise.
func differences(with, without *finding.Report) []string {
	var out []string
	others := decided(without)
	for key, verdict := range decided(with) {
		if other := others[key]; verdict != finding.Inconclusive && other != finding.Inconclusive && verdict != other {
			out = append(out, fmt.Sprintf("%s %s, %s without reductions", key, verdict, other))
		}
	}
	slices.Sort(out)
	return out
}

// reducedReport is what the reduced search alone says of an input; nil where it
// leaves that to the full one.
func reducedReport(t *testing.T, in *manifest.Input) (*finding.Report, error) {
	t.Helper()
	r, err := newRun(t.Context(), in, Options{All: true, MaxStates: randomStates, Workers: 1})
	if err != nil {
		return nil, err
	}
	return r.apart(t.Context(), partition(r.w, r.asked), true)
}

// compared are how many random clusters were searched with reductions and without.
type compared struct {
	// both were searched either way, of which nodes were merged and something is
	// violated; the others were refused, left to the full search, or too large.
	both, merged, violated   int
	refused, whole, tooLarge int
}

// compare searches the cluster of a seed with reductions and without, and returns
// what they decide otherwise.
func (n *compared) compare(t *testing.T, seed uint64) []string {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(specimen.Cluster(seed)), manifest.Options{})
	if err != nil {
		n.refused++
		return nil
	}
	with, err := reducedReport(t, in)
	switch {
	case err != nil:
		n.refused++
		return nil
	case with == nil || len(with.Bound.Reductions) == 0:
		n.whole++
		return nil
	}
	full, err := newRun(t.Context(), in, Options{All: true, Full: true, together: true, MaxStates: randomStates, Workers: 1})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	without, err := full.checkOnce(t.Context())
	switch {
	case err != nil:
		t.Fatalf("seed %d: %v", seed, err)
	case !without.Bound.Complete:
		n.tooLarge++
		return nil
	}
	n.both++
	n.merged += len(with.Bound.Reductions) / 2
	if without.Verdict == finding.Violated {
		n.violated++
	}
	return differences(with, without)
}

// TestReductionsAtRandom holds the search with reductions to the search without,
// on random clusters.
func TestReductionsAtRandom(t *testing.T) {
	first, cases := uint64(0), uint64(150)
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		cases = 6000
	}
	if n, err := strconv.ParseUint(os.Getenv("SEATRIAL_REDUCTION_FIRST"), 10, 64); err == nil {
		first, cases = n, 1_000_000
	}
	var n compared
	for seed := first; seed < first+cases; seed++ {
		for _, d := range n.compare(t, seed) {
			t.Errorf("seed %d: %s", seed, d)
		}
		if first > 0 && seed%100 == 99 {
			t.Logf("%d: %+v", seed, n)
		}
	}
	t.Logf("%+v", n)
	if n.both < 30 || n.merged < 10 || n.violated < 10 {
		t.Errorf("too few were compared: %+v", n)
	}
}
