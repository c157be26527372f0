package model

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/scheduler"
)

func labelsOf(r *Revision) labels.Set { return r.Pod.Labels }

// Ref points at a field of the workload's object.
func (w *WorkloadSpec) Ref(path, message string) Ref {
	return Ref{Source: w.Source, Path: path, Message: message}
}

// Priority of the pods of a revision.
func (w *WorkloadSpec) Priority(rev uint8) int32 {
	if p := w.Revisions[rev].Pod.Spec.Priority; p != nil {
		return *p
	}
	return 0
}

// Ref points at a field of the pod template.
func (r *Revision) Ref(path, message string) Ref {
	return Ref{Source: r.Source, Path: join(r.Path, path), Message: message}
}

// pluginFields are the parts of a pod template that a scheduler plugin reads.
var pluginFields = map[string][2]string{
	"InterPodAffinity": {"spec.affinity", "the pod affinity or anti-affinity rejects nodes"},
	"NodeResourcesFit": {"spec.containers[0].resources.requests", "does not fit on some nodes"},
	"NodeAffinity":     {"spec.affinity.nodeAffinity", "admits only some nodes"},
	"TaintToleration":  {"spec.tolerations", "do not tolerate the taints of some nodes"},
	"NodePorts":        {"spec.containers[0].ports", "are taken on some nodes"},
}

// PluginRefs are the fields by which scheduler plugins reject nodes for pods of
// the template.
func (r *Revision) PluginRefs(rejected map[string]scheduler.Rejection) []Ref {
	var plugins []string
	for _, rejection := range rejected {
		plugins = append(plugins, strings.Split(rejection.Plugin, ",")...)
	}
	slices.Sort(plugins)
	var out []Ref
	for _, name := range slices.Compact(plugins) {
		if name == "PodTopologySpread" {
			for k, constraint := range r.Pod.Spec.TopologySpreadConstraints {
				out = append(out, r.Ref(fmt.Sprintf("spec.topologySpreadConstraints[%d]", k),
					fmt.Sprintf("spread over %s, %s", constraint.TopologyKey, constraint.WhenUnsatisfiable)))
			}
		} else if f, ok := pluginFields[name]; ok {
			out = append(out, r.Ref(f[0], f[1]))
		}
	}
	return out
}

// MinReplicas is spec.minReplicas, which the API server defaults to 1.
func (h *HPARevision) MinReplicas() int32 {
	if m := h.HPA.Spec.MinReplicas; m != nil {
		return *m
	}
	return 1
}

// ScaleBounds are the least minReplicas and the largest maxReplicas of the
// autoscalers that scale workload i in s, if any does.
func (w *World) ScaleBounds(s *State, i int) (least, most int32, scaled bool) {
	first := w.Workloads[i].HPA
	if first < 0 {
		return 0, 0, false
	}
	for h := first; h < len(w.HPAs); h++ {
		spec := w.AutoscalerSpec(s, h)
		if spec == nil || spec.Work != i {
			continue
		}
		if !scaled {
			least, most, scaled = spec.MinReplicas(), spec.HPA.Spec.MaxReplicas, true
			continue
		}
		least, most = min(least, spec.MinReplicas()), max(most, spec.HPA.Spec.MaxReplicas)
	}
	return least, most, scaled
}

// Name is namespace/name.
func (h *HPASpec) Name() string {
	o := h.Revisions[0].HPA
	return o.Namespace + "/" + o.Name
}

// Varies tells whether events or appliers change it.
func (h *HPASpec) Varies() bool { return h.Absent || h.Deleted || len(h.Revisions) > 1 }

// Variants are all specs that it may have if it varies, or else none.
func (h *HPASpec) Variants() []*autoscalingv2.HorizontalPodAutoscaler {
	if len(h.Revisions) == 1 {
		return nil
	}
	out := make([]*autoscalingv2.HorizontalPodAutoscaler, len(h.Revisions))
	for i := range out {
		out[i] = h.Revisions[i].HPA
	}
	return out
}

// Name is namespace/name.
func (p *PDBSpec) Name() string {
	o := p.Revisions[0].PDB
	return o.Namespace + "/" + o.Name
}

// Varies tells whether events or appliers change it.
func (p *PDBSpec) Varies() bool { return p.Absent || p.Deleted || len(p.Revisions) > 1 }

// Ref points at a field of the node.
func (n *NodeSpec) Ref(path, message string) Ref {
	return Ref{Source: n.Source, Path: join(n.Path, path), Message: message}
}

// ScenarioRef points at a field of the scenario.
func (w *World) ScenarioRef(path, message string) Ref {
	return Ref{Source: w.ScenarioSource, Path: path, Message: message}
}

// TaintRefs are the NoExecute taints given to the node, if that is why.
func (w *World) TaintRefs(p Pod, node int) []Ref {
	spec := &w.Nodes[node]
	var out []Ref
	for i, t := range spec.Node.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoExecute {
			out = append(out, spec.Ref(fmt.Sprintf("spec.taints[%d]", i), "evicts pods that do not tolerate it"))
		}
	}
	rev := &w.Workloads[p.Work].Revisions[p.Rev]
	return append(out, rev.Ref("spec.tolerations", "do not tolerate it for ever"))
}

// RejectionRefs are the fields behind a kubelet's refusal.
func (w *World) RejectionRefs(p Pod, node int, reason string) []Ref {
	rev := &w.Workloads[p.Work].Revisions[p.Rev]
	out := []Ref{}
	if rev.Pod.Spec.NodeName != "" {
		out = append(out, rev.Ref("spec.nodeName", "binds the pod without asking the scheduler"))
	}
	if strings.HasPrefix(reason, "OutOf") {
		return append(out, rev.Ref("spec.containers[0].resources.requests", "does not fit beside what the node still runs"))
	}
	return append(out, w.TaintRefs(p, node)...)
}

// DeschedulerRefs are the places in the policy that enable the plugins.
func (w *World) DeschedulerRefs(plugins []string) []Ref {
	var out []Ref
	source := w.Descheduler.Source
	for _, plugin := range plugins {
		for _, path := range w.PluginPaths[plugin] {
			out = append(out, Ref{Source: source, Path: path, Message: plugin + " evicts them"})
		}
	}
	return out
}

// join puts a prefix before the path of a field; either may be empty.
func join(prefix, path string) string {
	if prefix == "" || path == "" {
		return prefix + path
	}
	return prefix + "." + path
}
