// Package sample is what small operators have in common: Databases, each of which is to have a
// Secret. What is done for one is in the other packages, once with a mistake and once without.
package sample

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// Ensure is what an operator does for a Database, also for one that is being deleted.
type Ensure func(ctx context.Context, c client.Client, db *Database) error

// reconciler calls Ensure for each Database.
type reconciler struct {
	client.Client
	ensure Ensure
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	var db Database
	if err := r.Get(ctx, q.NamespacedName, &db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.ensure(ctx, r.Client, &db)
}

// New is the reconciler of such an operator.
func New(c client.Client, ensure Ensure) reconcile.Reconciler { return &reconciler{c, ensure} }

// Config has such an operator, a Database that wants a Secret of a name, and what may go
// wrong.
func Config(ensure Ensure, faults settle.Faults, name string) settle.Config {
	db := &Database{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "shop"}, Spec: DatabaseSpec{Name: name}}
	return settle.Config{
		Scheme: Scheme(),
		CRDs:   []string{"../sample/crd.yaml"},
		Setup: func(mgr ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(mgr).For(&Database{}).Owns(&corev1.Secret{}).Complete(New(mgr.GetClient(), ensure))
		},
		Desired: []client.Object{db}, Faults: faults, MaxStates: 50_000,
	}
}

// Secret is one of a Database, which goes with it.
func Secret(db *Database, name string) *corev1.Secret {
	owner := *metav1.NewControllerRef(db, Version.WithKind("Database"))
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: name, OwnerReferences: []metav1.OwnerReference{owner}}}
}

// Secrets are the names of all that there are.
func Secrets(ctx context.Context, c client.Reader) (names []string, err error) {
	var all corev1.SecretList
	if err := c.List(ctx, &all); err != nil {
		return nil, err
	}
	for _, s := range all.Items {
		names = append(names, s.Name)
	}
	return names, nil
}
