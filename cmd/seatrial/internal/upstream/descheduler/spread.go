package descheduler

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	spreadplugin "sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingtopologyspreadconstraint"
)

// spread explores RemovePodsViolatingTopologySpreadConstraint.
//
// The plugin balances each constraint of each namespace by itself on one list
// of pods and evicts the union of what it picked, in map order. Within a
// constraint, domains of equal size stay in map order, which decides from
// which of them it takes a pod. To cover these orders independently the real
// plugin is run once per constraint, on pods that carry only that one, and
// until the tied domains have come in the order wanted, which shows in the
// pods it compares.
func (x *explorer) spread(st stage, prior []request, view lists) ([][]request, error) {
	outcomes := newOutcomes(x, prior)
	constraints, err := x.constraints(st, view)
	if err != nil {
		return nil, err
	}
	// How large the domains are does not depend on any order, so one run says
	// which constraints are out of balance and which domains can give pods.
	relevant := map[types.UID]bool{}
	var unbalanced []*constraint
	for _, c := range constraints {
		probe, err := x.probeMoves(st, prior, c.isolate(view))
		if err != nil {
			return nil, err
		}
		if len(probe.calls) == 0 {
			continue
		}
		x.tiedDomains(c, probe)
		if x.all && x.countDomains(c) > stableMax {
			x.partial = true
		}
		if domains, _ := x.domains(c, probe.trace); len(nodesOf(probe.trace)) > len(domains) {
			x.require(needDomains) // the plugin lists a domain node by node
		}
		unbalanced = append(unbalanced, c)
		for _, pod := range probe.trace {
			relevant[pod.UID] = relevant[pod.UID] || c.gives(x, pod)
		}
	}
	orders := x.podOrders(view, func(pod *corev1.Pod) bool { return relevant[pod.UID] },
		func(pod *corev1.Pod) string { return pod.Namespace })
	picked := map[string]bool{}
	for view := range orders {
		unions, err := x.unions(st, prior, view, unbalanced)
		if err != nil {
			return nil, err
		}
		for _, union := range unions {
			if key := x.pickKey(union); picked[key] {
				continue
			} else if x.all {
				picked[key] = true
			}
			if err := x.askAnyOrder(st, prior, union, outcomes); err != nil {
				return nil, err
			}
		}
		if x.exhausted() && len(outcomes.list) > 0 {
			break
		}
	}
	return outcomes.list, nil
}

// constraint is one topology spread constraint of a namespace as the plugin
// tells them apart, with the pods that carry it.
type constraint struct {
	namespace string
	key       string
	carriers  map[types.UID]corev1.TopologySpreadConstraint
	ties      []tie[string] // domains of two pods or more, by size, smallest first
}

// probeMoves runs the plugin with its tests of fit off, so that the calls are
// all pods it takes from their domains. How many each domain gives follows
// from the domains' sizes alone.
func (x *explorer) probeMoves(st stage, prior []request, isolated lists) (*session, error) {
	args := st.args.(*spreadplugin.RemovePodsViolatingTopologySpreadConstraintArgs)
	fit := args.TopologyBalanceNodeFit
	args.TopologyBalanceNodeFit = ptr.To(false)
	defer func() { args.TopologyBalanceNodeFit = fit }()
	return x.run(st, prior, isolated, x.nodes, grantAll)
}

// isolate returns the lists with only this constraint left on the pods.
func (c *constraint) isolate(view lists) lists {
	isolated := make(lists, len(view))
	for node, pods := range view {
		stripped := slices.Clone(pods)
		for i, pod := range pods {
			if len(pod.Spec.TopologySpreadConstraints) == 0 {
				continue
			}
			lone := *pod
			lone.Spec.TopologySpreadConstraints = nil
			if carried, ok := c.carriers[pod.UID]; ok {
				lone.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{carried}
			}
			stripped[i] = &lone
		}
		isolated[node] = stripped
	}
	return isolated
}

// constraints lists the distinct constraints on the listed pods in a fixed
// order. Two are one if skew, key, selector with the pod's values of
// matchLabelKeys, policies and, where a policy honours them, node affinity and
// tolerations are equal: the plugin balances those once.
func (x *explorer) constraints(st stage, view lists) ([]*constraint, error) {
	args := st.args.(*spreadplugin.RemovePodsViolatingTopologySpreadConstraintArgs)
	found := map[string]*constraint{}
	for _, node := range x.nodes {
		for _, pod := range view[node.Name] {
			for _, carried := range pod.Spec.TopologySpreadConstraints {
				if !slices.Contains(args.Constraints, carried.WhenUnsatisfiable) {
					continue
				}
				identity, err := constraintIdentity(pod, carried)
				if err != nil {
					return nil, err
				}
				if found[identity] == nil {
					found[identity] = &constraint{
						namespace: pod.Namespace, key: carried.TopologyKey,
						carriers: map[types.UID]corev1.TopologySpreadConstraint{},
					}
				}
				found[identity].carriers[pod.UID] = carried
			}
		}
	}
	constraints := make([]*constraint, 0, len(found))
	for _, identity := range slices.Sorted(maps.Keys(found)) {
		constraints = append(constraints, found[identity])
	}
	return constraints, nil
}

func constraintIdentity(pod *corev1.Pod, c corev1.TopologySpreadConstraint) (string, error) {
	identity := struct {
		Namespace, Key   string
		MaxSkew          int32
		Selector         any
		MatchLabels      map[string]string
		Affinity, Taints corev1.NodeInclusionPolicy
		NodeSelector     map[string]string
		NodeAffinity     *corev1.NodeSelector
		Tolerations      []corev1.Toleration
	}{
		Namespace: pod.Namespace, Key: c.TopologyKey, MaxSkew: c.MaxSkew, Selector: c.LabelSelector,
		MatchLabels: map[string]string{},
		Affinity:    ptr.Deref(c.NodeAffinityPolicy, corev1.NodeInclusionPolicyHonor),
		Taints:      ptr.Deref(c.NodeTaintsPolicy, corev1.NodeInclusionPolicyIgnore),
	}
	for _, key := range c.MatchLabelKeys {
		if value, ok := pod.Labels[key]; ok {
			identity.MatchLabels[key] = value
		}
	}
	if identity.Affinity == corev1.NodeInclusionPolicyHonor {
		identity.NodeSelector = pod.Spec.NodeSelector
		if affinity := pod.Spec.Affinity; affinity != nil && affinity.NodeAffinity != nil {
			identity.NodeAffinity = affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		}
	}
	if identity.Taints == corev1.NodeInclusionPolicyHonor {
		identity.Tolerations = pod.Spec.Tolerations
	}
	encoded, err := json.Marshal(identity)
	if err != nil {
		return "", fmt.Errorf("compare spread constraints of pod %s: %w", podName(pod), err)
	}
	return string(encoded), nil
}

// domains lists the domains of the pods compared, in order of first
// appearance, with their numbers of pods. Domains of fewer than two pods are
// never compared; nor can they give any, since maxSkew is at least 1.
func (x *explorer) domains(c *constraint, trace []*corev1.Pod) ([]string, map[string]int) {
	domain := make(map[string]string, len(x.nodes))
	for _, node := range x.nodes {
		domain[node.Name] = node.Labels[c.key]
	}
	var order []string
	size := map[string]int{}
	counted := map[types.UID]bool{}
	for _, pod := range trace {
		if counted[pod.UID] {
			continue
		}
		counted[pod.UID] = true
		value := domain[pod.Spec.NodeName]
		if size[value] == 0 {
			order = append(order, value)
		}
		size[value]++
	}
	return order, size
}

// stableMax is the number of domains up to which the plugin's sort keeps
// domains of equal size in the order in which it met them, which is what the
// trace shows: up to twelve elements sort.Slice sorts by insertion.
const stableMax = 12

func (x *explorer) countDomains(c *constraint) int {
	values := map[string]bool{}
	for _, node := range x.nodes {
		values[node.Labels[c.key]] = true
	}
	return len(values)
}

// tiedDomains groups the domains by size, each group in the order in which the
// cycle's nodes first show its domains. The plugin takes pods from the largest
// on down until the rest is within the average, so that of equal domains the
// last ones give, and the order of the others does not matter.
func (x *explorer) tiedDomains(c *constraint, probe *session) {
	order, size := x.domains(c, probe.trace)
	givers, _ := x.domains(c, probe.calls)
	rank := map[string]int{}
	for i, node := range slices.Backward(x.nodes) {
		rank[node.Labels[c.key]] = i
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(size[a]-size[b], rank[a]-rank[b]) })
	c.ties = nil
	for i, value := range order {
		if i == 0 || size[value] != size[order[i-1]] {
			c.ties = append(c.ties, tie[string]{})
		}
		last := &c.ties[len(c.ties)-1]
		last.elements = append(last.elements, value)
		if slices.Contains(givers, value) {
			last.tail++
		}
	}
}

// gives reports whether a pod's domain is as large as one that gives pods.
func (c *constraint) gives(x *explorer, pod *corev1.Pod) bool {
	for _, node := range x.nodes {
		if node.Name != pod.Spec.NodeName {
			continue
		}
		for _, tie := range c.ties {
			if tie.tail > 0 && slices.Contains(tie.elements, node.Labels[c.key]) {
				return true
			}
		}
	}
	return false
}

// shows reports whether the giving domains come in the order wanted.
func (c *constraint) shows(order, wanted []string) bool {
	if len(order) != len(wanted) {
		return false
	}
	end := 0
	for _, tie := range c.ties {
		end += len(tie.elements)
		if !slices.Equal(order[end-tie.tail:end], wanted[end-tie.tail:end]) {
			return false
		}
	}
	return true
}

// pick is a set of pods by UID.
type pick map[types.UID]*corev1.Pod

// unions returns what the plugin may pick on one order of the lists: for every
// constraint one of its picks.
func (x *explorer) unions(st stage, prior []request, view lists, constraints []*constraint) ([]pick, error) {
	unions := []pick{{}}
	for _, c := range constraints {
		picks, err := x.picks(st, prior, view, c)
		if err != nil {
			return nil, err
		}
		var wider []pick
		known := map[string]bool{}
		for _, union := range unions {
			for _, picked := range picks {
				both := maps.Clone(union)
				maps.Copy(both, picked)
				if key := uidKey(both); !known[key] {
					known[key] = true
					wider = append(wider, both)
				}
			}
		}
		unions = wider
	}
	return unions, nil
}

// picks returns the distinct picks for one constraint over the orders of its
// tied domains.
func (x *explorer) picks(st stage, prior []request, view lists, c *constraint) ([]pick, error) {
	isolated := c.isolate(view)
	known := map[string]bool{}
	var picks []pick
	for order := range x.tieOrders(c.ties) {
		picked, err := x.awaitDomains(st, prior, isolated, c, order)
		if err != nil {
			return nil, err
		}
		if key := uidKey(picked); !known[key] {
			known[key] = true
			picks = append(picks, picked)
		}
		if x.exhausted() && len(picks) > 0 {
			break
		}
	}
	return picks, nil
}

// awaitDomains runs the plugin until tied domains come in the given order.
func (x *explorer) awaitDomains(st stage, prior []request, isolated lists, c *constraint, order []string) (pick, error) {
	rank := make(map[string]int, len(order))
	for i, value := range order {
		rank[value] = i
	}
	nodes := slices.Clone(x.nodes)
	slices.SortStableFunc(nodes, func(a, b *corev1.Node) int {
		return cmp.Compare(rank[a.Labels[c.key]], rank[b.Labels[c.key]])
	})
	run, err := x.retry(st, func() (*session, error) { return x.run(st, prior, isolated, nodes, grant) },
		func(run *session) bool {
			shown, size := x.domains(c, run.trace)
			slices.SortStableFunc(shown, func(a, b string) int { return size[a] - size[b] })
			return c.shows(shown, order)
		})
	if err != nil {
		return nil, err
	}
	picked := make(pick, len(run.calls))
	for _, pod := range run.calls {
		picked[pod.UID] = pod
	}
	return picked, nil
}

// pickKey names a pick up to exchange of equal pods.
func (x *explorer) pickKey(picked pick) string {
	if !x.all {
		return uidKey(picked)
	}
	classes := make([]int, 0, len(picked))
	for _, pod := range picked {
		classes = append(classes, x.exchangeable(pod))
	}
	slices.Sort(classes)
	return fmt.Sprint(classes)
}

// askAnyOrder adds the outcomes of asking for the picked pods: in any order
// once a limit refuses some or later stages may see some, as the plugin ranges
// over a map.
func (x *explorer) askAnyOrder(st stage, prior []request, picked pick, outcomes *outcomes) error {
	var pods []*corev1.Pod
	for _, node := range x.nodes {
		for _, pod := range x.lists[node.Name] {
			if picked[pod.UID] != nil {
				pods = append(pods, x.snapshot.byUID[pod.UID])
			}
		}
	}
	var failed error
	x.permuteSlots([][]*corev1.Pod{pods}, func() bool {
		var asked *session
		if asked, failed = x.ask(st, prior, pods); failed != nil {
			return false
		}
		outcomes.add(asked.requests)
		return x.all && (asked.refused || x.orderMatters(asked.requests, true))
	})
	return failed
}
