package campaign

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

// TestUnready: a rollout is over when all pods are of the last template and count as available, as each kind of
// workload says it.
func TestUnready(t *testing.T) {
	for _, test := range []struct{ name, resource, spec, status, want string }{
		{"a Deployment", "deployments.apps", "{replicas: 3}", "{readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3}", ""},
		{"pods that are not ready", "deployments.apps", "{replicas: 3}", "{readyReplicas: 2, updatedReplicas: 3}", "2 of 3 pods are ready"},
		{"none is updated, which is not said", "statefulsets.apps", "{replicas: 3}", "{readyReplicas: 3}", "0 of 3 pods are updated"},
		{"up to the partition", "statefulsets.apps", "{replicas: 3, updateStrategy: {rollingUpdate: {partition: 2}}}", "{readyReplicas: 3, updatedReplicas: 1}", ""},
		{"all are in the partition", "statefulsets.apps", "{replicas: 3, updateStrategy: {rollingUpdate: {partition: 5}}}", "{readyReplicas: 3}", ""},
		{"when somebody deletes them", "statefulsets.apps", "{replicas: 3, updateStrategy: {type: OnDelete}}", "{readyReplicas: 3, updatedReplicas: 1}", ""},
		{"not as long as it is paused", "deployments.apps", "{replicas: 3, paused: true}", "{readyReplicas: 3}", ""},
		{"an old ReplicaSet", "replicasets.apps", "{replicas: 0}", "{replicas: 0}", ""},
		{"a DaemonSet", "daemonsets.apps", "{}", "{desiredNumberScheduled: 3, numberReady: 3, updatedNumberScheduled: 3}", ""},
		{"a DaemonSet in the middle", "daemonsets.apps", "{}", "{desiredNumberScheduled: 3, numberReady: 3, updatedNumberScheduled: 1}", "1 of 3 pods are updated"},
		{"without nodes", "daemonsets.apps", "{}", "{desiredNumberScheduled: 0, numberReady: 0}", ""},
		{"pods that were ready for too short", "daemonsets.apps", "{minReadySeconds: 2}", "{desiredNumberScheduled: 3, numberReady: 3, updatedNumberScheduled: 3, numberAvailable: 2}", "2 of 3 pods are available"},
		{"longer than anybody waits", "deployments.apps", "{replicas: 3, minReadySeconds: 600}", "{readyReplicas: 3, updatedReplicas: 3}", ""},
		{"nobody has seen it", "deployments.apps", "{replicas: 0}", "{observedGeneration: 1}", "its controller has not seen it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			generation := "1"
			if test.want == "its controller has not seen it" {
				generation = "2"
			}
			var o history.Object
			if err := yaml.Unmarshal([]byte("{metadata: {generation: "+generation+"}, spec: "+test.spec+", status: "+test.status+"}"), &o); err != nil {
				t.Fatal(err)
			}
			if _, said := o.Number("status", "observedGeneration"); !said {
				o["status"].(map[string]any)["observedGeneration"] = float64(1)
			}
			if got := unready(test.resource, o); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPassing: a pod that its kubelet ends passes, and what counts it; one that is held, or has no kubelet, may stay.
func TestPassing(t *testing.T) {
	for _, test := range []struct {
		name, resource, object string
		want                   bool
	}{
		{"a pod", "pods", "{spec: {nodeName: a}}", false},
		{"it is being deleted", "pods", "{metadata: {deletionTimestamp: now}, spec: {nodeName: a}}", true},
		{"it has no node", "pods", "{metadata: {deletionTimestamp: now}}", false},
		{"somebody holds it", "pods", "{metadata: {deletionTimestamp: now, finalizers: [example.com/hold]}, spec: {nodeName: a}}", false},
		{"a Deployment", "deployments.apps", "{status: {replicas: 2}}", false},
		{"it counts one that ends", "deployments.apps", "{status: {replicas: 2, terminatingReplicas: 1}}", true},
		{"anything else", "configmaps", "{metadata: {deletionTimestamp: now}}", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var o history.Object
			if err := yaml.Unmarshal([]byte(test.object), &o); err != nil {
				t.Fatal(err)
			}
			s := history.State{{Resource: test.resource, Namespace: "default", Name: "a"}: o}
			if got := passing(s); got != test.want || got != (others(s) != "") {
				t.Errorf("%t, %q", got, others(s))
			}
		})
	}
}
