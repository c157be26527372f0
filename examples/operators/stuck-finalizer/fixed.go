package stuckfinalizer

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed takes an index away that is there.
func fixed() operator.Operator {
	return base(func(ctx context.Context, w *operator.Writer, index client.Object) error {
		return client.IgnoreNotFound(w.Delete(ctx, index))
	})
}
