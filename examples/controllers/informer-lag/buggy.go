package informerlag

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// buggy counts the runners that its cache has. When pods come to it later than pools
// do, it does not know of those that it has just created.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader(), runners: mgr.GetClient()}
	r.fill = func(ctx context.Context, pool *RunnerPool, runners []corev1.Pod) (bool, error) {
		missing := pool.Spec.Size - len(runners)
		for range missing {
			if err := r.create(ctx, pool, metav1.ObjectMeta{GenerateName: pool.Name + "-"}); err != nil {
				return false, err
			}
		}
		return missing > 0, nil
	}
	return r.watch(mgr)
}
