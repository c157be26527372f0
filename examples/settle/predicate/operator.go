// Package predicate is an operator that rests while a Database has the annotation paused, so that its
// users can mend something by hand. It looks at Databases only when their generation changes, to be
// spared its own changes of their status. But annotations have no part in the generation: when the
// annotation is removed, the operator is not told, and rests on until it is restarted.
package predicate

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

const paused = "example.com/paused"

// setup registers the controller, which hears of these changes: Buggy or Fixed.
func setup(mgr ctrl.Manager, changes predicate.Predicate) error {
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}, builder.WithPredicates(changes)).
		Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			var db sample.Database
			if err := c.Get(ctx, q.NamespacedName, &db); err != nil || db.Annotations[paused] != "" {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			return reconcile.Result{}, client.IgnoreAlreadyExists(c.Create(ctx, sample.Secret(&db, db.Name)))
		}))
}
