package descheduler

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/nodeutilization"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removeduplicates"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatinginterpodantiaffinity"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingtopologyspreadconstraint"
)

// course is a cycle so far.
type course struct {
	requests []request
	// shown is how many of the evictions, repeated requests left out, the watch
	// had delivered when a list was last read.
	shown int
}

// sight is what the lists that one stage reads show.
type sight struct {
	seen  map[types.UID]bool // pods seen terminating
	shown int
	// elsewhere: not in the cycle's order of nodes, but in another one.
	elsewhere bool
}

// telling returns the pods of which a stage may tell whether it sees them
// terminating: of no others does its outcome depend on what it sees. Plugins that
// choose among pods can tell the ones they may choose or count. The others judge
// each pod by itself, and asking again for one that is terminating changes nothing
// unless a limit counts it. (Node fit, a node's usage and the count of an owner's
// pods take terminating pods for pods.)
func (x *explorer) telling(st stage) (map[types.UID]bool, error) {
	if x.tell == nil {
		x.tell = make([]map[types.UID]bool, len(x.machine.stages))
	}
	if x.tell[st.index] != nil {
		return x.tell[st.index], nil
	}
	pods := map[types.UID]bool{}
	x.tell[st.index] = pods
	switch st.plugin {
	case removeduplicates.PluginName:
		x.tellOwned(pods)
		return pods, nil
	case removepodsviolatingtopologyspreadconstraint.PluginName:
		return pods, x.tellCounted(st, pods)
	case removepodsviolatinginterpodantiaffinity.PluginName,
		nodeutilization.LowNodeUtilizationPluginName, nodeutilization.HighNodeUtilizationPluginName:
	default:
		if !x.machine.limited {
			return pods, nil
		}
	}
	// Refused, a plugin asks for every pod that it asks for in any case.
	probe, err := x.run(st, nil, x.lists, x.snapshot.nodes, refuse)
	if err != nil {
		return nil, err
	}
	for _, pod := range slices.Concat(probe.calls, probe.trace) {
		pods[pod.UID] = true
	}
	return pods, nil
}

// tellOwned adds the pods that share an owner with others.
func (x *explorer) tellOwned(pods map[types.UID]bool) {
	owned := map[string][]*corev1.Pod{}
	for _, pod := range x.snapshot.pods {
		for _, owner := range pod.OwnerReferences {
			key := pod.Namespace + "/" + owner.Kind + "/" + owner.Name
			owned[key] = append(owned[key], pod)
		}
	}
	for _, same := range owned {
		for _, pod := range same {
			if len(same) > 1 {
				pods[pod.UID] = true
			}
		}
	}
}

// tellCounted adds the pods that carry a spread constraint or may be counted by one.
func (x *explorer) tellCounted(st stage, pods map[types.UID]bool) error {
	constraints, err := x.constraints(st, x.lists)
	if err != nil {
		return err
	}
	for _, c := range constraints {
		var selector labels.Selector
		for uid, carried := range c.carriers {
			pods[uid] = true
			if selector, err = metav1.LabelSelectorAsSelector(carried.LabelSelector); err != nil {
				return fmt.Errorf("read spread constraint of pod %s: %w", podName(x.snapshot.byUID[uid]), err)
			}
		}
		for _, pod := range x.snapshot.pods {
			if pod.Namespace == c.namespace && selector.Matches(labels.Set(pod.Labels)) {
				pods[pod.UID] = true
			}
		}
	}
	return nil
}

// future says which pods stages to come can tell of, and how many stages can.
type future struct {
	readers int
	pods    map[types.UID]bool
}

// later looks at the stages from that index on.
func (x *explorer) later(from int) (future, error) {
	f := future{pods: map[types.UID]bool{}}
	for _, st := range x.machine.stages[from:] {
		told, err := x.telling(st)
		if err != nil {
			return future{}, err
		}
		if len(told) > 0 {
			f.readers++
		}
		maps.Copy(f.pods, told)
	}
	return f, nil
}

// sights returns what a stage may see of the evictions before it.
//
// A stage reads the list of each node once, in the cycle's order of nodes, before
// it evicts from there, and the watch delivers evictions in their order. So each
// list shows a beginning of the evictions, which never gets shorter from list to
// list, nor from stage to stage. Of its own evictions a stage sees none that
// counts.
//
// Under all orders of nodes, a single earlier stage can have been seen with any
// beginning of its evictions on each node: let the nodes come in the order in which
// the last ones to be seen were evicted. Where nothing depends on the order of
// nodes, neither here nor, for want of further readers, later, these sights are
// taken for those of the one order at hand.
func (x *explorer) sights(st stage, prior course) ([]sight, error) {
	evicted := distinct(prior.requests)
	told, err := x.telling(st)
	if err != nil {
		return nil, err
	}
	var pending []request
	var nodes []string
	for _, r := range evicted[prior.shown:] {
		if told[r.pod.UID] {
			pending = append(pending, r)
			nodes = append(nodes, r.pod.Spec.NodeName)
		}
	}
	if len(pending) == 0 {
		return []sight{{seen: asked(evicted), shown: prior.shown}}, nil
	}
	var sights []sight
	nodes = x.inNodeOrder(nodes)
	d := delivery{evicted: evicted, told: told, visit: func(seen map[types.UID]bool, shown int) {
		sights = append(sights, sight{seen: seen, shown: shown})
	}}
	d.read(nodes, prior.shown, asked(evicted[:prior.shown]))
	if len(nodes) < 2 || x.need == needAll {
		return sights, nil
	}
	single := !slices.ContainsFunc(pending, func(r request) bool { return r.stage != pending[0].stage })
	if !single || x.need != needOne || x.ahead.readers > 0 {
		x.require(needAll)
		return sights, nil
	}
	return elsewhere(nodes, pending, asked(evicted[:prior.shown]), sights), nil
}

// delivery is how a watch may deliver evictions while lists are read.
type delivery struct {
	evicted []request
	told    map[types.UID]bool // the others do not matter
	visit   func(seen map[types.UID]bool, shown int)
}

// read visits what the lists of the given nodes, read in that order, may show, with
// no more delivered than must be.
func (d *delivery) read(nodes []string, shown int, seen map[types.UID]bool) {
	if len(nodes) == 0 {
		d.visit(seen, shown)
		return
	}
	seen = maps.Clone(seen)
	for _, r := range d.evicted[:shown] {
		if r.pod.Spec.NodeName == nodes[0] {
			seen[r.pod.UID] = true
		}
	}
	d.read(nodes[1:], shown, seen)
	for i, r := range d.evicted {
		if i >= shown && r.pod.Spec.NodeName == nodes[0] && d.told[r.pod.UID] {
			seen = maps.Clone(seen)
			seen[r.pod.UID] = true
			d.read(nodes[1:], i+1, seen)
		}
	}
}

// elsewhere adds the sights of other orders of nodes: any beginning of what is
// pending on each.
func elsewhere(nodes []string, pending []request, before map[types.UID]bool, sights []sight) []sight {
	known := map[string]bool{}
	for _, s := range sights {
		known[uidKey(s.seen)] = true
	}
	all := []map[types.UID]bool{before}
	for _, node := range nodes {
		for _, seen := range all {
			for _, r := range pending {
				if r.pod.Spec.NodeName == node {
					seen = maps.Clone(seen)
					seen[r.pod.UID] = true
					all = append(all, seen)
				}
			}
		}
	}
	for _, seen := range all {
		if !known[uidKey(seen)] {
			sights = append(sights, sight{seen: seen, elsewhere: true})
		}
	}
	return sights
}

// order names the order of the requests as far as stages to come can tell: by
// what a list of each node may show of them or, where more than one stage reads or
// the order of nodes matters, by all of it.
func (x *explorer) order(requests []request) string {
	requests = slices.DeleteFunc(distinct(requests), func(r request) bool { return !x.ahead.pods[r.pod.UID] })
	if !x.wholeOrder() {
		slices.SortStableFunc(requests, func(a, b request) int { return strings.Compare(a.pod.Spec.NodeName, b.pod.Spec.NodeName) })
	}
	var text strings.Builder
	for _, r := range requests {
		fmt.Fprintf(&text, "%d:%d ", r.stage, x.snapshot.class[r.pod.UID])
	}
	return text.String()
}

func (x *explorer) wholeOrder() bool { return x.ahead.readers > 1 || x.need != needOne }

// orderMatters tells whether another order of the requests, on each node or,
// with across, in all, could be told from this one by a stage to come.
func (x *explorer) orderMatters(requests []request, across bool) bool {
	class := map[string]int{}
	for _, r := range requests {
		if !x.ahead.pods[r.pod.UID] {
			continue
		}
		place := r.pod.Spec.NodeName
		if across && x.wholeOrder() {
			place = ""
		}
		if known, ok := class[place]; ok && known != x.snapshot.class[r.pod.UID] {
			return true
		}
		class[place] = x.snapshot.class[r.pod.UID]
	}
	return false
}

// asked is the set of pods asked for.
func asked(requests []request) map[types.UID]bool {
	set := make(map[types.UID]bool, len(requests))
	for _, r := range requests {
		set[r.pod.UID] = true
	}
	return set
}

// uidKey names a set of pods.
func uidKey[T any](set map[types.UID]T) string {
	var key strings.Builder
	for _, uid := range slices.Sorted(maps.Keys(set)) {
		fmt.Fprintf(&key, "%s ", uid)
	}
	return key.String()
}
