package unowneddashboard

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy makes the dashboard beside the children, as what was added later often is: it comes and goes as
// it is asked for, and has no owner.
func buggy() operator.Operator {
	o := base()
	o.Settle = func(ctx context.Context, w *operator.Writer, resource operator.Resource) error {
		c := resource.(*Collector)
		d := dashboard(c)
		d.Namespace = c.Namespace
		if !c.Spec.Dashboard {
			return client.IgnoreNotFound(w.Delete(ctx, d))
		}
		if err := w.Create(ctx, d); !apierrors.IsAlreadyExists(err) {
			return err
		}
		return nil
	}
	return o
}
