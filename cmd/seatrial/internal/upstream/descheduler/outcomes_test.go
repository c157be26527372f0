package descheduler_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// TestOutcomesDoNotDependOnTheOrderOfObjects also bounds how often the order
// bound is reached on small clusters, where it should not be.
func TestOutcomesDoNotDependOnTheOrderOfObjects(t *testing.T) {
	const clusters = 400
	partial, most := 0, 0
	for seed := range uint64(clusters) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		c, raw := g.cluster(), g.policy()
		d := build(t, raw)
		want, err := d.Outcomes(context.Background(), c)
		if errors.Is(err, descheduler.ErrPartial) {
			partial++
			t.Logf("seed %d: %v; %d pods on %d nodes", seed, err, len(c.Pods), len(c.Nodes))
			continue
		} else if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		most = max(most, d.Runs())
		g.Shuffle(len(c.Nodes), func(i, j int) { c.Nodes[i], c.Nodes[j] = c.Nodes[j], c.Nodes[i] })
		g.Shuffle(len(c.Pods), func(i, j int) { c.Pods[i], c.Pods[j] = c.Pods[j], c.Pods[i] })
		got, err := d.Outcomes(context.Background(), c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: outcomes of the shuffled cluster differ (-first +shuffled):\n%s", seed, diff)
		}
	}
	t.Logf("%d of %d partial, at most %d runs otherwise", partial, clusters, most)
	if partial > clusters/200 {
		t.Errorf("%d of %d small clusters exceed the order bound", partial, clusters)
	}
}
