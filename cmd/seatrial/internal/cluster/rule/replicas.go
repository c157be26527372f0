package rule

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1005", Name: "replicas-settle",
		Title: "spec.replicas changes for ever under constant load",
		Fails: "examples/rules/SEA1005/fails", Holds: "examples/rules/SEA1005/holds",
		Means:   "Under constant load spec.replicas changes finitely often.",
		Excuses: "Changes that events make, by their load or their manifests, do not count, nor does any number of changes that comes to an end.",
		Why: `spec.replicas is one field with several writers, and each of them writes what it wants whatever the others want. An autoscaler scales up, a GitOps tool that has replicas in its manifest puts them back within minutes, and so on. An operator of your own, or an autoscaler that is no HorizontalPodAutoscaler, does the same.

One autoscaler is enough where its own scaling changes what it measures by more than its tolerance (10 % by default), as a metric that does not go down with more pods.`,
		Mend: []string{
			"Leave spec.replicas out of the manifest that is applied again and again, or have the tool ignore it (Argo CD: ignoreDifferences with /spec/replicas).",
			"Have one autoscaler for a workload: several metrics go into one HorizontalPodAutoscaler, which takes the largest proposal.",
			"Choose a metric that falls as pods are added, and a target with room for one pod more and one pod less.",
			"Set behavior.scaleDown.stabilizationWindowSeconds (default 300) above the period of what swings.",
		},
		Links: []finding.Link{
			{Title: "Migrating Deployments to horizontal autoscaling", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling"},
			{Title: "Stability of workload scale", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#flapping"},
			{Title: "Argo CD: leaving room for imperativeness", URL: "https://argo-cd.readthedocs.io/en/stable/user-guide/best_practices/#leaving-room-for-imperativeness"},
			{Title: "kubernetes#25238: replicas of a Deployment that an autoscaler has scaled", URL: "https://github.com/kubernetes/kubernetes/issues/25238"},
		},
	},
	Takes: []string{"workload"},
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			applied := slices.ContainsFunc(c.World.Appliers, func(a model.ApplierSpec) bool { return a.Rewrite == nil && a.Work == i })
			if w.HPA < 0 && !applied && !c.World.OwnScales(i) {
				continue
			}
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.EventuallyNever(name, ofWork(i, model.KindScale))
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(*model.State) string {
				return fmt.Sprintf("spec.replicas of %s changes for ever under constant load", w.Object())
			}
			claim.Refs = func(*model.State) []model.Ref {
				return []model.Ref{w.Ref("spec.replicas", "is what changes")}
			}
			out = append(out, claim)
		}
		return out
	},
})

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1008", Name: "no-overshoot", OnRequest: true,
		Title: "the autoscaler went to its maximum and back without a change of load",
		Fails: "examples/cases/kivi-c1/bad", Holds: "examples/cases/kivi-c1/good-probe",
		Means:   "After reaching the autoscaler's maximum spec.replicas does not fall by three or more, or to the minimum, without a change of the external load. A pod's own start-up profile is not such a change.",
		Excuses: "A change of the load, of the template, or of the autoscaler's bounds begins anew, and so does an event that sets replicas. An autoscaler that never reaches its maximum is not judged.",
		Why:     "The autoscaler takes the usage of pods for demand. A pod that is busy while it starts, and Ready all the while, looks like load: more pods are made, which start and are busy too, up to the maximum. When they are warm the usage is gone and the autoscaler goes back. Of pods that are not Ready, or whose sample is from before they were, CPU does not count; other metrics count at once. The stabilisation window (300 s) delays the way down and does not prevent it.",
		Mend: []string{
			"Add a readinessProbe or startupProbe that passes only when the start-up is over (initialDelaySeconds, or an endpoint that tells).",
			"Slow the way up: behavior.scaleUp with policies, or stabilizationWindowSeconds above the length of the start-up.",
			"Have the start-up use less: spread the work, or raise resources.requests if it is what the pod needs.",
			"Of the controller manager, --horizontal-pod-autoscaler-cpu-initialization-period is to cover the start-up.",
		},
		Links: []finding.Link{
			{Title: "Pod readiness and autoscaling metrics", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#pod-readiness-good-practices"},
			{Title: "Liveness, readiness and startup probes", URL: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
			{Title: "kubernetes#29989: CPU of starting pods and the autoscaler", URL: "https://github.com/kubernetes/kubernetes/issues/29989"},
			{Title: "kubernetes#28692: a chain reaction up to the maximum", URL: "https://github.com/kubernetes/kubernetes/issues/28692"},
		},
	},
	Takes: []string{"workload"},
	Watch: func(w *model.World, _ *scenario.Property) { w.Watched.Peak = true },
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			if w.HPA < 0 {
				continue
			}
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.Always(name, func(ids IDs) bool { return !c.Work(ids, i).Fallen })
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(s *model.State) string {
				_, most, _ := c.World.ScaleBounds(s, i)
				return fmt.Sprintf("the autoscaler took %s to its maximum of %d and back to %d without a change of load",
					w.Object(), most, s.Work[i].Replicas)
			}
			out = append(out, claim)
		}
		return out
	},
})

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1012", Name: "no-drift", OnRequest: true,
		Title: "spec.replicas is another at rest than it was, though nothing asked for it",
		Fails: "examples/rules/SEA1012/fails", Holds: "examples/rules/SEA1012/holds",
		Means:   "As long as the load, the autoscaler and the applied replicas are unchanged, spec.replicas at rest is what it was at the last rest. A rollout, a drain or a lost node may move it for a while, but not for good.",
		Excuses: "An event that changes the load or the wanted replicas begins anew. What spec.replicas is between two rests does not count.",
		Why:     "The autoscaler counts every Ready pod of the selector, a rollout's surge pod too. With n replicas and one surge pod whose use lies between n/(n+1) and nine tenths of the target, it wants n+1, and afterwards all n+1 are within its tolerance: nothing takes the extra pod away again. In the other direction, while pods are missing the others alone propose fewer replicas, and only the stabilisation window holds that back.",
		Mend: []string{
			"Set strategy.rollingUpdate with maxSurge: 0 and maxUnavailable: 1, so that there is no extra pod to count.",
			"Move the target (averageUtilization) so that the usual use of a pod is not just below it.",
			"Keep behavior.scaleDown.stabilizationWindowSeconds (default 300) longer than a rollout takes.",
		},
		Links: []finding.Link{
			{Title: "Autoscaling during rolling update", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#autoscaling-during-rolling-update"},
			{Title: "Algorithm of the autoscaler", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#algorithm-details"},
			{Title: "kubernetes#72775: extra pods in a rolling update without load", URL: "https://github.com/kubernetes/kubernetes/issues/72775"},
			{Title: "kubernetes#90461: an autoscaler that scales up during rolling updates", URL: "https://github.com/kubernetes/kubernetes/issues/90461"},
		},
	},
	Whole: true,
	Takes: []string{"workload"},
	Watch: func(w *model.World, _ *scenario.Property) { w.Watched.Rest = true },
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.AtRest(name, func(ids IDs) bool {
					work := c.Work(ids, i)
					return work.Baseline == 0 || work.Baseline == work.Replicas+1
				})
			}, append([]Witness{c.running(i), c.rested(i)}, c.events()...)...)
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("%s rests at %d replicas and rested at %d before, though load and wanted replicas are unchanged",
					w.Object(), s.Work[i].Replicas, s.Work[i].Baseline-1)
			}
			out = append(out, claim)
		}
		return out
	},
})

// rested is the witness that something happened to a workload at rest that
// should leave its size as it was.
func (c *Context) rested(i int) Witness {
	name := fmt.Sprintf("an event strikes while %s is at rest", c.World.Workloads[i].Object())
	return Witness{name, statespace.Sometimes(name, func(ids IDs) bool { return c.Work(ids, i).Baseline != 0 })}
}
