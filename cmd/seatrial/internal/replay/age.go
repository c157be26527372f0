package replay

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/trace"
)

// age makes the pods of the start equally old, to the second: a trace does not say
// how old they are, and a preemption looks at it.
func (r *run) age(ctx context.Context, pods []trace.Pod) error {
	first := ""
	for i := range pods {
		_, pod := r.real(&pods[i])
		if began := text(pod, "status", "startTime"); began != "" && (first == "" || began < first) {
			first = began
		}
	}
	for i := range pods {
		n, pod := r.real(&pods[i])
		if began := text(pod, "status", "startTime"); began == "" || began == first {
			continue
		}
		patch := fmt.Appendf(nil, `{"status":{"startTime":%q}}`, first)
		if _, err := r.client.CoreV1().Pods(n.namespace).Patch(ctx, n.name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager}, "status"); err != nil {
			return err
		}
	}
	return nil
}
