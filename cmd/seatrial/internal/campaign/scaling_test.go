package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestScaling: a workload is waited for that its autoscaler will give other pods at once, and none that it leaves
// alone.
func TestScaling(t *testing.T) {
	key := func(resource, name string) history.Key {
		return history.Key{Resource: resource, Namespace: "shop", Name: name}
	}
	scaler := func(name string, least, most int64) history.Object {
		return history.Object{"spec": map[string]any{"minReplicas": least, "maxReplicas": most, "scaleTargetRef": map[string]any{"kind": "Deployment", "name": name}}}
	}
	for _, test := range []struct {
		name     string
		replicas int64
		scaler   history.Object
		want     string
	}{
		{"too few", 3, scaler("web", 5, 7), "deployments.apps shop/web has 3 pods, which horizontalpodautoscalers.autoscaling shop/web does not allow"},
		{"too many", 9, scaler("web", 5, 7), "deployments.apps shop/web has 9 pods, which horizontalpodautoscalers.autoscaling shop/web does not allow"},
		{"as many as it may", 7, scaler("web", 5, 7), ""},
		{"none", 0, scaler("web", 5, 7), ""},
		{"of another workload", 3, scaler("other", 5, 7), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := history.State{
				key(autoscalers, "web"):        test.scaler,
				key("deployments.apps", "web"): {"kind": "Deployment", "spec": map[string]any{"replicas": test.replicas}},
			}
			if got := scaling(s); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
