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
		Reason: "pods of a workload that cannot become ready in the twin either, or that do not count there yet (minReadySeconds), and what is said of them: Kubernetes keeps old ones then, and which it keeps depends on what there was; and what there was, where the twin does not come to it, since it waits for them",
		object: func(v *view, s history.State, key history.Key) bool {
			if key.Resource != pods && key.Resource != claims {
				return v.awaits(key)
			}
			above := v.above(key.Generic(s[key]))
			return v.stuck[above] || v.awaits(above) || key.Resource == claims && v.mounted(key)
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool { return v.tells(d.Key, ch, v.stuck) },
	})
}

// mounted tells whether a claim is of a pod that is stuck in the twin, and that nothing of Kubernetes has made, or of
// the one of its name that was there before: who replaces such pods one after another makes the claim of the next one,
// or takes it away, behind it.
func (v *view) mounted(claim history.Key) bool {
	for key := range v.stuck {
		volumes := append(list(v.want.state[key], "spec", "volumes"), list(v.got.state[key], "spec", "volumes")...)
		if key.Resource == pods && key.Namespace == claim.Namespace && slices.ContainsFunc(volumes, func(volume history.Object) bool {
			return volume.Text("persistentVolumeClaim", "claimName") == claim.Name
		}) {
			return true
		}
	}
	return false
}

// stuck are the workloads of a state that have fewer pods ready than they want, or fewer that have been for as long as
// they have to be, the Jobs of which one does not start, and the pods that nothing of Kubernetes has made and that do
// not.
func stuck(s history.State) map[history.Key]bool {
	out := map[history.Key]bool{}
	for key, o := range s {
		if _, inner := controlled(key, o); key.Resource == pods && !inner && waiting(o) != "" && !isReady(o) {
			out[key.Generic(o)] = true
		}
		n, runs := wanted(key.Resource, o)
		short := ready(key.Resource, o) < n || number(o, "spec", "minReadySeconds") > 0 && available(key.Resource, o) < n
		if runs && o.At("status") != nil && short || key.Resource == jobs && slices.ContainsFunc(podsOf(s, key), func(pod history.Key) bool {
			return waiting(s[pod]) != "" && !isReady(s[pod])
		}) {
			out[key] = true
		}
	}
	return out
}

// awaits tells whether an object was there before the last step, and is not in the twin, in which something cannot
// become ready: an operator that does one thing after another makes it behind that, and leaves the one that there is
// until then. Where something was stuck before the step, what stays is of the step; what stayed then stands
// ([Case.Stand]).
func (v *view) awaits(key history.Key) bool {
	start := v.c.Last().Start
	return start[key] != nil && len(v.stuck) > 0 && v.want.state[key] == nil && !v.c.open && len(stuck(start)) == 0
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
