package descheduler

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodeutil "sigs.k8s.io/descheduler/pkg/descheduler/node"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/nodeutilization"
	"sigs.k8s.io/descheduler/pkg/utils"
)

// utilization explores LowNodeUtilization and HighNodeUtilization. They sort
// their source nodes by usage; nodes of equal usage stay in the order of a map
// range, which no argument commands. So each order of tied nodes is awaited:
// the plugin runs until it has taken the nodes in that order, which shows in
// the pods it tests for evictability.
func (x *explorer) utilization(st stage, prior []request, view lists) ([][]request, error) {
	outcomes := newOutcomes(x, prior)
	probe, err := x.run(st, prior, view, x.nodes, refuse)
	if err != nil {
		return nil, err
	}
	sources := nodesOf(probe.trace)
	if len(probe.calls) == 0 {
		outcomes.add(nil)
		return outcomes.list, nil
	}
	groups, err := x.tiedNodes(st, view, sources)
	if err != nil {
		return nil, err
	}
	for view := range x.podOrders(view, among(probe.calls), oneGroup) {
		for order := range x.tieOrders(open(groups)) {
			run, err := x.await(st, prior, view, order)
			if err != nil {
				return nil, err
			}
			outcomes.add(run.requests)
			if run.refused {
				x.require(needAll)
			}
			if x.exhausted() && len(outcomes.list) > 0 {
				return outcomes.list, nil
			}
		}
	}
	return outcomes.list, nil
}

// tieOrders yields what the explorer is to try: all orders, or the ties' own.
func (x *explorer) tieOrders(ties []tie[string]) iter.Seq[[]string] {
	if x.all {
		return tiedOrders(ties)
	}
	return func(yield func([]string) bool) {
		var order []string
		for _, tie := range ties {
			order = append(order, tie.elements...)
		}
		yield(order)
	}
}

// await runs the plugin until it visits its source nodes in the given order
// or, stopping early, in a beginning of it.
func (x *explorer) await(st stage, prior []request, view lists, order []string) (*session, error) {
	nodes := arrange(x.nodes, nodeName, order)
	return x.retry(st, func() (*session, error) { return x.run(st, prior, view, nodes, live) },
		func(run *session) bool {
			visited := nodesOf(run.trace)
			return slices.Equal(visited, order[:min(len(visited), len(order))])
		})
}

// retry runs until the order wanted has shown. Out of patience, an exploration
// keeps the last run, which is real too, and is partial; a single cycle fails.
func (x *explorer) retry(st stage, once func() (*session, error), accept func(*session) bool) (*session, error) {
	spent := x.orders + 1
	defer func() { x.orders = spent }()
	for try := 1; ; try++ {
		run, err := once()
		if err != nil || accept(run) {
			return run, err
		}
		if try < retriesMax && !(x.all && x.runs >= runsMax) {
			continue
		}
		if !x.all {
			return nil, fmt.Errorf("run %s/%s: %d runs did not show the wanted order of ties", st.profile, st.plugin, try)
		}
		x.partial = true
		return run, nil
	}
}

// nodesOf lists the nodes of the pods in order of first appearance.
func nodesOf(pods []*corev1.Pod) []string {
	var nodes []string
	for _, pod := range pods {
		if !slices.Contains(nodes, pod.Spec.NodeName) {
			nodes = append(nodes, pod.Spec.NodeName)
		}
	}
	return nodes
}

// tiedNodes groups the source nodes, given in order of usage, by equal usage,
// each group in the cycle's node order. Usage is summed as the plugin's sort
// does: milli-CPU plus the values of the other resources it looks at.
func (x *explorer) tiedNodes(st stage, view lists, sources []string) ([][]string, error) {
	names := map[corev1.ResourceName]bool{corev1.ResourceCPU: true, corev1.ResourceMemory: true, corev1.ResourcePods: true}
	switch args := st.args.(type) {
	case *nodeutilization.LowNodeUtilizationArgs:
		for name := range args.Thresholds {
			names[name] = true
		}
	case *nodeutilization.HighNodeUtilizationArgs:
		for name := range args.Thresholds {
			names[name] = true
		}
	}
	resources := slices.Sorted(maps.Keys(names))
	var groups [][]string
	var last int64
	for _, node := range sources {
		pods := slices.DeleteFunc(slices.Clone(view[node]), func(pod *corev1.Pod) bool {
			return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		})
		usage, err := nodeutil.NodeUtilization(pods, resources, func(pod *corev1.Pod) (corev1.ResourceList, error) {
			requests, _ := utils.PodRequestsAndLimits(pod)
			return requests, nil
		})
		if err != nil {
			return nil, fmt.Errorf("sum usage of node %s: %w", node, err)
		}
		var sum int64
		for name, quantity := range usage {
			if name == corev1.ResourceCPU {
				sum += quantity.MilliValue()
			} else {
				sum += quantity.Value()
			}
		}
		if len(groups) > 0 && sum == last {
			groups[len(groups)-1] = append(groups[len(groups)-1], node)
		} else {
			groups = append(groups, []string{node})
		}
		last = sum
	}
	for _, group := range groups {
		copy(group, x.inNodeOrder(group))
	}
	return groups, nil
}

// inNodeOrder sorts names of nodes by the cycle's node order.
func (x *explorer) inNodeOrder(names []string) []string {
	var sorted []string
	for _, node := range x.nodes {
		if slices.Contains(names, node.Name) {
			sorted = append(sorted, node.Name)
		}
	}
	return sorted
}
