package rule

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1002", Name: "drain-completes",
		Title: "a drain never ends",
		Fails: "examples/rules/SEA1002/fails", Holds: "examples/rules/SEA1002/holds",
		Means: `Once a drain of a node has started, the node becomes empty, for every node.

A violation is about one way to it. Its causes name every other budget, too, that allows no disruption while all its pods are healthy.`,
		Excuses: "Pods that a drain leaves where they are, as those of a DaemonSet, do not count. A drain that has to wait for replacements may wait as long as it likes, if it ends.",
		Why: `A drain cordons the node and asks for the eviction of each pod, again and again. The API server refuses while the budget over the pod has status.disruptionsAllowed 0, which is the healthy pods less the wanted ones. It stays 0 if a single replica is wanted, if minAvailable is a percentage that rounds up to every replica, or if pods that never become healthy use the budget up. A pod under two budgets can never be evicted: the request ends with an error.

Nor does a drain end if new pods come to the cordoned node, because they tolerate the taint of its cordon or their template names the node.`,
		Mend: []string{
			"Write maxUnavailable: 1 in the place of minAvailable: it lets one pod go at any number of replicas.",
			"Or have more replicas than minAvailable asks for (spec.replicas, minReplicas of the autoscaler).",
			"Set unhealthyPodEvictionPolicy: AlwaysAllow, so that pods that are not healthy can be evicted.",
			"Make the selectors of budgets disjoint: one budget for a pod.",
			"Do not tolerate node.kubernetes.io/unschedulable, nor every taint (operator: Exists without a key); put nodeSelector in the place of spec.nodeName.",
		},
		Links: []finding.Link{
			{Title: "Specifying a disruption budget", URL: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/"},
			{Title: "Safely drain a node", URL: "https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/"},
			{Title: "API-initiated eviction", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/"},
			{Title: "KEP-3017: eviction of pods that are not healthy", URL: "https://github.com/kubernetes/enhancements/blob/master/keps/sig-apps/3017-pod-healthy-policy-for-pdb/README.md"},
			{Title: "kubernetes#66811: a drain hangs on a single replica", URL: "https://github.com/kubernetes/kubernetes/issues/66811"},
		},
	},
	Takes: []string{"node"},
	Claims: func(c *Context) []Claim {
		if !c.World.Drains() {
			return nil
		}
		draining := func(s *model.State) []int {
			var out []int
			for i, n := range s.Nodes {
				if n.Drain == model.Draining && c.about(i) {
					out = append(out, i)
				}
			}
			return out
		}
		property := func(name string) statespace.Property[IDs] {
			return statespace.Never(name, statespace.Behaviour[IDs]{Within: c.someNode(func(n *model.Node) bool { return n.Drain == model.Draining })})
		}
		claim := c.claim(c.everyNode(), property, append(c.events(),
			Witness{"a drain completes", statespace.Sometimes("a drain completes", c.someNode(func(n *model.Node) bool { return n.Drain == model.Drained }))})...)
		claim.Message = func(s *model.State) string {
			var said []string
			for _, i := range draining(s) {
				said = append(said, fmt.Sprintf("the drain of node %s never ends%s", c.World.Nodes[i].Name(), c.refusals(s, i)))
			}
			return strings.Join(said, "; ")
		}
		claim.Refs = func(s *model.State) []model.Ref {
			var out []model.Ref
			for _, i := range draining(s) {
				out = append(out, c.budgetRefs(s, i)...)
			}
			return append(out, c.otherBudgetRefs(s, draining(s))...)
		}
		return []Claim{claim}
	},
})

// someNode makes a predicate: some node that the claim is about satisfies p.
func (c *Context) someNode(p func(*model.Node) bool) func(IDs) bool {
	return func(ids IDs) bool {
		for i := range c.World.Nodes {
			if c.about(i) && p(c.Node(ids, i)) {
				return true
			}
		}
		return false
	}
}

// refusals says why the pods still on a node cannot be evicted.
func (c *Context) refusals(s *model.State, node int) string {
	for _, k := range s.Nodes[node].Pods {
		if k.Terminating || c.World.Stays(k.Pod) {
			continue
		}
		a := upstream.Evict(c.World.Pod(k.Pod, model.Place{Node: node}, 0), c.World.Budgets(s))
		if a.Allowed {
			continue
		}
		why := fmt.Sprintf(": the eviction of a pod of %s is refused, %d %s", c.World.Workloads[k.Work].Object(), a.Code, strings.TrimSuffix(a.Message, "."))
		if a.Cause != "" {
			why += " (" + strings.TrimSuffix(a.Cause, ".") + ")"
		}
		return why
	}
	if back := c.drawn(s, node); len(back) > 0 {
		_, message := c.comesBack(back[0], node)
		return fmt.Sprintf(": pods of %s come back to it, %s", c.World.Workloads[back[0].Work].Object(), message)
	}
	return ""
}

// drawn are the sorts of pods on a node, or bound to it by their template, that
// come back to it when they are evicted.
func (c *Context) drawn(s *model.State, node int) []model.Pod {
	var out []model.Pod
	add := func(p model.Pod) {
		if c.World.Workloads[p.Work].Held != "" {
			return // nothing brings them back
		}
		p = model.Pod{Work: p.Work, Rev: p.Rev}
		if field, _ := c.comesBack(p, node); field != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, k := range s.Nodes[node].Pods {
		add(k.Pod)
	}
	for i, work := range s.Work {
		if p := (model.Pod{Work: uint16(i), Rev: work.Rev}); work.Exists && c.World.Workloads[i].Revisions[p.Rev].Pod.Spec.NodeName != "" {
			add(p)
		}
	}
	return out
}

// comesBack says by which field of its template a pod is placed on a cordoned
// node again, if it is.
func (c *Context) comesBack(p model.Pod, node int) (field, message string) {
	pod := c.World.Workloads[p.Work].Revisions[p.Rev].Pod
	cordon := []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}
	all := func(*corev1.Taint) bool { return true }
	if pod.Spec.NodeName == c.World.Nodes[node].Name() {
		return "spec.nodeName", "bound to it by their template"
	}
	if _, untolerated := corev1helpers.FindMatchingUntoleratedTaint(klog.Logger{}, cordon, pod.Spec.Tolerations, all, false); !untolerated {
		return "spec.tolerations", "since they tolerate its cordon"
	}
	return "", ""
}

// covering are the budgets that select pods like p in s.
func (c *Context) covering(s *model.State, p model.Pod) []int {
	var out []int
	for i := range c.World.PDBs {
		if c.World.Covers(s, i, p) {
			out = append(out, i)
		}
	}
	return out
}

// budgetRefs are the budgets over the pods on a node, and what brings pods back
// to it.
func (c *Context) budgetRefs(s *model.State, node int) []model.Ref {
	var out []model.Ref
	for _, p := range c.drawn(s, node) {
		field, _ := c.comesBack(p, node)
		out = append(out, c.World.Workloads[p.Work].Revisions[p.Rev].Ref(field, "brings new pods to the cordoned node"))
	}
	for _, k := range s.Nodes[node].Pods {
		if c.World.Stays(k.Pod) {
			continue
		}
		over := c.covering(s, k.Pod)
		for _, i := range over {
			spec := c.World.BudgetSpec(s, i)
			if len(over) > 1 {
				out = append(out, spec.Ref("spec.selector", "selects the pods, and so does another budget: no eviction is possible"))
				continue
			}
			w := &c.World.Workloads[k.Work]
			out = append(out, spec.Ref(wantedPath(spec), fmt.Sprintf("allows no disruption: %d healthy, %d wanted", s.PDB[i].Current, s.PDB[i].Desired)),
				w.Ref("spec.replicas", "is the number of pods it is about"))
		}
	}
	return out
}

// wantedPath is the field by which a budget says how many pods it wants.
func wantedPath(spec *model.PDBRevision) string {
	if spec.PDB.Spec.MaxUnavailable != nil {
		return "spec.maxUnavailable"
	}
	return "spec.minAvailable"
}

// otherBudgetRefs are the budgets that block a drain of another node than those
// that are drained: they allow no disruption although their pods are healthy. A
// violation names one way to it; the others need not be found one by one.
func (c *Context) otherBudgetRefs(s *model.State, drained []int) []model.Ref {
	if c.Property.Node != "" {
		return nil
	}
	var out []model.Ref
	for i, b := range s.PDB {
		if b.Rev == model.Absent || b.Stale || b.Allowed > 0 || b.Expected == 0 || b.Current < b.Expected {
			continue
		}
		onNode := func(n int) bool {
			return slices.ContainsFunc(s.Nodes[n].Pods, func(k model.PodCount) bool {
				return !c.World.Stays(k.Pod) && c.World.Covers(s, i, k.Pod)
			})
		}
		other := false
		for n := range s.Nodes {
			other = other || c.World.MayDrain(n) && onNode(n)
		}
		if spec := c.World.BudgetSpec(s, i); other && !slices.ContainsFunc(drained, onNode) {
			out = append(out, spec.Ref(wantedPath(spec), "allows no disruption either, although all its pods are healthy"))
		}
	}
	return out
}
