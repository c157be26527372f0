package remedy

import (
	"fmt"
	"slices"
)

// antiAffinity is the path of required terms in a template.
var antiAffinity = []any{"spec", "template", "spec", "affinity", "podAntiAffinity"}

const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"

var _ = register(&Remedy{
	Name: "affinity-revision",
	Doc:  "keeps only pods of one revision apart (matchLabelKeys: [pod-template-hash] of a required anti-affinity)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			a := d.Value.Spec.Template.Spec.Affinity
			if a == nil || a.PodAntiAffinity == nil {
				continue
			}
			for i, t := range a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
				if t.LabelSelector == nil || slices.Contains(t.MatchLabelKeys, hash) || len(t.MatchLabelKeys) > 0 {
					continue
				}
				out = append(out, Candidate{
					Title: fmt.Sprintf("set matchLabelKeys: [%s] for the anti-affinity of %s over %s", hash, nameOf(d), t.TopologyKey),
					Cost:  "during a rollout a pod of the new revision may stand beside one of the old", Rank: 26,
					Edits: edits(in(d.Source, antiAffinity...).at(required, i, "matchLabelKeys").set(flow(list(text(hash))))),
				})
			}
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "affinity-soft",
	Doc:  "makes a required anti-affinity a wish",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			a := d.Value.Spec.Template.Spec.Affinity
			if a == nil || a.PodAntiAffinity == nil || len(a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution) > 0 {
				continue
			}
			terms := a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
			written := child(d.Source.Node(), "spec", "template", "spec", "affinity", "podAntiAffinity", required)
			if len(terms) != 1 || written == nil || len(written.Content) != 1 {
				continue
			}
			term, ok := copied(written.Content[0])
			if !ok {
				continue
			}
			at := in(d.Source, antiAffinity...)
			out = append(out, Candidate{
				Title: fmt.Sprintf("make the anti-affinity of %s over %s a wish (%s)", nameOf(d), terms[0].TopologyKey, preferred),
				Cost:  "pods may stand together where the others have no room", Rank: 31, Fields: 2,
				Edits: edits(at.at(preferred).set(list(object("weight", number(100), "podAffinityTerm", term))), at.at(required).remove()),
			})
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "selector-soft",
	Doc:  "makes a nodeSelector a wish (preferred node affinity)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			pod := d.Value.Spec.Template.Spec
			if len(pod.NodeSelector) == 0 || pod.Affinity != nil {
				continue
			}
			var terms []*node
			for _, key := range sorted(pod.NodeSelector) {
				terms = append(terms, flow(object("key", text(key), "operator", text("In"), "values", list(text(pod.NodeSelector[key])))))
			}
			at := in(d.Source, "spec", "template", "spec")
			out = append(out, Candidate{
				Title: "make the nodeSelector of " + nameOf(d) + " a wish (preferred node affinity)",
				Cost:  "its pods may run on other nodes when those are full or lost", Rank: 34, Fields: 2,
				Edits: edits(
					at.at("affinity").set(object("nodeAffinity", object(preferred, list(object("weight", number(100), "preference", object("matchExpressions", list(terms...))))))),
					at.at("nodeSelector").remove(),
				),
			})
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "node-name",
	Doc:  "lets the scheduler choose the node instead of nodeName",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			if d.Value.Spec.Template.Spec.NodeName != "" {
				out = append(out, Candidate{
					Title: "let the scheduler choose the nodes of " + nameOf(d) + " (no nodeName)",
					Cost:  "its pods may run on other nodes than " + d.Value.Spec.Template.Spec.NodeName, Rank: 33,
					Edits: edits(in(d.Source, "spec", "template", "spec", "nodeName").remove()),
				})
			}
		}
		return out
	},
})
