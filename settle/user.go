package settle

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// users ask for what is desired, and for something else.
func (x *explorer) users(n *node, emit emit) {
	deleted := map[string]bool{}
	for i, d := range x.desired {
		is := n.world.Get(d.key)
		number := ""
		if len(x.desired) > 1 {
			number = fmt.Sprintf(" (%d)", i+1)
		}
		switch {
		case is == nil && x.full(n):
		case is == nil:
			to, err := x.ask(n, d, kubestate.Request{Verb: "create", Body: d.create})
			if err != nil {
				x.fail(fmt.Errorf("settle: Desired: create %s: %w", short(d.key), err))
			}
			emit(step{fault: wish(i), label: label{"user", "create " + short(d.key) + number}}, to)
		case is.Meta().GetDeletionTimestamp() != nil:
		default:
			if !x.full(n) { // what is replaced may take its time, and there would be more and more
				x.change(n, i, is, "change "+short(d.key)+number, emit)
			}
			if x.config.Faults.Recreate && !deleted[d.key] {
				deleted[d.key] = true
				to := n.clone()
				x.remove(to, is, "user")
				emit(step{fault: "Recreate", label: label{"user", "delete " + short(d.key)}}, to)
			}
		}
	}
	if x.config.Faults.Evict {
		for o := range n.world.Objects() {
			if !isSystem(o) && !slices.ContainsFunc(x.desired, func(d desired) bool { return d.key == o.Key() }) {
				to := n.clone()
				x.remove(to, o, "somebody")
				if x.full(to) && to.world.Get(o.Key()) != nil {
					continue // it goes some time, and there would be more and more
				}
				emit(step{fault: "Evict", label: label{"somebody", "delete " + short(o.Key())}}, to)
			}
		}
	}
}

// full tells whether there are as many objects as users and faults may add to.
func (x *explorer) full(n *node) bool { return n.world.Len()-len(x.config.Systems) >= x.maxObjects }

// ask is n with what a user has asked for.
func (x *explorer) ask(n *node, d desired, r kubestate.Request) (*node, error) {
	r.Resource, r.Namespace, r.Agent = d.resource.Resource, d.object.GetNamespace(), "user"
	to := n.clone()
	a := x.write(to, &call{resource: d.resource, key: d.key, write: &r})
	if a.status != nil {
		return nil, failure(a.status)
	}
	return to, nil
}

// change lets users want something else, all of it in one write. What the API server
// refuses they cannot want.
func (x *explorer) change(n *node, i int, is *kubestate.Object, what string, emit emit) {
	d := x.desired[i]
	patch, err := x.patch(&d, is)
	if err != nil {
		x.fail(err)
		return
	}
	if patch == nil {
		return
	}
	to, err := x.ask(n, d, kubestate.Request{Verb: "patch", Name: d.object.GetName(), Patch: string(types.JSONPatchType), Body: patch})
	if err == nil && to.world.Get(d.key) != is {
		emit(step{fault: wish(i), label: label{"user", what}}, to)
	}
}

// wish names what users ask for, in order.
func wish(i int) string { return fmt.Sprint(wishPrefix, i+1) }

const wishPrefix = "Desired "
