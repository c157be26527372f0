package cluster_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/specimen"
)

// TestStepper: on random paths through random clusters every step says enough to be
// followed, and leads somewhere else.
func TestStepper(t *testing.T) {
	const seeds, most = 60, 60
	walked := 0
	for seed := uint64(1); seed <= seeds; seed++ {
		in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(specimen.Contest(seed)), manifest.Options{
			ValidateDescheduler: cluster.CheckPolicy, ValidateExpression: cluster.CheckExpression,
		})
		if err != nil {
			continue
		}
		m, err := cluster.NewStepper(t.Context(), in, cluster.Options{})
		if err != nil {
			continue
		}
		random := rand.New(rand.NewPCG(seed, 1))
		at := m.Start(int(seed))
		if m.Trace(at).Setup == nil {
			t.Errorf("seed %d: no setup", seed)
		}
		for range most {
			steps, err := m.Steps(at)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if len(steps) == 0 {
				break
			}
			next := steps[random.IntN(len(steps))]
			if next.To.Equal(at) {
				t.Errorf("seed %d: %s leads nowhere", seed, next.Action)
			}
			at, walked = next.To, walked+1
		}
	}
	if walked < 1000 {
		t.Errorf("%d steps", walked)
	}
}
