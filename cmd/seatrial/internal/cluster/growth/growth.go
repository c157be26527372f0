// Package growth says which sizes of a cluster are checked. What a Scenario
// leaves variable (the size of a pool, the replicas of a workload) takes every
// value between its bounds up to the confident size, in every combination and
// from the smallest: failures are not monotone in size, so none is skipped.
package growth

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// The confident size: twice the largest minimal scale at which a known failure
// shows. A pool whose least size is above it is checked at that.
const (
	NodesMax       = 6
	PodsPerNodeMax = 6
)

// Setup is one cluster of a certain size.
type Setup struct {
	// Pools are the sizes of the Scenario's pools, Replicas those of its
	// variable workloads, both by index.
	Pools    []int
	Replicas []int32
	// Nodes and Pods are their sums, nodes that are given included.
	Nodes, Pods int
}

// Setups are all sizes of an input, in the order of their nodes, then their
// variable pods, then as written; at least one. Of those that differ only in
// the order of pools with one template there is one. With exact there is
// only the smallest.
func Setups(in *manifest.Input, exact bool) []Setup {
	spec := &in.Scenario.Value.Spec
	var out []Setup
	seen := map[string]bool{}
	for sizes := range poolSizes(spec.NodePools, exact) {
		nodes := len(in.Nodes)
		for _, n := range sizes {
			nodes += n
		}
		if key := symmetric(spec, sizes); nodes == 0 || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for replicas := range replicaCounts(spec.Replicas, nodes, exact) {
			s := Setup{Pools: sizes, Replicas: replicas, Nodes: nodes}
			for _, n := range replicas {
				s.Pods += int(n)
			}
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Setup) int { return cmp.Or(a.Nodes-b.Nodes, a.Pods-b.Pods) })
	if exact && len(out) == 0 {
		all := Setups(in, false)
		return all[:min(1, len(all))] // every pool may be empty
	}
	return out
}

// Apply returns in at the size of s.
func (s Setup) Apply(in *manifest.Input) *manifest.Input {
	out, whole := *in, *in.Scenario.Value
	o := *in.Scenario
	o.Value, out.Scenario = &whole, &o
	spec := &whole.Spec
	spec.NodePools = slices.Clone(spec.NodePools)
	for i, n := range s.Pools {
		spec.NodePools[i].Min, spec.NodePools[i].Max = n, n
	}
	if len(s.Replicas) == 0 {
		return &out
	}
	out.Deployments = slices.Clone(in.Deployments)
	for i, n := range s.Replicas {
		for k := range out.Deployments {
			if named(spec.Replicas[i].Workload, out.Deployments[k].Value) {
				d := out.Deployments[k].Value.DeepCopy()
				d.Spec.Replicas = &n
				out.Deployments[k].Value = d
			}
		}
	}
	return &out
}

// String is the size in words: pools a=1 b=2, web with 3 replicas.
func (s Setup) String(in *manifest.Input) string {
	spec := &in.Scenario.Value.Spec
	var said []string
	for i, n := range s.Pools {
		said = append(said, fmt.Sprintf("%s=%d", spec.NodePools[i].Name, n))
	}
	for i, n := range s.Replicas {
		said = append(said, fmt.Sprintf("%s×%d", spec.Replicas[i].Workload.Name, n))
	}
	return strings.Join(said, " ")
}

func named(w scenario.Workload, d *appsv1.Deployment) bool {
	w = w.WithDefaults()
	return w.Kind == "Deployment" && w.Namespace == d.Namespace && w.Name == d.Name
}

// poolSizes are all combinations of the pools' sizes; pools of one group grow
// together, a node at a time in turn.
func poolSizes(pools []scenario.NodePool, exact bool) iter.Seq[[]int] {
	var groups [][]int
	at := map[string]int{}
	for i, p := range pools {
		if k, ok := at[p.Group]; ok && p.Group != "" {
			groups[k] = append(groups[k], i)
			continue
		}
		at[p.Group] = len(groups)
		groups = append(groups, []int{i})
	}
	return func(yield func([]int) bool) {
		sizes := make([]int, len(pools))
		var choose func(g int) bool
		choose = func(g int) bool {
			if g == len(groups) {
				return yield(slices.Clone(sizes))
			}
			least, most := 0, 0
			for _, i := range groups[g] {
				least, most = least+pools[i].Min, most+max(pools[i].Min, pools[i].Max)
			}
			most = max(least, min(most, NodesMax))
			if exact {
				most = least
			}
			for n := least; n <= most; n++ {
				for k, i := range groups[g] {
					sizes[i] = (n + len(groups[g]) - 1 - k) / len(groups[g])
				}
				if !choose(g + 1) {
					return false
				}
			}
			return true
		}
		choose(0)
	}
}

// replicaCounts are all combinations of the variable workloads' replicas on so
// many nodes.
func replicaCounts(variable []scenario.Replicas, nodes int, exact bool) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		counts := make([]int32, len(variable))
		var choose func(i int) bool
		choose = func(i int) bool {
			if i == len(variable) {
				return yield(slices.Clone(counts))
			}
			v := variable[i]
			perNode := int32(PodsPerNodeMax)
			if v.PerNode != nil {
				perNode = *v.PerNode
			}
			most := perNode * int32(nodes)
			if v.Max != nil {
				most = min(most, *v.Max)
			}
			if most = max(most, v.Min); exact {
				most = v.Min
			}
			for n := v.Min; n <= most; n++ {
				counts[i] = n
				if !choose(i + 1) {
					return false
				}
			}
			return true
		}
		choose(0)
	}
}

// symmetric is equal for sizes that differ only in the order of pools with one
// template, none of which the scenario tells apart.
func symmetric(spec *scenario.Spec, sizes []int) string {
	type kept struct {
		template string
		size     int
	}
	var all []kept
	for i, p := range spec.NodePools {
		template := fmt.Sprintf("#%d", i)
		if raw, err := templateKey(p.Template); err == nil && !mentions(spec, p.Name) && p.Group == "" {
			template = fmt.Sprintf("%s %d %d", raw, p.Min, p.Max)
		}
		all = append(all, kept{template, sizes[i]})
	}
	slices.SortStableFunc(all, func(a, b kept) int { return cmp.Or(strings.Compare(a.template, b.template), a.size-b.size) })
	return fmt.Sprint(all)
}
