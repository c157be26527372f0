package descheduler_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// tally counts what the random clusters exercised.
type tally struct {
	sync.Mutex
	clusters, evicting, several, limited, partial int
	outcomes, unseen, cycles                      int
	between                                       int // clusters with an outcome only in mixed sight
}

// TestRealLoopAgainstOutcomes runs the real descheduler loop on random
// clusters: whatever it asks for is an outcome, and, where no limit is set,
// every outcome shows up.
func TestRealLoopAgainstOutcomes(t *testing.T) {
	clusters := 1000
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		clusters = 5000
	}
	var counted tally
	jobs := make(chan int)
	var workers sync.WaitGroup
	for range 8 { // a run mostly waits for its informers
		workers.Go(func() {
			for seed := range jobs {
				if err := compare(&counted, uint64(seed)); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
	for seed := range clusters {
		jobs <- seed
	}
	close(jobs)
	workers.Wait()
	t.Logf("%+v", &counted)
	if counted.evicting < clusters/4 || counted.several < clusters/20 {
		t.Errorf("of %d clusters only %d evict and %d have several outcomes", clusters, counted.evicting, counted.several)
	}
}

const cyclesMax = 3000

func compare(counted *tally, seed uint64) error {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	c, raw := g.cluster(), g.policy()
	loaded, err := descheduler.LoadPolicy([]byte(raw))
	if err != nil {
		return fmt.Errorf("%w\n%s", err, raw)
	}
	d, err := descheduler.New(loaded)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, raw)
	}
	outcomes, err := d.Outcomes(context.Background(), c)
	partial := errors.Is(err, descheduler.ErrPartial)
	if err != nil && !partial {
		return err
	}
	unseen := map[string]bool{}
	for _, outcome := range outcomes {
		unseen[classes(c, outcome)] = true
	}
	expected := maps.Clone(unseen)
	limited := strings.Contains(raw, "maxNoOf")
	cycles := 0
	var failed error
	for _, seen := range []sight{sightLate, sightPrompt} {
		budget := cyclesMax
		o := &oracle{cluster: c, sight: seen, random: g.Rand, report: func(evicted []string) bool {
			cycles++
			budget--
			key := classes(c, named(evicted))
			if !partial && !expected[key] {
				failed = fmt.Errorf("the real loop evicted %v, not among %v", evicted, outcomes)
				return false
			}
			delete(unseen, key)
			return budget > 0 && (len(unseen) > 0 || cyclesMax-budget < 10)
		}}
		if err := o.run(loaded.Loaded(), usable(loaded, c) < 2); err != nil {
			return fmt.Errorf("real loop: %w", err)
		}
		if failed != nil {
			return fmt.Errorf("%w\n%s\n%s", failed, raw, describe(c))
		}
	}
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		between, err := countBetween(c, loaded, g.Rand, expected)
		if err != nil {
			return err
		}
		counted.Lock()
		counted.between += min(between, 1)
		counted.Unlock()
	}
	counted.add(outcomes, len(unseen), cycles, limited, partial)
	if len(unseen) > 0 && !limited {
		return fmt.Errorf("never seen in %d real cycles: %v of %v\n%s\n%s", cycles, slices.Collect(maps.Keys(unseen)), outcomes, raw, describe(c))
	}
	return nil
}

// countBetween counts the cycles, of a hundred in which each eviction is seen
// at once or not at all, whose evictions are no outcome: what the package says
// it leaves out.
func countBetween(c descheduler.Cluster, policy *descheduler.Policy, random *rand.Rand, expected map[string]bool) (int, error) {
	between, budget := 0, 100
	o := &oracle{cluster: c, sight: sightRandom, random: random, report: func(evicted []string) bool {
		budget--
		if !expected[classes(c, named(evicted))] {
			between++
		}
		return budget > 0
	}}
	return between, o.run(policy.Loaded(), usable(policy, c) < 2)
}

func (c *tally) add(outcomes [][]descheduler.Eviction, unseen, cycles int, limited, partial bool) {
	c.Lock()
	defer c.Unlock()
	c.clusters++
	c.outcomes += len(outcomes)
	c.unseen += unseen
	c.cycles += cycles
	if len(outcomes) > 1 || len(outcomes[0]) > 0 {
		c.evicting++
	}
	if len(outcomes) > 1 {
		c.several++
	}
	if limited {
		c.limited++
	}
	if partial {
		c.partial++
	}
}

func named(pods []string) []descheduler.Eviction {
	evictions := make([]descheduler.Eviction, len(pods))
	for i, pod := range pods {
		evictions[i].Pod = pod
	}
	return evictions
}

// describe prints what decides a cycle, for a failing seed.
func describe(c descheduler.Cluster) string {
	var text strings.Builder
	for _, node := range c.Nodes {
		fmt.Fprintf(&text, "node %s labels=%v taints=%v unschedulable=%v ready=%v cpu=%s\n", node.Name, node.Labels, node.Spec.Taints,
			node.Spec.Unschedulable, node.Status.Conditions[0].Status, node.Status.Allocatable.Cpu())
	}
	for _, pod := range c.Pods {
		fmt.Fprintf(&text, "pod %s/%s node=%s labels=%v phase=%s terminating=%v priority=%v requests=%v\n", pod.Namespace, pod.Name, pod.Spec.NodeName,
			pod.Labels, pod.Status.Phase, pod.DeletionTimestamp != nil, pod.Spec.Priority, pod.Spec.Containers[0].Resources.Requests)
	}
	return text.String()
}

// usable counts the ready nodes under the policy's nodeSelector.
func usable(policy *descheduler.Policy, c descheduler.Cluster) int {
	selector := labels.Everything()
	if text := policy.Loaded().NodeSelector; text != nil {
		var err error
		selector, err = labels.Parse(*text)
		must(err)
	}
	count := 0
	for _, node := range c.Nodes {
		if selector.Matches(labels.Set(node.Labels)) && node.Status.Conditions[0].Status == corev1.ConditionTrue {
			count++
		}
	}
	return count
}
