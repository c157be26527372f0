package stalefinalizer

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// buggy believes a cached deletionTimestamp, and deletes by name. When the cache is old
// and there is another database of the name, that one loses its data.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), read: mgr.GetClient()}
	r.clear = func(ctx context.Context, db *Database) (bool, error) {
		set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: db.Name}}
		if err := r.Delete(ctx, set); client.IgnoreNotFound(err) != nil {
			return false, err
		}
		claims := &corev1.PersistentVolumeClaimList{}
		if err := r.read.List(ctx, claims, client.InNamespace(db.Namespace), client.MatchingLabels{instance: db.Name}); err != nil {
			return false, err
		}
		for i := range claims.Items {
			if err := r.Delete(ctx, &claims.Items[i]); client.IgnoreNotFound(err) != nil {
				return false, err
			}
		}
		return len(claims.Items) == 0, nil
	}
	return r.watch(mgr)
}
