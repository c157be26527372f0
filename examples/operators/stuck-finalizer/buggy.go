package stuckfinalizer

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy takes an index away that may not be there.
func buggy() operator.Operator {
	return base(func(ctx context.Context, w *operator.Writer, index client.Object) error { return w.Delete(ctx, index) })
}
