package replay

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/history"
)

// A machine that is lost at the start has been for long: its node has the taint by which pods
// are scheduled elsewhere, and that by which they are evicted. The second comes at the pace of
// evictions, and not at all where many machines of a zone are lost at once; here it is written
// for the node lifecycle controller, which takes it away again where no node is left.

// noticed tells whether a node's machine is known to be lost.
func noticed(node history.Object) bool {
	return readiness(node) == "Unknown" && taints(node, "spec", "taints")[corev1.TaintNodeUnreachable+":NoSchedule"]
}

// forsaken tells whether the pods of a node are to be evicted.
func forsaken(node history.Object) bool {
	return taints(node, "spec", "taints")[corev1.TaintNodeUnreachable+":NoExecute"]
}

// forsakes tells whether pods are evicted from nodes that are lost at the start: from none if
// all are (handleDisruption of pkg/controller/nodelifecycle).
func (r *run) forsakes() bool {
	nodes := 0
	for _, raw := range r.trace.Setup.Objects {
		if kindOf(raw) == "Node" {
			nodes++
		}
	}
	return nodes > len(r.lost)
}

// forsake has pods evicted from the nodes that are lost at the start.
func (r *run) forsake(ctx context.Context) error {
	for _, lost := range r.lost {
		if node := r.view.object("nodes", "", lost); !noticed(node) || forsaken(node) || !r.forsakes() {
			continue
		}
		node, err := r.client.CoreV1().Nodes().Get(ctx, lost, metav1.GetOptions{})
		if err != nil {
			return err
		}
		evicts := func(t corev1.Taint) bool {
			return t.Key == corev1.TaintNodeUnreachable && t.Effect == corev1.TaintEffectNoExecute
		}
		if slices.ContainsFunc(node.Spec.Taints, evicts) {
			continue // the history does not show it yet
		}
		now := metav1.Now()
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute, TimeAdded: &now})
		_, err = r.client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{FieldManager: manager})
		if err != nil && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}
