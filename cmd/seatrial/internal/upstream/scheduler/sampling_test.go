package scheduler

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// From 100 nodes on the real scheduler looks at a part of them only. What it
// says of how many it found feasible must be the limit kept here.
func TestSamplingOfLargeClusters(t *testing.T) {
	percent := func(global, profile *int32) func(*config.KubeSchedulerConfiguration) {
		return func(cfg *config.KubeSchedulerConfiguration) {
			cfg.PercentageOfNodesToScore = global
			cfg.Profiles[0].PercentageOfNodesToScore = profile
		}
	}
	for _, tt := range []struct {
		name            string
		global, profile *int32
		nodes, full     int
		feasible        int
		sampled         bool
	}{
		{"99 nodes are all looked at", nil, nil, 99, 0, 99, false},
		{"100 nodes are all looked at", new(int32(5)), nil, 100, 0, 100, false},
		{"at least 100 are sought", nil, nil, 101, 0, 100, true},
		{"exact when fewer are feasible", nil, nil, 101, 1, 100, false},
		{"adaptive percentage", nil, nil, 250, 0, 120, true},
		{"global percentage", new(int32(80)), nil, 200, 0, 160, true},
		{"the profile's goes before", new(int32(80)), new(int32(70)), 200, 0, 140, true},
		{"all", new(int32(100)), nil, 150, 10, 140, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := setup{change: percent(tt.global, tt.profile)}
			subject := newScheduler(t, s.change, Static{})
			real := newOracle(t, s.configuration(t), Static{}, 16)
			c := Cluster{Nodes: testNodes(tt.nodes)}
			for i := range tt.full {
				pod := testPod(fmt.Sprintf("p%d", i), c.Nodes[i].Name, "4")
				c.Pods = append(c.Pods, identified(pod))
			}
			pod := identified(testPod("pending", "", "1"))
			d := decide(t, subject, pod, c)
			if d.Sampled != tt.sampled || len(d.Nodes) != tt.nodes-tt.full || len(d.Rejected) != tt.full {
				t.Errorf("got %d nodes, %d rejected, sampled %v", len(d.Nodes), len(d.Rejected), d.Sampled)
			}
			real.load(t, c)
			for range 20 {
				result, _, _, err := real.draw(pod)
				if err != nil {
					t.Fatal(err)
				}
				if result.FeasibleNodes != tt.feasible || !slices.Contains(d.Nodes, result.SuggestedHost) {
					t.Fatalf("the real scheduler finds %d feasible, want %d, and picks %s", result.FeasibleNodes, tt.feasible, result.SuggestedHost)
				}
			}
		})
	}
}

// TestEqualScoresGoToTheFirstArrival pins how 1.36.3 breaks ties, on which the
// comparison with the real scheduler is built: not at random, as its Randomizer
// field suggests, but in the order of the feasible nodes.
func TestEqualScoresGoToTheFirstArrival(t *testing.T) {
	real := newOracle(t, setup{}.configuration(t), Static{}, 1)
	nodes := testNodes(4)
	real.load(t, Cluster{Nodes: nodes})
	for i := range nodes {
		order := append(slices.Clone(nodes[i:]), nodes[:i]...)
		real.arrive(t, order)
		for range 50 {
			result, _, _, err := real.draw(identified(testPod("pending", "", "1")))
			if err != nil || result.SuggestedHost != order[0].Name {
				t.Fatalf("picked %q (%v), first is %s", result.SuggestedHost, err, order[0].Name)
			}
		}
	}
}
