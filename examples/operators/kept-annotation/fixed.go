package keptannotation

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed remembers which annotations it gave a child, and takes back those of them that
// are no longer wanted.
func fixed() operator.Operator {
	o := base()
	o.Write = func(ctx context.Context, w *operator.Writer, child client.Object) error {
		return w.Put(ctx, child, operator.Annotations)
	}
	return o
}
