package descheduler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// duplicates explores RemoveDuplicates. The order of a node's pods of one
// owner says which of them count as originals; the plugin then evicts by
// ranging over maps of owners and, within each, of nodes, which matters only
// under limits.
func (x *explorer) duplicates(st stage, prior []request, view lists) ([][]request, error) {
	outcomes := newOutcomes(x, prior)
	first, err := x.run(st, prior, view, x.nodes, grant)
	if err != nil {
		return nil, err
	}
	// How many pods of an owner are surplus on a node depends on no order.
	surplus := map[string]bool{}
	for _, pod := range first.calls {
		surplus[pod.Spec.NodeName+" "+ownerKey(pod)] = true
	}
	relevant := func(pod *corev1.Pod) bool { return surplus[pod.Spec.NodeName+" "+ownerKey(pod)] }
	for view := range x.podOrders(view, relevant, ownerKey) {
		probe := first
		if x.all && len(first.calls) > 0 {
			if probe, err = x.run(st, prior, view, x.nodes, grant); err != nil {
				return nil, err
			}
		}
		owners := x.groupCalls(probe.calls)
		if err := x.eachOwnerOrder(owners, func(pods []*corev1.Pod) (bool, error) {
			asked, err := x.ask(st, prior, pods)
			if err != nil {
				return false, err
			}
			outcomes.add(asked.requests)
			return asked.refused || x.orderMatters(asked.requests, true), nil
		}); err != nil {
			return nil, err
		}
	}
	return outcomes.list, nil
}

// ownerKey names the owners and images that RemoveDuplicates tells pods by.
func ownerKey(pod *corev1.Pod) string {
	images := make([]string, len(pod.Spec.Containers))
	for i, container := range pod.Spec.Containers {
		images[i] = container.Image
	}
	slices.Sort(images)
	owners := make([]string, len(pod.OwnerReferences))
	for i, owner := range pod.OwnerReferences {
		owners[i] = owner.Kind + "/" + owner.Name
	}
	slices.Sort(owners)
	return fmt.Sprintf("%s %s %s", pod.Namespace, strings.Join(owners, "#"), strings.Join(images, "#"))
}

// ownerCalls are the pods of one owner to evict, by node.
type ownerCalls [][]*corev1.Pod

// groupCalls splits a run's calls by owner and node, owners by name and nodes
// in the cycle's order. A pod with several owners is asked for once per owner;
// the repeated calls stay in one group, next to each other.
func (x *explorer) groupCalls(calls []*corev1.Pod) []ownerCalls {
	rank := make(map[string]int, len(x.nodes))
	for i, node := range x.nodes {
		rank[node.Name] = i
	}
	sorted := slices.Clone(calls)
	slices.SortStableFunc(sorted, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(ownerKey(a), ownerKey(b)), rank[a.Spec.NodeName]-rank[b.Spec.NodeName])
	})
	var owners []ownerCalls
	for i, pod := range sorted {
		switch {
		case i == 0 || ownerKey(pod) != ownerKey(sorted[i-1]):
			owners = append(owners, ownerCalls{{pod}})
		case pod.Spec.NodeName != sorted[i-1].Spec.NodeName:
			last := len(owners) - 1
			owners[last] = append(owners[last], []*corev1.Pod{pod})
		default:
			nodes := owners[len(owners)-1]
			nodes[len(nodes)-1] = append(nodes[len(nodes)-1], pod)
		}
	}
	return owners
}

// eachOwnerOrder visits the orders in which the plugin may ask: owners in any
// order, nodes in any order within an owner. It stops when visit says that no
// other order can matter.
func (x *explorer) eachOwnerOrder(owners []ownerCalls, visit func([]*corev1.Pod) (bool, error)) error {
	var failed error
	var place func(rest []int, pods []*corev1.Pod) bool
	place = func(rest []int, pods []*corev1.Pod) bool {
		if len(rest) == 0 {
			var more bool
			more, failed = visit(pods)
			return more && failed == nil && x.all && !x.exhausted()
		}
		for nodes := range tiedOrders(open([][][]*corev1.Pod{owners[rest[0]]})) {
			if !place(rest[1:], slices.Concat(pods, slices.Concat(nodes...))) {
				return false
			}
		}
		return true
	}
	for order := range permutations(ascending(len(owners))) {
		if !place(order, nil) {
			break
		}
	}
	return failed
}
