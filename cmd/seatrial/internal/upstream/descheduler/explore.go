package descheduler

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/descheduler/pkg/descheduler/evictions"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/nodeutilization"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removeduplicates"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatinginterpodantiaffinity"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingtopologyspreadconstraint"
)

// OrdersMax bounds the orders that one Outcomes call tries. What it must cover:
// per plugin, the orders of each node's pods up to exchange of equal ones,
// times, where the cycle depends on it, the orders of the nodes: n! for n nodes
// once a limit refuses an eviction or pods violate anti-affinity, those within
// a topology domain for an unbalanced spread constraint; and the orders of the
// domains or nodes that a plugin holds for equal (topology spread, node
// utilization); and, where a later plugin can tell, what it may see of the evictions
// before it, for every order of those: at worst every order of the pods of each
// node, and n! for the nodes once three plugins have to do with the same pods.
const OrdersMax = 1 << 13

// Waiting for Go's map order to show the wanted order of ties costs runs that
// are no new order. On up to eight nodes or domains one run in 64 at worst
// shows it; on more, about one in k! for k in wanted order.
const (
	retriesMax = 1 << 12 // for one order
	runsMax    = 1 << 16 // in all, for one Outcomes call
)

// explorer runs the stages of one cycle, either in the one order given or,
// with all set, in every order.
type explorer struct {
	ctx      context.Context
	machine  *machine
	snapshot *snapshot
	all      bool

	nodes   []*corev1.Node
	lists   lists                // nothing evicted yet
	evicted map[types.UID]bool   // before the stage under way
	seen    map[types.UID]bool   // of those, by the stage under way
	ahead   future               // of the stage under way
	tell    []map[types.UID]bool // by stage, see telling

	need    need
	orders  int // tried
	runs    int // of plugins, and requests in another order
	partial bool
}

func nodeName(node *corev1.Node) string { return node.Name }

// cycles explores all stages from nothing evicted and adds what it finds.
func (x *explorer) cycles(found map[string][]Eviction) error {
	frontier := []course{{}}
	for i, st := range x.machine.stages {
		var err error
		if x.ahead, err = x.later(i + 1); err != nil {
			return err
		}
		if frontier, err = x.advance(st, frontier); err != nil {
			return err
		}
	}
	for _, c := range frontier {
		key := x.key(distinct(c.requests))
		evictions := publish(c.requests)
		if known, ok := found[key]; !ok || compareEvictions(evictions, known) < 0 {
			found[key] = evictions
		}
	}
	return nil
}

// advance continues courses by a stage. Those are one that are equal up to exchange
// of equal pods and up to what no stage to come can tell.
func (x *explorer) advance(st stage, frontier []course) ([]course, error) {
	var next []course
	known := map[string]bool{}
	for _, prior := range frontier {
		sights, err := x.sights(st, prior)
		if err != nil {
			return nil, err
		}
		for _, s := range sights {
			if s.elsewhere && x.need != needOne {
				break
			}
			if len(next) > 0 && x.spent() {
				x.partial = true
				break
			}
			outcomes, err := x.stage(st, prior.requests, s.seen)
			if err != nil {
				return nil, err
			}
			if s.elsewhere && x.need != needOne {
				break // the order of nodes does matter
			}
			for _, more := range outcomes {
				c := course{requests: slices.Concat(prior.requests, more), shown: s.shown}
				key := x.key(c.requests) + "/" + x.order(distinct(c.requests)[c.shown:])
				if !known[key] {
					known[key] = true
					next = append(next, c)
				}
			}
		}
	}
	return next, nil
}

// distinct drops later requests for the same pod.
func distinct(requests []request) []request {
	asked := map[types.UID]bool{}
	return slices.DeleteFunc(slices.Clone(requests), func(r request) bool {
		repeated := asked[r.pod.UID]
		asked[r.pod.UID] = true
		return repeated
	})
}

// key names the multiset of the classes of the pods asked for, first and
// repeated requests apart. Up to exchange of equal pods, counters and views
// depend on nothing else, since a class fixes node and namespace.
func (x *explorer) key(requests []request) string {
	classes := make([]int, len(requests))
	asked := make(map[types.UID]bool, len(requests))
	for i, r := range requests {
		classes[i] = 2 * x.snapshot.class[r.pod.UID]
		if asked[r.pod.UID] {
			classes[i]++
		}
		asked[r.pod.UID] = true
	}
	slices.Sort(classes)
	var key strings.Builder
	for _, class := range classes {
		key.WriteString(strconv.Itoa(class))
		key.WriteByte(' ')
	}
	return key.String()
}

// need says which node orders can make a difference to a cycle.
type need int

const (
	needOne     need = iota
	needDomains      // the order of nodes that share a topology domain
	needAll
)

// nodeOrders visits the node orders that can make a difference; one order
// holds for a whole cycle. The stages say what they depend on as they run.
// While none depends on the order, none of their outcomes would differ under
// another, so that one order is enough; and so on upwards.
func (x *explorer) nodeOrders(visit func() error) error {
	x.need = needOne
	x.nodes = x.snapshot.nodes
	if err := visit(); err != nil {
		return err
	}
	for done := needOne; done < x.need; {
		done = x.need
		groups := [][]*corev1.Node{x.snapshot.nodes}
		if x.need == needDomains {
			groups = x.sharedDomains()
		}
		for nodes := range tiedOrders(open(groups)) {
			x.nodes = slices.Clone(nodes)
			if err := visit(); err != nil || x.exhausted() {
				return err
			}
			if x.need > done {
				break
			}
		}
	}
	return nil
}

// require raises what the cycles need.
func (x *explorer) require(n need) { x.need = max(x.need, n) }

// sharedDomains groups the nodes with pods that share a domain of any spread
// constraint; nodes of different groups may keep their order.
func (x *explorer) sharedDomains() [][]*corev1.Node {
	keys := map[string]bool{}
	for _, pod := range x.snapshot.pods {
		for _, c := range pod.Spec.TopologySpreadConstraints {
			keys[c.TopologyKey] = true
		}
	}
	share := func(a, b *corev1.Node) bool {
		if len(x.lists[a.Name]) == 0 || len(x.lists[b.Name]) == 0 {
			return false
		}
		for key := range keys {
			if value, ok := a.Labels[key]; ok && b.Labels[key] == value {
				return true
			}
		}
		return false
	}
	var groups [][]*corev1.Node
	for _, node := range x.snapshot.nodes {
		merged := []*corev1.Node{node}
		groups = slices.DeleteFunc(groups, func(group []*corev1.Node) bool {
			joined := slices.ContainsFunc(group, func(other *corev1.Node) bool { return share(node, other) })
			if joined {
				merged = append(merged, group...)
			}
			return joined
		})
		groups = append(groups, merged)
	}
	return groups
}

func (x *explorer) spent() bool { return x.orders >= OrdersMax || x.runs >= runsMax }

// exhausted reports, and notes, that the budget is spent.
func (x *explorer) exhausted() bool {
	if x.all && x.spent() {
		x.partial = true
	}
	return x.partial
}

// stage returns the distinct continuations of a cycle by one plugin that sees
// some of the evictions before it, at least one; exactly one unless all is set.
func (x *explorer) stage(st stage, prior []request, seen map[types.UID]bool) ([][]request, error) {
	x.evicted, x.seen = asked(prior), seen
	view := x.lists.seen(seen)
	switch st.plugin {
	case removeduplicates.PluginName:
		return x.duplicates(st, prior, view)
	case removepodsviolatingtopologyspreadconstraint.PluginName:
		return x.spread(st, prior, view)
	case nodeutilization.LowNodeUtilizationPluginName, nodeutilization.HighNodeUtilizationPluginName:
		return x.utilization(st, prior, view)
	default:
		return x.direct(st, prior, view)
	}
}

// direct explores a plugin that ranges over no map: the lists decide. All of
// these, but for anti-affinity, judge each pod by itself, so that their order
// matters only when a limit refuses some.
func (x *explorer) direct(st stage, prior []request, view lists) ([][]request, error) {
	outcomes := newOutcomes(x, prior)
	if !x.all {
		run, err := x.run(st, prior, view, x.nodes, live)
		if err != nil {
			return nil, err
		}
		outcomes.add(run.requests)
		return outcomes.list, nil
	}
	// Refused, a plugin goes on to ask for every pod it would evict in any
	// order. (Evicting can only end a violation of anti-affinity.)
	probe, err := x.run(st, prior, view, x.nodes, refuse)
	if err != nil {
		return nil, err
	}
	if len(probe.calls) == 0 {
		outcomes.add(nil)
		return outcomes.list, nil
	}
	for view := range x.podOrders(view, among(probe.calls), oneGroup) {
		run, err := x.run(st, prior, view, x.nodes, live)
		if err != nil {
			return nil, err
		}
		outcomes.add(run.requests)
		// An anti-affinity plugin that evicts none found no violation.
		choosing := st.plugin == removepodsviolatinginterpodantiaffinity.PluginName && len(run.requests) > 0
		if run.refused || choosing {
			x.require(needAll)
		} else if !x.orderMatters(run.requests, false) {
			break
		}
	}
	return outcomes.list, nil
}

// among returns a test for membership.
func among(pods []*corev1.Pod) func(*corev1.Pod) bool {
	members := make(map[types.UID]bool, len(pods))
	for _, pod := range pods {
		members[pod.UID] = true
	}
	return func(pod *corev1.Pod) bool { return members[pod.UID] }
}

func oneGroup(*corev1.Pod) string { return "" }

// run runs the real plugin once.
func (x *explorer) run(st stage, prior []request, view lists, nodes []*corev1.Node, m mode) (*session, error) {
	if err := x.ctx.Err(); err != nil {
		return nil, err
	}
	x.runs++
	x.orders++
	s := &session{snapshot: x.snapshot, stage: st.index, view: view, mode: m}
	if err := x.machine.begin(x.ctx, s, prior); err != nil {
		return nil, err
	}
	if status := st.run(x.ctx, slices.Clone(nodes)); status != nil && status.Err != nil {
		return nil, fmt.Errorf("run %s/%s: %w", st.profile, st.plugin, status.Err)
	}
	return s, nil
}

// ask sends requests for the given pods, in order, to the real evictor and
// returns those it takes. This is what a plugin does that collects pods first:
// it skips some pods after a limit error, namely those the same limit refuses.
func (x *explorer) ask(st stage, prior []request, pods []*corev1.Pod) (*session, error) {
	x.runs++
	x.orders++
	s := &session{snapshot: x.snapshot, stage: st.index, mode: live}
	if err := x.machine.begin(x.ctx, s, prior); err != nil {
		return nil, err
	}
	for _, pod := range pods {
		// A limit's refusal is an answer, not a failure.
		_ = x.machine.evict(x.ctx, pod, evictions.EvictOptions{ProfileName: st.profile, StrategyName: st.plugin})
	}
	if s.refused {
		x.require(needAll)
	}
	return s, nil
}

// outcomes collects request lists that differ as multisets of classes or, where it
// may be told, in order.
type outcomes struct {
	x     *explorer
	prior []request
	seen  map[string]bool
	list  [][]request
}

func newOutcomes(x *explorer, prior []request) *outcomes {
	return &outcomes{x: x, prior: prior, seen: map[string]bool{}}
}

func (o *outcomes) add(requests []request) {
	if !o.x.all {
		o.list = append(o.list, requests)
		return
	}
	if key := o.x.key(slices.Concat(o.prior, requests)) + "/" + o.x.order(requests); !o.seen[key] {
		o.seen[key] = true
		o.list = append(o.list, requests)
	}
}

func single(view lists) iter.Seq[lists] {
	return func(yield func(lists) bool) { yield(view) }
}

// podOrders yields the orders of each node's relevant pods, up to exchange of
// pods of one class, pods of different groups keeping apart: an order between
// groups must not matter to the plugin. The rest of a list follows.
func (x *explorer) podOrders(view lists, relevant func(*corev1.Pod) bool, group func(*corev1.Pod) string) iter.Seq[lists] {
	if !x.all {
		return single(view)
	}
	return func(yield func(lists) bool) {
		base := maps.Clone(view)
		var slots [][]*corev1.Pod
		for _, node := range slices.Sorted(maps.Keys(view)) {
			groups := map[string][]*corev1.Pod{}
			var rest []*corev1.Pod
			for _, pod := range view[node] {
				if relevant(pod) {
					groups[group(pod)] = append(groups[group(pod)], pod)
				} else {
					rest = append(rest, pod)
				}
			}
			arranged := make([]*corev1.Pod, 0, len(view[node]))
			for _, name := range slices.Sorted(maps.Keys(groups)) {
				start := len(arranged)
				arranged = append(arranged, groups[name]...)
				slots = append(slots, arranged[start:len(arranged):len(arranged)])
			}
			base[node] = append(arranged, rest...)
		}
		x.permuteSlots(slots, func() bool {
			fresh := make(lists, len(base))
			for node, pods := range base {
				fresh[node] = slices.Clone(pods)
			}
			return yield(fresh)
		})
	}
}

// permuteSlots visits the product of the slots' permutations, writing each in
// place; false stops it.
func (x *explorer) permuteSlots(slots [][]*corev1.Pod, visit func() bool) bool {
	if len(slots) == 0 {
		return visit()
	}
	slot := slots[0]
	pods := slices.Clone(slot)
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int { return x.exchangeable(a) - x.exchangeable(b) })
	classes := make([]int, len(pods))
	members := map[int][]*corev1.Pod{}
	for i, pod := range pods {
		classes[i] = x.exchangeable(pod)
		members[classes[i]] = append(members[classes[i]], pod)
	}
	for order := range permutations(classes) {
		next := map[int]int{}
		for i, class := range order {
			slot[i] = members[class][next[class]]
			next[class]++
		}
		if !x.permuteSlots(slots[1:], visit) {
			return false
		}
		if x.exhausted() {
			return false
		}
	}
	return true
}

// exchangeable numbers the classes of pods that may change places in a list:
// of one class, and both or neither evicted earlier in this cycle, and seen so.
func (x *explorer) exchangeable(pod *corev1.Pod) int {
	number := 3 * x.snapshot.class[pod.UID]
	if x.seen[pod.UID] {
		number += 2
	} else if x.evicted[pod.UID] {
		number++
	}
	return number
}
