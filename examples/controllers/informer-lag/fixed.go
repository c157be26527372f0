package informerlag

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// fixed gives each runner a name, so that none is created twice, and asks the API
// server which there are.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader(), runners: mgr.GetAPIReader()}
	r.fill = func(ctx context.Context, pool *RunnerPool, runners []corev1.Pod) (bool, error) {
		created := false
		for i := range pool.Spec.Size {
			name := fmt.Sprintf("%s-%d", pool.Name, i)
			if at := slices.IndexFunc(runners, func(pod corev1.Pod) bool { return pod.Name == name }); at >= 0 {
				if err := sample.CheckOwner(&runners[at], pool); err != nil {
					return false, err
				}
				continue
			}
			if err := r.create(ctx, pool, metav1.ObjectMeta{Name: name}); err != nil {
				return false, err
			}
			created = true
		}
		return created, nil
	}
	return r.watch(mgr)
}
