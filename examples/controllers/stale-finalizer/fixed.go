package stalefinalizer

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// fixed asks the API server whether the database is being deleted, and deletes only
// what it has seen to be of that database.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), read: mgr.GetAPIReader()}
	r.clear = func(ctx context.Context, db *Database) (bool, error) {
		sets := &appsv1.StatefulSetList{}
		claims := &corev1.PersistentVolumeClaimList{}
		for _, list := range []client.ObjectList{sets, claims} {
			if err := r.read.List(ctx, list, client.InNamespace(db.Namespace), client.MatchingLabels{instance: db.Name}); err != nil {
				return false, err
			}
		}
		// While a database is kept by its finalizer there is no other of its name. If it
		// still is, what was listed before is not another's.
		now := &Database{}
		if err := r.read.Get(ctx, client.ObjectKeyFromObject(db), now); err != nil || now.UID != db.UID {
			return false, client.IgnoreNotFound(err)
		}
		left := 0
		for i := range sets.Items {
			if set := &sets.Items[i]; metav1.IsControlledBy(set, db) {
				left++
				if err := r.remove(ctx, set); err != nil {
					return false, err
				}
			}
		}
		for i := range claims.Items {
			left++
			if err := r.remove(ctx, &claims.Items[i]); err != nil {
				return false, err
			}
		}
		return left == 0, nil
	}
	return r.watch(mgr)
}

// remove deletes the object as it was read, once.
func (r *reconciler) remove(ctx context.Context, object client.Object) error {
	if object.GetDeletionTimestamp() != nil {
		return nil
	}
	return client.IgnoreNotFound(r.Delete(ctx, object, sample.Unchanged(object)))
}
