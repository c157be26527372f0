package oracle

import (
	"slices"
	"strings"

	metalabels "k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/history"
)

const autoscalers = "horizontalpodautoscalers.autoscaling"

func init() {
	mask(Mask{
		Name:   "stuck",
		Reason: "pods of a workload that cannot become ready in the twin either, and what is said of them: Kubernetes keeps old ones then, and which it keeps depends on what there was",
		object: func(v *view, s history.State, key history.Key) bool {
			return (key.Resource == pods || key.Resource == claims) && v.stuck[v.above(key.Generic(s[key]))]
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool { return v.tells(d.Key, ch, v.stuck) },
	})
}

// tells tells whether a change is of what is said of the pods of workloads: in the status of
// one of them, of an object that owns it, of a budget or autoscaler of it, and of the custom resource.
func (v *view) tells(key history.Key, ch history.Change, workloads map[history.Key]bool) bool {
	if len(workloads) == 0 || !strings.HasPrefix(ch.Path, "status") {
		return false
	}
	if workloads[key] || key == v.c.Key {
		return true
	}
	o := v.want.state[key]
	for workload := range workloads {
		w := v.want.state[workload]
		if workload.Namespace != key.Namespace || w == nil {
			continue
		}
		switch key.Resource {
		case budgets:
			if s := selectorOf(key, o); s != nil && s.Matches(metalabels.Set(labels(w, "spec", "template", "metadata", "labels"))) {
				return true
			}
		case autoscalers:
			if o.Text("spec", "scaleTargetRef", "kind") == w.Text("kind") && o.Text("spec", "scaleTargetRef", "name") == workload.Name {
				return true
			}
		}
		if slices.ContainsFunc(owners(w), func(owner history.Object) bool {
			return owner.Text("kind") == o.Text("kind") && owner.Text("name") == key.Name
		}) {
			return true
		}
	}
	return false
}
