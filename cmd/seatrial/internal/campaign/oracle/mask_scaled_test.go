package oracle_test

import (
	"fmt"
	"testing"
)

// TestAutoscaledSaid: what is said of replicas that an autoscaler has chosen follows from these; what else is said does
// not.
func TestAutoscaledSaid(t *testing.T) {
	of := func(replicas int, message, allowed string) string {
		return fmt.Sprintf(`{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, message: %q}]}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: %d, template: {metadata: {labels: {app: a}}}}}
			{kind: PodDisruptionBudget, metadata: {name: a}, spec: {selector: {matchLabels: {app: a}}}, status: {conditions: [{type: DisruptionAllowed, status: %q}]}}
			{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: a}, minReplicas: 2, maxReplicas: 4}, status: {desiredReplicas: %d}}
		`, message, replicas, allowed, replicas%3)
	}
	for _, c := range []struct {
		name      string
		end, twin string
		speaks    bool
	}{
		{"how many are ready", of(4, "4 of 4 are ready", "True"), of(2, "2 of 2 are ready", "False"), false},
		{"something else", of(4, "4 of 4 are ready", "True"), of(2, "2 of 2 are old", "False"), true},
		{"as many in both", of(4, "4 of 4 are ready", "True"), of(4, "2 of 2 are ready", "True"), true},
	} {
		got := said("twin", twins(t, property("spec.size"), "", c.end, c.twin, ""))
		if (len(got) > 0) != c.speaks {
			t.Errorf("%s: %q, and it speaks is to be %t", c.name, got, c.speaks)
		}
	}
}

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
