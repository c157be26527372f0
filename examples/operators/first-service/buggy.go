package firstservice

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy makes a Service if there is none, and looks at it never again.
func buggy() operator.Operator {
	o := base()
	o.Write = func(ctx context.Context, w *operator.Writer, child client.Object) error {
		if _, service := child.(*corev1.Service); service {
			if live, err := w.Get(ctx, child); live != nil || err != nil {
				return err
			}
		}
		return w.Replace(ctx, child)
	}
	return o
}
