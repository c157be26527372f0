package settle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// users ask for what is desired, and for something else.
func (x *explorer) users(n *node, emit emit) {
	ask := func(d desired, what string, r kubestate.Request) {
		r.Resource, r.Namespace, r.Agent = d.resource.Resource, d.object.GetNamespace(), "user"
		to := n.clone()
		a := x.write(to, &call{resource: d.resource, key: d.key, text: what, write: &r})
		if a.status != nil {
			x.fail(fmt.Errorf("settle: Desired: %s: %w", what, failure(a.status)))
		}
		emit(step{"", label{"user", what}}, to)
	}
	deleted := map[string]bool{}
	for i, d := range x.desired {
		is := n.world.Get(d.key)
		number := ""
		if len(x.desired) > 1 {
			number = fmt.Sprintf(" (%d)", i+1)
		}
		switch {
		case is == nil && n.world.Len() >= x.maxObjects:
		case is == nil:
			ask(d, "create "+short(d.key)+number, kubestate.Request{Verb: "create", Body: d.create})
		case is.Meta().GetDeletionTimestamp() != nil:
		default:
			if slices.ContainsFunc(x.desired, func(o desired) bool { return o.key == d.key && string(o.spec) != string(d.spec) }) {
				ask(d, "change "+short(d.key)+number, kubestate.Request{Verb: "patch", Name: d.object.GetName(), Patch: "application/merge-patch+json", Body: d.spec})
			}
			if x.config.Faults.Recreate && !deleted[d.key] {
				deleted[d.key] = true
				to := n.clone()
				x.remove(to, is, "user")
				emit(step{"", label{"user", "delete " + short(d.key)}}, to)
			}
		}
	}
	if x.config.Faults.Evict {
		for o := range n.world.Objects() {
			if !slices.ContainsFunc(x.desired, func(d desired) bool { return d.key == o.Key() }) {
				to := n.clone()
				x.remove(to, o, "somebody")
				emit(step{"", label{"somebody", "delete " + short(o.Key())}}, to)
			}
		}
	}
}
