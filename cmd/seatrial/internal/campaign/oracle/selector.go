package oracle

import (
	"fmt"
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metalabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "selector", Rule: "SEA3008", Order: 60, Judge: selectors})
}

// selectors finds Services and PodDisruptionBudgets that came with the resource and select no pod,
// nor would one of any workload, while there are pods. One that never did, also not of the seed,
// selects something that seatrial does not know. Where the operator can do only a part of what is asked for, in the
// twin as well, that part need not fit what there was.
func selectors(c *Case) []Deviation {
	last := c.Last()
	if !last.Rest.Quiet || last.Refused != "" || c.misoperation() || c.impossible() {
		return nil
	}
	var out []Deviation
	for _, key := range last.End.Keys() {
		o := last.End[key]
		selector := selectorOf(key, o)
		if selector == nil || !c.own(key) || o.At("metadata", "deletionTimestamp") != nil || c.selects(last.End, key.Namespace, selector) || !c.runs(last.End, key.Namespace) {
			continue
		}
		if rest := c.withoutRoles(key, o); rest != nil && c.selects(last.End, key.Namespace, rest) {
			continue
		}
		if old, was := c.Steps[0].End[key]; was {
			if selector := selectorOf(key, old); selector == nil || !c.selects(c.Steps[0].End, key.Namespace, selector) {
				continue
			}
		}
		out = append(out, Deviation{
			Object: key, Path: "spec.selector", Place: "spec.selector", Found: selector.String(),
			Text: fmt.Sprintf("%s selects no pod, and there are pods: %s", key, selector),
		})
	}
	return out
}

// roles are labels by which the programs in pods say what they are at the moment, and which no operator writes into a
// template.
var roles = regexp.MustCompile(`(?i)(^|[-_./])(role|leader|primary|master)$`)

// withoutRoles is the selector of a Service without the roles that no pod and no workload says, and the resource
// neither; nil if there are none, or there is nothing else.
func (c *Case) withoutRoles(key history.Key, o history.Object) metalabels.Selector {
	set := labels(o, "spec", "selector")
	if key.Resource != services {
		return nil
	}
	left := metalabels.Set{}
	for name, value := range set {
		exists, err := metalabels.Parse(name)
		if roles.MatchString(name) && !in(value, c.sentinels()) && err == nil && !c.selects(c.Last().End, key.Namespace, exists) {
			continue
		}
		left[name] = value
	}
	if len(left) == 0 || len(left) == len(set) {
		return nil
	}
	return metalabels.SelectorFromSet(left)
}

// selectorOf is the selector of a Service or PodDisruptionBudget; nil for other objects, and if there is none.
func selectorOf(key history.Key, o history.Object) metalabels.Selector {
	switch key.Resource {
	case services:
		if set := labels(o, "spec", "selector"); len(set) > 0 {
			return metalabels.SelectorFromSet(set)
		}
	case budgets:
		text, _ := o.At("spec", "selector").(map[string]any)
		var s metav1.LabelSelector
		if len(text) == 0 || runtime.DefaultUnstructuredConverter.FromUnstructured(text, &s) != nil {
			return nil
		}
		if selector, err := metav1.LabelSelectorAsSelector(&s); err == nil {
			return selector
		}
	}
	return nil
}

// selects tells whether there is a pod in the namespace that is selected, or a workload of which
// pods would be.
func (c *Case) selects(s history.State, namespace string, selector metalabels.Selector) bool {
	for key, o := range s {
		if key.Namespace != namespace {
			continue
		}
		path := []string{"metadata", "labels"}
		if key.Resource != pods {
			path = []string{"spec", "template", "metadata", "labels"}
		}
		set := labels(o, path...)
		if (key.Resource == pods || len(set) > 0) && selector.Matches(metalabels.Set(set)) {
			return true
		}
	}
	return false
}

// runs tells whether there are pods in the namespace that came with the resource.
func (c *Case) runs(s history.State, namespace string) bool {
	for key := range s {
		if key.Resource == pods && key.Namespace == namespace && c.own(key) {
			return true
		}
	}
	return false
}
