package keptannotation

import (
	"context"
	"maps"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy merges the annotations that are wanted into those that a child has, so that
// those of others stay. Those that the user took back stay as well.
func buggy() operator.Operator {
	o := base()
	o.Write = func(ctx context.Context, w *operator.Writer, child client.Object) error {
		return w.Put(ctx, child, func(live, wanted map[string]string) map[string]string {
			merged := map[string]string{}
			maps.Copy(merged, live)
			maps.Copy(merged, wanted)
			return merged
		})
	}
	return o
}
