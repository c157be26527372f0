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
	"github.com/seatrial/seatrial/internal/pace"
)

// tally counts what the random clusters exercised.
type tally struct {
	sync.Mutex
	clusters, evicting, several, limited, partial, skipped int
	outcomes, unseen, cycles, most, outside                int
	between                                                int // clusters with an outcome seen in sightMixed only
}

const (
	// clustersOf is how many clusters one policy is tried on.
	clustersOf = 5
	// Cycles run whatever they show, to look for an outcome that the set lacks:
	// of clusters of which something is evicted, and of others.
	cyclesMin    = 12
	cyclesOfNone = 4
	// cyclesMax bounds the cycles run until every outcome was seen. One whose
	// chance is 1 in 4,000, the rarest known (of four plugins that choose among
	// the same pods), is missed with a chance of less than 1e-10. Under limits,
	// where an outcome may take an order of a map that Go never shows, they are
	// fewer, and none has to be seen.
	cyclesMax        = 100_000
	cyclesMaxLimited = 10_000
)

// TestRealLoopAgainstOutcomes runs the real descheduler loop on 10,000 random
// clusters, 100,000 for conformance, five for each random policy: whatever a
// cycle asks for is an outcome, and, where no limit is set, every outcome shows
// up. In a quarter of the cycles the lists show none of the cycle's evictions, in
// a quarter all, in half of them more and more while lists are read.
//
// A policy has one or two profiles, each with up to two plugins of either kind
// and one of ten evictors, and often limits and a node selector. A cluster has two
// to four nodes, mostly two or three, of two zones, some tainted, cordoned or not
// ready, and one to three applications of up to five pods each, mostly fewer, with
// constraints, affinities, priorities and owners of several kinds, some of them
// pending, failed, restarted, annotated or terminating (see generator).
func TestRealLoopAgainstOutcomes(t *testing.T) {
	pace.Slow(t)
	clusters := 10_000
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		clusters = 100_000
	}
	var counted tally
	jobs := make(chan int)
	var workers sync.WaitGroup
	if _, err := descheduler.LoadPolicy([]byte(policy(""))); err != nil { // sets up the registry
		t.Fatal(err)
	}
	instrument()
	for range 4 { // a run also waits for its informers
		workers.Go(func() {
			for seed := range jobs {
				if err := compare(&counted, uint64(seed)); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
	for seed := range clusters / clustersOf {
		jobs <- seed
	}
	close(jobs)
	workers.Wait()
	t.Logf("%+v", &counted)
	if counted.evicting < clusters/5 || counted.several < clusters/20 {
		t.Errorf("of %d clusters only %d evict and %d have several outcomes", clusters, counted.evicting, counted.several)
	}
	if counted.between == 0 {
		t.Error("no outcome needs a plugin to see some of the evictions only")
	}
	if counted.partial > clusters/100 {
		t.Errorf("of %d clusters %d have more orders than are tried", clusters, counted.partial)
	}
}

// compare tries one policy on several clusters.
func compare(counted *tally, seed uint64) error {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	raw := g.policy()
	loaded, err := descheduler.LoadPolicy([]byte(raw))
	if err != nil {
		return fmt.Errorf("%w\n%s", err, raw)
	}
	d, err := descheduler.New(loaded)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, raw)
	}
	var trials []*trial
	for range clustersOf {
		tr := newTrial(d, g.cluster(), strings.Contains(raw, "maxNoOf"))
		if tr.failed == nil && usable(loaded, tr.cluster) < 2 {
			o := &oracle{draw: draw{tr.cluster, sightLate}, random: g.Rand, report: func(evicted []string) (draw, bool) {
				tr.seen(evicted)
				return draw{}, false
			}}
			if err := o.run(loaded.Loaded(), true); err != nil {
				return fmt.Errorf("real loop: %w", err)
			}
			tr.skipped = true
		}
		trials = append(trials, tr)
	}
	at := 0
	next := func() (draw, bool) {
		for at < len(trials) && (trials[at].skipped || !trials[at].more()) {
			at++
		}
		if at == len(trials) {
			return draw{}, false
		}
		return draw{trials[at].cluster, trials[at].sight()}, true
	}
	if first, ok := next(); ok {
		o := &oracle{draw: first, random: g.Rand, report: func(evicted []string) (draw, bool) {
			trials[at].seen(evicted)
			return next()
		}}
		if err := o.run(loaded.Loaded(), false); err != nil {
			return fmt.Errorf("real loop: %w", err)
		}
	}
	for i, tr := range trials {
		counted.add(tr)
		if err := tr.verdict(); err != nil {
			return fmt.Errorf("cluster %d: %w\n%s\n%s", i, err, raw, describe(tr.cluster))
		}
	}
	return nil
}

// trial holds one cluster's outcomes against real cycles.
type trial struct {
	cluster                   descheduler.Cluster
	outcomes                  [][]descheduler.Eviction
	expected, unseen, mixed   map[string]bool // mixed: seen in sightMixed only
	limited, partial, skipped bool
	cycles                    int
	failed                    error
}

func newTrial(d *descheduler.Descheduler, c descheduler.Cluster, limited bool) *trial {
	tr := &trial{cluster: c, unseen: map[string]bool{}, mixed: map[string]bool{}, limited: limited}
	tr.outcomes, tr.failed = d.Outcomes(context.Background(), c)
	if errors.Is(tr.failed, descheduler.ErrPartial) {
		tr.partial, tr.failed = true, nil // said to be a part only
	}
	for _, outcome := range tr.outcomes {
		tr.unseen[classes(c, outcome)] = true
	}
	tr.expected = maps.Clone(tr.unseen)
	return tr
}

// sight is that of the cycle to come.
func (tr *trial) sight() sight {
	return []sight{sightLate, sightMixed, sightPrompt, sightMixed}[tr.cycles%4]
}

func (tr *trial) seen(evicted []string) {
	key := classes(tr.cluster, named(evicted))
	if tr.sight() != sightMixed {
		delete(tr.mixed, key)
	} else if tr.unseen[key] {
		tr.mixed[key] = true
	}
	tr.cycles++
	if !tr.partial && !tr.expected[key] {
		tr.failed = fmt.Errorf("the real loop evicted %v, not among %v", evicted, tr.outcomes)
	}
	delete(tr.unseen, key)
}

// evicts tells whether anything may be evicted.
func (tr *trial) evicts() bool { return len(tr.outcomes) > 1 || len(tr.outcomes[0]) > 0 }

func (tr *trial) more() bool {
	least, most := cyclesOfNone, cyclesMax
	if tr.evicts() {
		least = cyclesMin
	}
	if tr.limited {
		most = cyclesMaxLimited
	}
	return tr.failed == nil && (tr.cycles < least || len(tr.unseen) > 0 && tr.cycles < most)
}

func (tr *trial) verdict() error {
	if tr.failed == nil && len(tr.unseen) > 0 && !tr.limited {
		return fmt.Errorf("never seen in %d real cycles: %v of %v", tr.cycles, slices.Collect(maps.Keys(tr.unseen)), tr.outcomes)
	}
	return tr.failed
}

func (c *tally) add(tr *trial) {
	c.Lock()
	defer c.Unlock()
	count := func(yes bool, counter *int) {
		if yes {
			*counter++
		}
	}
	c.clusters++
	c.outcomes += len(tr.outcomes)
	c.unseen += len(tr.unseen)
	c.cycles += tr.cycles
	c.most = max(c.most, tr.cycles)
	count(len(tr.outcomes) > 0 && tr.evicts(), &c.evicting)
	count(len(tr.outcomes) > 1, &c.several)
	count(tr.limited, &c.limited)
	count(tr.partial, &c.partial)
	count(tr.skipped, &c.skipped)
	count(tr.failed != nil, &c.outside)
	count(len(tr.mixed) > 0, &c.between)
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
