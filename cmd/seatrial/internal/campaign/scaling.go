package campaign

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// autoscalers are objects that set how many pods a workload has.
const autoscalers = "horizontalpodautoscalers.autoscaling"

// scaling says which workload has fewer pods than its autoscaler sees to, or more: that comes about with its next look,
// whatever is measured (k8s.io/kubernetes/pkg/controller/podautoscaler). One of no pods is left alone.
func scaling(s history.State) string {
	for _, k := range s.Keys() {
		scaler := s[k]
		if k.Resource != autoscalers || scaler == nil || scaler.At("metadata", "deletionTimestamp") != nil {
			continue
		}
		for _, resource := range []string{"deployments.apps", "statefulsets.apps", "replicasets.apps"} {
			target := history.Key{Resource: resource, Namespace: k.Namespace, Name: scaler.Text("spec", "scaleTargetRef", "name")}
			o := s[target]
			if o == nil || o.Text("kind") != scaler.Text("spec", "scaleTargetRef", "kind") {
				continue
			}
			if n, is := o.Number("spec", "replicas"); is && n > 0 && !oracle.Allows(scaler, n) {
				return fmt.Sprintf("%s has %d pods, which %s does not allow", target, n, k)
			}
		}
	}
	return ""
}
