package assumption

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

const (
	// sizeMin is the least size of the default pool: with one node a drain
	// stops everything. sizeMax is the confident size.
	sizeMin, sizeMax = 2, 6
	// searchMax is the largest size that is tried for all pods to run.
	searchMax = 32
	// zones is over how many domains default nodes are spread where a workload
	// asks for a topology beyond the hostname.
	zones = 3
)

// defaultPool adds nodes that can run every pod: from the smallest size at
// which all run, at least two, up to six.
func defaultPool(in *manifest.Input, spec *scenario.Spec, exact bool, runs Runs) ([]string, error) {
	pods := templates(in)
	shape := smallestNode(in, pods)
	labels, conflicts := wantedLabels(pods)
	keys := topologyKeys(pods)
	pools := func(total int) []scenario.NodePool {
		return makePools(total, max(total, sizeMax), shape, labels, keys)
	}
	best, most := sizeMin, -1
	for n := sizeMin; n <= searchMax; n++ {
		spec.NodePools = pools(n)
		running, wanted, err := runs(in)
		if err != nil {
			return nil, err
		}
		if running > most {
			best, most = n, running
		}
		if running >= wanted || n >= sizeMax && running == most && n > best+sizeMin {
			break // all run, or more nodes do not help
		}
	}
	spec.NodePools = pools(best)
	number := fmt.Sprint(best)
	if !exact && best < sizeMax {
		number += fmt.Sprintf(" to %d", sizeMax)
	}
	line := fmt.Sprintf("no nodes given: %s of %s cpu, %s memory", number, shape.Cpu(), shape.Memory())
	if len(keys) > 0 {
		line += fmt.Sprintf(", over %d values of %s", zones, strings.Join(keys, ", "))
	}
	lines := []string{line}
	if len(labels) > 0 {
		var said []string
		for _, k := range slices.Sorted(maps.Keys(labels)) {
			said = append(said, k+"="+labels[k])
		}
		lines = append(lines, "every node has the labels that pods ask for: "+strings.Join(said, ", "))
	}
	if len(conflicts) > 0 {
		lines = append(lines, "pods ask for several values of "+strings.Join(conflicts, ", ")+"; nodes have the first")
	}
	return lines, nil
}

// makePools are the default nodes, total at least and most at most: one pool,
// or one for each zone, which grow together.
func makePools(total, most int, shape corev1.ResourceList, labels map[string]string, keys []string) []scenario.NodePool {
	names := []string{"node"}
	if len(keys) > 0 {
		names = []string{"zone-a", "zone-b", "zone-c"}
	}
	var out []scenario.NodePool
	for i, name := range names {
		p := scenario.NodePool{Name: name, Min: (total + len(names) - 1 - i) / len(names), Max: (most + len(names) - 1 - i) / len(names)}
		if len(names) > 1 {
			p.Group = "default"
		}
		p.Template.Metadata.Labels = maps.Clone(labels)
		if p.Template.Metadata.Labels == nil {
			p.Template.Metadata.Labels = map[string]string{}
		}
		for _, k := range keys {
			if _, fixed := labels[k]; !fixed {
				p.Template.Metadata.Labels[k] = name
			}
		}
		p.Template.Status.Allocatable = shape
		p.Template.Status.Capacity = shape
		out = append(out, p)
	}
	return out
}

// templates are the pods that the input's workloads make, one of each.
func templates(in *manifest.Input) []*corev1.Pod {
	var out []*corev1.Pod
	for _, o := range in.Deployments {
		out = append(out, manifest.PodOf(&o.Value.Spec.Template, o.Value.Namespace, o.Value.Name))
	}
	for _, o := range in.ReplicaSets {
		out = append(out, manifest.PodOf(&o.Value.Spec.Template, o.Value.Namespace, o.Value.Name))
	}
	for _, o := range in.Pods {
		out = append(out, o.Value)
	}
	return out
}

// roomFactor is how many times all pods of the input have room on one default
// node: what is not known of the nodes is not to be what a finding rests on.
const roomFactor = 8

// smallestNode has room for all pods of the input several times over: 4 cpu and
// 16Gi, or the next doubling; other resources likewise.
func smallestNode(in *manifest.Input, pods []*corev1.Pod) corev1.ResourceList {
	shape := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("100Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}
	want := corev1.ResourceList{}
	for i, p := range pods {
		requests := maps.Clone(resourcehelper.PodRequests(p, resourcehelper.PodResourcesOptions{}))
		if requests == nil {
			requests = corev1.ResourceList{}
		}
		requests[corev1.ResourcePods] = resource.MustParse("1")
		for name, q := range requests {
			sum := want[name]
			for range roomFactor * replicas(in, i) {
				sum.Add(q)
			}
			want[name] = sum
		}
	}
	for name, q := range want {
		have, known := shape[name]
		if !known {
			have = q.DeepCopy()
		}
		for n := 0; n < 40 && have.Cmp(q) < 0; n++ {
			have = twice(have)
		}
		shape[name] = have
	}
	return shape
}

// replicas is how many pods the i-th of the templates makes at most.
func replicas(in *manifest.Input, i int) int {
	n := int32(1)
	switch sets := i - len(in.Deployments); {
	case sets < 0:
		d := in.Deployments[i].Value
		n = *d.Spec.Replicas
		for _, o := range in.Autoscalers {
			if t := target(in, o.Value); t == d {
				n = max(n, min(o.Value.Spec.MaxReplicas, podsMax))
			}
		}
	case sets < len(in.ReplicaSets):
		n = *in.ReplicaSets[sets].Value.Spec.Replicas
	}
	return int(min(n, podsMax))
}

func twice(q resource.Quantity) resource.Quantity {
	out := q.DeepCopy()
	out.Add(q)
	return out
}

// wantedLabels are those that the pods' node selectors and required node
// affinity ask for. Where pods ask for several values of one key, it is a
// conflict, and the first one stands.
func wantedLabels(pods []*corev1.Pod) (labels map[string]string, conflicts []string) {
	labels = map[string]string{}
	want := func(key, value string) {
		if key == corev1.LabelHostname {
			return
		}
		if has, ok := labels[key]; ok && has != value {
			if !slices.Contains(conflicts, key) {
				conflicts = append(conflicts, key)
			}
			return
		}
		labels[key] = value
	}
	for _, p := range pods {
		for _, key := range slices.Sorted(maps.Keys(p.Spec.NodeSelector)) {
			want(key, p.Spec.NodeSelector[key])
		}
		a := p.Spec.Affinity
		if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
			continue
		}
		terms := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
		if len(terms) == 0 {
			continue
		}
		for _, e := range terms[0].MatchExpressions { // one term is enough
			switch e.Operator {
			case corev1.NodeSelectorOpIn:
				if value, ok := labels[e.Key]; !ok || !slices.Contains(e.Values, value) {
					want(e.Key, e.Values[0])
				}
			case corev1.NodeSelectorOpExists:
				if _, ok := labels[e.Key]; !ok {
					want(e.Key, "")
				}
			}
		}
	}
	slices.Sort(conflicts)
	return labels, conflicts
}

// topologyKeys are those beyond the hostname that constraints and affinities of
// the pods spread over.
func topologyKeys(pods []*corev1.Pod) []string {
	var out []string
	note := func(key string) {
		if key != "" && key != corev1.LabelHostname && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	terms := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for _, t := range required {
			note(t.TopologyKey)
		}
		for _, t := range preferred {
			note(t.PodAffinityTerm.TopologyKey)
		}
	}
	for _, p := range pods {
		for _, c := range p.Spec.TopologySpreadConstraints {
			note(c.TopologyKey)
		}
		if a := p.Spec.Affinity; a != nil {
			if a.PodAffinity != nil {
				terms(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
			}
			if a.PodAntiAffinity != nil {
				terms(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
			}
		}
	}
	slices.Sort(out)
	return out
}
