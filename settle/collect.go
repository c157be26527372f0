package settle

import (
	"fmt"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// collect deletes what has no owner any more.
func (x *explorer) collect(n *node, emit emit) {
	uids := map[string]bool{}
	for o := range n.world.Objects() {
		uids[string(o.Meta().GetUID())] = true
	}
	for o := range n.world.Objects() {
		owners := o.Meta().GetOwnerReferences()
		if len(owners) == 0 || o.Meta().GetDeletionTimestamp() != nil {
			continue
		}
		orphan := true
		for _, owner := range owners {
			orphan = orphan && !uids[string(owner.UID)]
		}
		if orphan {
			to := n.clone()
			x.remove(to, o, "garbage-collector")
			emit(step{class: "collect " + o.Key(), label: label{"garbage collector", "delete " + short(o.Key())}}, to)
		}
	}
}

// remove deletes an object in n, which is changed.
func (x *explorer) remove(n *node, o *kubestate.Object, agent string) {
	r, ok := x.resourceOf(o)
	if !ok {
		return
	}
	body := fmt.Sprintf(`{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":%q}}`, o.Meta().GetUID())
	x.write(n, &call{
		resource: r, key: o.Key(), text: "delete " + short(o.Key()),
		write: &kubestate.Request{Verb: "delete", Resource: r.Resource, Namespace: o.Meta().GetNamespace(), Name: o.Meta().GetName(), Body: []byte(body), Agent: agent},
	})
}
