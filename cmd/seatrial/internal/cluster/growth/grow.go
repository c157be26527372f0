package growth

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// Nodes returns in with its Node objects turned into pools from none to the
// confident size, one for nodes that are alike, and a line for each. Nodes that
// a pod template or selector names stay as they are. The given pods that are
// not held for another controller are placed anew. in, which has a Scenario,
// is not changed.
func Nodes(in *manifest.Input) (*manifest.Input, []string) {
	out, whole := *in, *in.Scenario.Value
	o := *in.Scenario
	o.Value, out.Scenario = &whole, &o
	spec := &whole.Spec
	spec.NodePools = slices.Clone(spec.NodePools)
	named := namedNodes(in)
	pools := map[string]int{}     // by content
	poolOf := map[string]string{} // by node
	like := map[string][]string{} // nodes by pool
	out.Nodes = nil
	for i := range in.Nodes {
		n := in.Nodes[i].Value
		if named[n.Name] || named[n.Labels[corev1.LabelHostname]] && n.Labels[corev1.LabelHostname] != "" {
			out.Nodes = append(out.Nodes, in.Nodes[i])
			continue
		}
		template := templateOf(n)
		raw, err := templateKey(template)
		if err != nil {
			raw = n.Name // never equal to another
		}
		k, ok := pools[raw]
		if !ok {
			k, pools[raw] = len(spec.NodePools), len(spec.NodePools)
			spec.NodePools = append(spec.NodePools, scenario.NodePool{Name: "like-" + n.Name, Template: template, Max: NodesMax})
		}
		name := spec.NodePools[k].Name
		poolOf[n.Name] = name
		like[name] = append(like[name], n.Name)
	}
	rename(spec, poolOf)
	out.Pods = slices.DeleteFunc(slices.Clone(in.Pods), func(p manifest.Object[*corev1.Pod]) bool {
		return poolOf[p.Value.Spec.NodeName] != "" || p.Value.Spec.NodeName == "" && len(p.Value.OwnerReferences) > 0
	})
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(like)) {
		lines = append(lines, fmt.Sprintf("--grow: 0 to %d nodes like %s; their pods are placed anew", NodesMax, strings.Join(like[name], ", ")))
	}
	return &out, lines
}

// templateOf is what nodes that are alike share.
func templateOf(n *corev1.Node) scenario.NodeTemplate {
	var t scenario.NodeTemplate
	t.Metadata.Labels = maps.Clone(n.Labels)
	delete(t.Metadata.Labels, corev1.LabelHostname)
	t.Spec.Taints = slices.DeleteFunc(slices.Clone(n.Spec.Taints), func(taint corev1.Taint) bool {
		return strings.HasPrefix(taint.Key, "node.kubernetes.io/") // those of its condition
	})
	t.Status.Allocatable, t.Status.Capacity = n.Status.Allocatable, n.Status.Allocatable
	t.Status.Images = n.Status.Images
	return t
}

// namedNodes are the names and hostnames that templates and the Scenario's
// manifests ask for.
func namedNodes(in *manifest.Input) map[string]bool {
	out := map[string]bool{}
	note := func(object any) {
		raw, err := json.Marshal(object)
		if err != nil {
			return
		}
		for i := range in.Nodes {
			if n := in.Nodes[i].Value.Name; strings.Contains(string(raw), `"`+n+`"`) {
				out[n] = true
			}
		}
	}
	for _, o := range in.Deployments {
		note(o.Value.Spec.Template.Spec)
	}
	for _, o := range in.ReplicaSets {
		note(o.Value.Spec.Template.Spec)
	}
	for _, e := range in.Scenario.Value.Spec.Events {
		note(e.Manifest)
	}
	for _, p := range in.Scenario.Value.Spec.Properties {
		note([]any{p.Always, p.EventuallyAlways, p.LeadsTo})
	}
	return out
}

// rename lets the scenario speak of a node's pool where it spoke of the node.
func rename(spec *scenario.Spec, poolOf map[string]string) {
	all := func(names []string) []string {
		var out []string
		for _, n := range names {
			if p, ok := poolOf[n]; ok {
				n = p
			}
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
		return out
	}
	spec.Events = slices.Clone(spec.Events)
	for i := range spec.Events {
		spec.Events[i].Nodes = all(spec.Events[i].Nodes)
	}
	spec.NodeCrash = slices.Clone(spec.NodeCrash)
	for i := range spec.NodeCrash {
		spec.NodeCrash[i].Nodes = all(spec.NodeCrash[i].Nodes)
	}
	spec.Properties = slices.Clone(spec.Properties)
	for i := range spec.Properties {
		if p, ok := poolOf[spec.Properties[i].Node]; ok {
			spec.Properties[i].Node = p
		}
	}
}
