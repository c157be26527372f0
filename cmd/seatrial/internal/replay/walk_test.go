package replay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/internal/pace"
)

// walked are the cases and seeds of every run.
var walked = []struct {
	variant string
	seed    uint64
}{
	{"b3/good-skew", 1},
	{"b6/bad", 1},
	{"node-loss-recovery/bad", 1},
	{"a6/bad", 2},             // the descheduler chooses a pod before it has started
	{"c2/bad-two", 1},         // an autoscaler wants more pods of a budget in percent
	{"kivi-c1/good-probe", 3}, // pods that are to run and not be ready at the start
}

// walkSteps bounds a walk.
const walkSteps = 40

// seedsPerCase is how many walks of each case make conformance replays.
const seedsPerCase = 3

// TestWalks: what the model does at random is what real Kubernetes does, step by
// step, whether anything is violated or not.
func TestWalks(t *testing.T) {
	pace.Slow(t)
	walks := walked
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		walks = nil
		for _, variant := range all(t) {
			for seed := range uint64(seedsPerCase) {
				walks = append(walks, struct {
					variant string
					seed    uint64
				}{variant, seed + 1})
			}
		}
	}
	for _, w := range walks {
		t.Run(fmt.Sprintf("%s/%d", w.variant, w.seed), func(t *testing.T) {
			s, err := cluster.Simulate(t.Context(), load(t, w.variant), cluster.Options{}, w.seed, walkSteps)
			if err != nil {
				t.Fatal(err)
			}
			if s.Trace == nil || len(s.Trace.Steps) == 0 {
				return // nothing happens in it
			}
			if outcome := run(t, s.Trace); outcome.Verdict != replay.Confirmed {
				t.Errorf("%s: %s\n%s", outcome.Verdict, outcome.Reason, lines(outcome))
			}
		})
	}
}

// all are the variants of all cases.
func all(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDirectory, "*", "*", "manifests.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	var out []string
	for _, file := range files {
		folder := filepath.Dir(file)
		out = append(out, filepath.Base(filepath.Dir(folder))+"/"+filepath.Base(folder))
	}
	slices.Sort(out)
	return out
}
