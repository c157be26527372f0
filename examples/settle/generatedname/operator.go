// Package generatedname is an operator that gives each Database a Secret with a name that
// the API server draws, and notes the name: once with a mistake, and once without.
package generatedname

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Reconciler sees to it that each Database has a Secret.
type Reconciler struct {
	client.Client
	// Ensure is what it does for a sample.Database that is wanted: Buggy or Fixed.
	Ensure func(context.Context, client.Client, *sample.Database) error
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Owns(&corev1.Secret{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	var db sample.Database
	if err := r.Get(ctx, q.NamespacedName, &db); err != nil || db.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Ensure(ctx, r.Client, &db)
}

// secret is one for a Database, which goes with it.
func secret(db *sample.Database) *corev1.Secret {
	owner := *metav1.NewControllerRef(db, sample.Version.WithKind("Database"))
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, OwnerReferences: []metav1.OwnerReference{owner}}}
}
