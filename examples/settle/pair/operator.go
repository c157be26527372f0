// Package pair is an operator of a database with several members, which talk to each other with TLS or
// without. It can turn TLS off, member by member, and it can add members. But when somebody does both
// in one edit, a new member starts without TLS among members that have it: it cannot join, and as
// long as it has not joined, no other member can be changed. Neither field alone shows that.
//
// The operator of a well-known database had a note in its documentation that the two are not to be
// changed at once.
package pair

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// reconciler has a Cluster of the size and the mode that its Database says.
type reconciler struct {
	client.Client
	cluster Cluster
	// joins is the mode in which a member is added: Buggy or Fixed.
	joins func(want Mode, members []Mode) Mode
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	var db sample.Database
	if err := r.Get(ctx, q.NamespacedName, &db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	members, err := r.cluster.Members(ctx)
	if err != nil {
		return ctrl.Result{}, err
	}
	want, size := Plain, int(db.Spec.Replicas)
	if db.Spec.TLS {
		want = TLS
	}
	switch i, mode := next(members, want); {
	case len(members) < size:
		return reconcile.Result{RequeueAfter: time.Second}, r.cluster.Set(ctx, len(members), r.joins(want, members))
	case len(members) > size:
		return reconcile.Result{RequeueAfter: time.Second}, r.cluster.Remove(ctx)
	case i >= 0:
		return reconcile.Result{RequeueAfter: time.Second}, r.cluster.Set(ctx, i, mode)
	}
	return reconcile.Result{}, nil
}

// next is the next member to be changed, and to what: all prefer a mode before the first has it
// only. It is -1 if all is done.
func next(members []Mode, want Mode) (int, Mode) {
	for i, is := range members {
		if is != want && is != Prefer {
			return i, Prefer
		}
	}
	for i, is := range members {
		if is != want {
			return i, want
		}
	}
	return -1, ""
}
