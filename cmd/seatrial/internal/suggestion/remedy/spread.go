package remedy

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// hash is the label by which pods of one revision are told from those of another.
const hash = "pod-template-hash"

// spreads calls each with the constraints of the templates that a violation is about.
func (c *Case) spreads(each func(name string, t *corev1.TopologySpreadConstraint, at field)) {
	for _, d := range c.deployments() {
		all := d.Value.Spec.Template.Spec.TopologySpreadConstraints
		for i := range all {
			name := fmt.Sprintf("the spread of %s over %s", nameOf(d), all[i].TopologyKey)
			each(name, &all[i], in(d.Source, "spec", "template", "spec", "topologySpreadConstraints", i))
		}
	}
}

var _ = register(&Remedy{
	Name: "spread-taints",
	Doc:  "counts a node for a spread only if the pod tolerates it (nodeTaintsPolicy: Honor)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		c.spreads(func(name string, t *corev1.TopologySpreadConstraint, at field) {
			if p := t.NodeTaintsPolicy; t.WhenUnsatisfiable != corev1.DoNotSchedule || p != nil && *p == corev1.NodeInclusionPolicyHonor {
				return
			}
			out = append(out, Candidate{
				Title: "set nodeTaintsPolicy: Honor for " + name,
				Cost:  "while nodes are drained or lost, pods crowd on those that are left", Rank: 10,
				Edits: edits(at.at("nodeTaintsPolicy").set(text("Honor"))),
			})
		})
		return out
	},
})

var _ = register(&Remedy{
	Name: "spread-revision",
	Doc:  "counts only pods of one revision for a spread (matchLabelKeys: [pod-template-hash])",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		c.spreads(func(name string, t *corev1.TopologySpreadConstraint, at field) {
			if slices.Contains(t.MatchLabelKeys, hash) || t.WhenUnsatisfiable != corev1.DoNotSchedule {
				return
			}
			out = append(out, Candidate{
				Title: "set matchLabelKeys: [" + hash + "] for " + name,
				Cost:  "during a rollout pods of the old and the new revision may crowd together", Rank: 11,
				Edits: edits(at.at("matchLabelKeys", len(t.MatchLabelKeys)).set(text(hash))),
			})
			if len(t.MatchLabelKeys) == 0 {
				out[len(out)-1].Edits = edits(at.at("matchLabelKeys").set(flow(list(text(hash)))))
			}
		})
		return out
	},
})

var _ = register(&Remedy{
	Name: "spread-soft",
	Doc:  "makes a spread a wish (whenUnsatisfiable: ScheduleAnyway)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		c.spreads(func(name string, t *corev1.TopologySpreadConstraint, at field) {
			if t.WhenUnsatisfiable != corev1.DoNotSchedule || t.MinDomains != nil {
				return
			}
			out = append(out, Candidate{
				Title: "make " + name + " a wish (whenUnsatisfiable: ScheduleAnyway)",
				Cost:  "pods may stand together where the others have no room", Rank: 30,
				Edits: edits(at.at("whenUnsatisfiable").set(text(string(corev1.ScheduleAnyway)))),
			})
		})
		return out
	},
})

var _ = register(&Remedy{
	Name: "spread-skew",
	Doc:  "lets a spread be less even by one pod (maxSkew)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		c.spreads(func(name string, t *corev1.TopologySpreadConstraint, at field) {
			out = append(out, Candidate{
				Title: fmt.Sprintf("raise maxSkew of %s from %d to %d", name, t.MaxSkew, t.MaxSkew+1),
				Cost:  "one domain may have one pod more than now", Rank: 32,
				Edits: edits(at.at("maxSkew").set(number(int(t.MaxSkew) + 1))),
			})
		})
		return out
	},
})

var _ = register(&Remedy{
	Name: "spread-hosts",
	Doc:  "adds a hard spread over hosts, so that the scheduler places pods as the descheduler wants them",
	Candidates: func(c *Case) []Candidate {
		if c.In.DeschedulerPolicy == nil || !c.is("SEA1001") {
			return nil
		}
		var out []Candidate
		for _, d := range c.deployments() {
			selector := child(d.Source.Node(), "spec", "selector")
			if len(d.Value.Spec.Template.Spec.TopologySpreadConstraints) > 0 || selector == nil {
				continue
			}
			own, ok := copied(selector)
			if !ok {
				continue
			}
			out = append(out, Candidate{
				Title: "spread the pods of " + nameOf(d) + " evenly over hosts (topologySpreadConstraints, DoNotSchedule)",
				Cost:  "a pod that cannot be placed evenly waits", Rank: 39, Fields: 1,
				Edits: edits(in(d.Source, "spec", "template", "spec", "topologySpreadConstraints").set(list(object(
					"maxSkew", number(1), "topologyKey", text(corev1.LabelHostname), "whenUnsatisfiable", text(string(corev1.DoNotSchedule)),
					"nodeTaintsPolicy", text("Honor"), "labelSelector", own)))),
			})
		}
		return out
	},
})
