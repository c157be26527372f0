// Package edgetriggered is an operator that looks at a Database when something happens to it or to its
// Secret, and at no other time. Somebody deletes the Secret while the watch of Secrets is broken, just
// after the operator has made it again. When the watch is back, Secrets are listed, and compared with what
// was known: there was none, and there is none. No event tells the operator, and there is none until
// it is restarted, or until all is gone through again, which is ten hours by default.
package edgetriggered

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// setup registers the controller, with what it returns when all is done: Buggy or Fixed.
func setup(mgr ctrl.Manager, done ctrl.Result) error {
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Owns(&corev1.Secret{}).
		Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			var db sample.Database
			if err := c.Get(ctx, q.NamespacedName, &db); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			err := c.Get(ctx, q.NamespacedName, &corev1.Secret{})
			if apierrors.IsNotFound(err) {
				err = c.Create(ctx, sample.Secret(&db, db.Name))
			}
			return done, err
		}))
}
