package skippedvolume

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy copies into a StatefulSet what the API server lets it change. What may not be
// changed, such as the volumes, is left out, and nothing is said of that.
func buggy() operator.Operator {
	o := base()
	o.Write = func(ctx context.Context, w *operator.Writer, child client.Object) error {
		set, ok := child.(*appsv1.StatefulSet)
		if !ok {
			return w.Replace(ctx, child)
		}
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			live, err := w.Get(ctx, set)
			if live == nil || err != nil {
				return createSet(ctx, w, set, err)
			}
			there := live.(*appsv1.StatefulSet)
			there.Spec.Replicas = set.Spec.Replicas
			there.Spec.Template = set.Spec.Template
			return w.Update(ctx, there)
		})
	}
	return o
}

func createSet(ctx context.Context, w *operator.Writer, set *appsv1.StatefulSet, err error) error {
	if err != nil {
		return err
	}
	return w.Create(ctx, set)
}
