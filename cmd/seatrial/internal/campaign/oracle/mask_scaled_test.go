package oracle_test

import (
	"fmt"
	"testing"
)

// TestAutoscaled: replicas count that no autoscaler has to do with, or that one does not allow.
func TestAutoscaled(t *testing.T) {
	of := func(replicas int, autoscaler string) string {
		return thing + fmt.Sprintf("{kind: Deployment, metadata: {name: a}, spec: {replicas: %d}}\n", replicas) + autoscaler
	}
	const one = "{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: a}, minReplicas: 2, maxReplicas: 4}}"
	const another = "{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: b}, minReplicas: 2, maxReplicas: 4}}"
	for _, c := range []struct {
		name      string
		end, twin string
		speaks    bool
	}{
		{"within", of(4, one), of(2, one), false},
		{"above", of(5, one), of(2, one), true},
		{"below", of(4, one), of(1, one), true},
		{"of another workload", of(4, another), of(2, another), true},
		{"not there any more", of(4, thing), of(2, thing), true},
	} {
		got := said("twin", twins(t, property("spec.size"), "", c.end, c.twin, ""))
		if (len(got) > 0) != c.speaks {
			t.Errorf("%s: %q, and it speaks is to be %t", c.name, got, c.speaks)
		}
	}
}
