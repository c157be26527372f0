package firstservice

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed makes each child what it is to be, whether it is there or not.
func fixed() operator.Operator {
	o := base()
	o.Write = func(ctx context.Context, w *operator.Writer, child client.Object) error {
		return w.Replace(ctx, child)
	}
	return o
}
