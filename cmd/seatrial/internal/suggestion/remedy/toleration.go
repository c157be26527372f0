package remedy

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

var _ = register(&Remedy{
	Name: "toleration",
	Doc:  "lets pods tolerate a taint that a node has",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			pod := d.Value.Spec.Template.Spec
			var seen []corev1.Taint
			for i := range c.In.Nodes {
				for _, t := range c.In.Nodes[i].Value.Spec.Taints {
					t.TimeAdded = nil
					tolerated := corev1helpers.TolerationsTolerateTaint(klog.Logger{}, pod.Tolerations, &t, false)
					if tolerated || slices.Contains(seen, t) {
						continue
					}
					seen = append(seen, t)
					one := object("key", text(t.Key), "operator", text("Exists"), "effect", text(string(t.Effect)))
					if t.Value != "" {
						one = object("key", text(t.Key), "value", text(t.Value), "effect", text(string(t.Effect)))
					}
					at := in(d.Source, "spec", "template", "spec", "tolerations")
					edit := at.at(len(pod.Tolerations)).set(flow(one))
					if !d.Source.Has("spec.template.spec.tolerations") {
						edit = at.set(list(flow(one)))
					}
					out = append(out, Candidate{
						Title: fmt.Sprintf("let the pods of %s tolerate the taint %s of node %s", nameOf(d), t.ToString(), c.In.Nodes[i].Value.Name),
						Cost:  "its pods may run on nodes that are kept free of others", Rank: 21, Edits: edits(edit),
					})
				}
			}
		}
		return out
	},
})

// unreachableSeconds is how long the API server lets pods tolerate a lost node if they
// say nothing of it.
const unreachableSeconds = 300

var _ = register(&Remedy{
	Name: "toleration-seconds",
	Doc:  "ends an unlimited toleration of lost nodes after five minutes, as is the default",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			for i, t := range d.Value.Spec.Template.Spec.Tolerations {
				if t.TolerationSeconds != nil || t.Effect != corev1.TaintEffectNoExecute || t.Key != corev1.TaintNodeUnreachable && t.Key != corev1.TaintNodeNotReady {
					continue
				}
				out = append(out, Candidate{
					Title: fmt.Sprintf("end the toleration of %s by the pods of %s after %d seconds", t.Key, nameOf(d), unreachableSeconds),
					Cost:  "pods of a node that is lost for longer are replaced, though they may still run there", Rank: 14,
					Edits: edits(in(d.Source, "spec", "template", "spec", "tolerations", i, "tolerationSeconds").set(number(unreachableSeconds))),
				})
			}
		}
		return out
	},
})
