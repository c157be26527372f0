// Package fight is two operators, each in a program of its own, that set one field each of the same
// ConfigMap: one says how much memory a Database has, and the other that it uses TLS. Each passes all of
// its tests. Installed together, each writes the whole ConfigMap as it thinks it should be, and
// takes what the other has written out of it, for ever: both are busy, nothing fails, and the
// Database is restarted all the time.
package fight

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// operator sees to one field of the settings of each Database.
type operator struct{ name, field, value string }

// The two operators.
var (
	sizing   = operator{"sizing", "memory", "4Gi"}
	security = operator{"security", "tls", "on"}
)

// write is how an operator writes its field: Buggy or Fixed.
type write func(ctx context.Context, c client.Client, o operator, db *sample.Database) error

// setup registers the controller.
func (o operator) setup(mgr ctrl.Manager, w write) error {
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).Named(o.name).For(&sample.Database{}).Owns(&corev1.ConfigMap{}).
		Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			var db sample.Database
			if err := c.Get(ctx, q.NamespacedName, &db); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			return reconcile.Result{}, w(ctx, c, o, &db)
		}))
}

// settings are the ConfigMap with what an operator has to say.
func (o operator) settings(db *sample.Database) *corev1.ConfigMap {
	m := &corev1.ConfigMap{Data: map[string]string{o.field: o.value}}
	m.Namespace, m.Name = db.Namespace, db.Name
	m.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(db, sample.Version.WithKind("Database"))}
	return m
}
