package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1007", Name: "spread-holds",
		Title: "pods at rest are spread less evenly than declared",
		Fails: "examples/rules/SEA1007/fails", Holds: "examples/rules/SEA1007/holds",
		Means: `At rest every topology spread constraint that the present template of the workload declares holds: no domain has more than maxSkew pods above the domain with the fewest.

Domains and pods are counted as the scheduler's filter counts them: minDomains, nodeAffinityPolicy, nodeTaintsPolicy and matchLabelKeys included, terminating pods and other namespaces not.`,
		Excuses: "Only DoNotSchedule constraints are judged, unless the parameter soft asks for those with ScheduleAnyway too. Excused are states after a node was drained, cordoned, uncordoned or lost: pods that had to leave do not come back by themselves.",
		Why:     "The scheduler looks at constraints only when it places a pod; nobody repairs what becomes of them afterwards. In a rollout the old pods count while the new ones are placed around them, and then they go. A scale-down chooses its pods without a look at the constraint. A selector that takes in pods of another workload levels both together, and neither by itself.",
		Mend: []string{
			"Add matchLabelKeys: [pod-template-hash] to the constraint, so that only pods of the same revision count.",
			"Make labelSelector select the pods of this workload only.",
			"Let the descheduler's RemovePodsViolatingTopologySpreadConstraint repair it, and check that the two come to rest (SEA1001).",
			"After a scale-down: kubectl rollout restart places all pods anew.",
		},
		Links: []finding.Link{
			{Title: "Topology spread constraints: known limitations", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#known-limitations"},
			{Title: "KEP-3243: respect the spread after rolling upgrades", URL: "https://github.com/kubernetes/enhancements/blob/master/keps/sig-scheduling/3243-respect-pod-topology-spread-after-rolling-upgrades/README.md"},
			{Title: "kubernetes#98215: rolling updates and topology spread", URL: "https://github.com/kubernetes/kubernetes/issues/98215"},
			{Title: "kubernetes#96748: scale-down and topology spread", URL: "https://github.com/kubernetes/kubernetes/issues/96748"},
		},
	},
	Takes: []string{"workload", "soft"},
	Watch: func(w *model.World, p *scenario.Property) {
		c := Context{Vector: &model.Vector{World: w}, Property: *p}
		w.Watched.NodeEvent = w.Watched.NodeEvent || slices.ContainsFunc(c.works(), c.spreads)
	},
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works() {
			if !c.spreads(i) {
				continue
			}
			w := &c.World.Workloads[i]
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.AtRest(name, func(ids IDs) bool {
					s := c.Decode(ids)
					return s.Env.NodeEvent || len(c.skewed(s, i)) == 0
				})
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(s *model.State) string {
				var said []string
				for _, k := range c.skewed(s, i) {
					said = append(said, k.String())
				}
				return fmt.Sprintf("the pods that %s counts are spread unevenly: %s", w.Object(), strings.Join(said, "; "))
			}
			claim.Refs = func(s *model.State) []model.Ref {
				rev := &w.Revisions[s.Work[i].Rev]
				var out []model.Ref
				for _, k := range c.skewed(s, i) {
					out = append(out, rev.Ref(fmt.Sprintf("spec.topologySpreadConstraints[%d]", k.index), "is only looked at when a pod is placed"))
				}
				return out
			}
			out = append(out, claim)
		}
		return out
	},
})

// actions are the kinds of constraints that are judged. The scheduler counts
// each kind by itself.
func (c *Context) actions() []corev1.UnsatisfiableConstraintAction {
	if c.Property.Soft {
		return []corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule, corev1.ScheduleAnyway}
	}
	return []corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule}
}

// spreads tells whether a template of workload i has a constraint to judge.
func (c *Context) spreads(i int) bool {
	return slices.ContainsFunc(c.World.Workloads[i].Revisions, func(r model.Revision) bool {
		return slices.ContainsFunc(r.Pod.Spec.TopologySpreadConstraints, func(t corev1.TopologySpreadConstraint) bool {
			return slices.Contains(c.actions(), t.WhenUnsatisfiable)
		})
	})
}

// spread is a constraint as a state has it: index is its place in the template,
// counts are the pods that its selector matches by domain.
type spread struct {
	index      int
	constraint corev1.TopologySpreadConstraint
	selector   labels.Selector
	counts     map[string]int
}

func (k spread) String() string {
	var domains []string
	for _, d := range slices.Sorted(maps.Keys(k.counts)) {
		domains = append(domains, fmt.Sprintf("%s has %d", d, k.counts[d]))
	}
	few := ""
	if m := k.constraint.MinDomains; m != nil && len(k.counts) < int(*m) {
		few = fmt.Sprintf(" (with fewer than %d domains the least is taken to be 0)", *m)
	}
	return fmt.Sprintf("maxSkew %d over %s, but %s%s", k.constraint.MaxSkew, k.constraint.TopologyKey, strings.Join(domains, ", "), few)
}

// skewed are the constraints of workload i's present template that do not hold.
func (c *Context) skewed(s *model.State, i int) []spread {
	if !s.Work[i].Exists {
		return nil
	}
	return slices.DeleteFunc(c.counted(s, i), spread.even)
}

// counted are the constraints that are judged, with their counts.
func (c *Context) counted(s *model.State, i int) []spread {
	pod := c.World.Workloads[i].Revisions[s.Work[i].Rev].Pod
	required := nodeaffinity.GetRequiredNodeAffinity(pod)
	var out []spread
	for _, action := range c.actions() {
		for index, constraint := range pod.Spec.TopologySpreadConstraints {
			if constraint.WhenUnsatisfiable != action {
				continue
			}
			k := spread{index, constraint, selectorOf(pod, &constraint), map[string]int{}}
			for at, n := range s.Nodes {
				node := c.World.Node(at, n)
				if hasKeys(node, pod, action) && includes(&constraint, pod, node, required) {
					k.counts[node.Labels[constraint.TopologyKey]] += n.Pods.Count(func(p model.Pod) bool { return c.matches(p, pod.Namespace, k.selector) })
				}
			}
			out = append(out, k)
		}
	}
	return out
}

// selectorOf is the constraint's selector, narrowed by matchLabelKeys to pods
// that agree with the pod's own labels.
func selectorOf(pod *corev1.Pod, constraint *corev1.TopologySpreadConstraint) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(constraint.LabelSelector)
	if err != nil {
		return labels.Nothing() // validation admits no such selector
	}
	if _, selects := selector.Requirements(); !selects {
		return selector
	}
	for _, key := range constraint.MatchLabelKeys {
		if value, ok := pod.Labels[key]; ok {
			own, _ := labels.SelectorFromSet(labels.Set{key: value}).Requirements()
			selector = selector.Add(own...)
		}
	}
	return selector
}

// matches tells whether the scheduler counts p: an empty selector counts none.
func (c *Context) matches(p model.Pod, namespace string, selector labels.Selector) bool {
	if p.Terminating || !p.Holds() || selector.Empty() {
		return false
	}
	w := &c.World.Workloads[p.Work]
	return w.Namespace == namespace && selector.Matches(labels.Set(w.Revisions[p.Rev].Pod.Labels))
}

// hasKeys: a node without the topology key of one constraint counts for none
// of its kind.
func hasKeys(node *corev1.Node, pod *corev1.Pod, action corev1.UnsatisfiableConstraintAction) bool {
	for i := range pod.Spec.TopologySpreadConstraints {
		t := &pod.Spec.TopologySpreadConstraints[i]
		if _, ok := node.Labels[t.TopologyKey]; t.WhenUnsatisfiable == action && !ok {
			return false
		}
	}
	return true
}

// includes applies the constraint's node inclusion policies, whose defaults are
// to honour node affinity and to ignore taints.
func includes(constraint *corev1.TopologySpreadConstraint, pod *corev1.Pod, node *corev1.Node, required nodeaffinity.RequiredNodeAffinity) bool {
	if p := constraint.NodeAffinityPolicy; p == nil || *p == corev1.NodeInclusionPolicyHonor {
		if match, err := required.Match(node); err != nil || !match {
			return false
		}
	}
	if p := constraint.NodeTaintsPolicy; p != nil && *p == corev1.NodeInclusionPolicyHonor {
		keepsOut := func(t *corev1.Taint) bool {
			return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
		}
		_, untolerated := corev1helpers.FindMatchingUntoleratedTaint(klog.Logger{}, node.Spec.Taints, pod.Spec.Tolerations, keepsOut, false)
		return !untolerated
	}
	return true
}

// least is the smallest count of a domain; with fewer domains than minDomains,
// which only DoNotSchedule has, it is taken to be 0.
func (k spread) least() int {
	if m := k.constraint.MinDomains; len(k.counts) == 0 || m != nil && len(k.counts) < int(*m) {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(k.counts)))
}

// even tells whether no domain exceeds the least one by more than maxSkew.
func (k spread) even() bool {
	least := k.least()
	for _, n := range k.counts {
		if n-least > int(k.constraint.MaxSkew) {
			return false
		}
	}
	return true
}
