package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// key is the custom resource's in all cases.
var key = history.Key{Resource: "things.example.com", Namespace: "default", Name: "a"}

// resources are those of the kinds in the states below.
var resources = map[string]string{
	"Thing": "things.example.com", "Pod": "pods", "Service": "services", "ConfigMap": "configmaps", "Secret": "secrets",
	"PersistentVolumeClaim": "persistentvolumeclaims", "PersistentVolume": "persistentvolumes", "Deployment": "deployments.apps",
	"StatefulSet": "statefulsets.apps", "DaemonSet": "daemonsets.apps", "ReplicaSet": "replicasets.apps",
	"ControllerRevision": "controllerrevisions.apps", "Job": "jobs.batch", "EndpointSlice": "endpointslices.discovery.k8s.io",
	"PodDisruptionBudget": "poddisruptionbudgets.policy", "HorizontalPodAutoscaler": "horizontalpodautoscalers.autoscaling", "Ingress": "ingresses.networking.k8s.io", "ServiceMonitor": "servicemonitors.monitoring.coreos.com", "Part": "parts.example.com", "Event": "events", "Namespace": "namespaces", "ResourceQuota": "resourcequotas",
}

// object reads one of YAML, in flow style mostly: {kind: Service, metadata: {name: a}}.
func object(t *testing.T, text string) (history.Key, history.Object) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var o history.Object
	if err := o.UnmarshalJSON(data); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	resource := resources[o.Text("kind")]
	if resource == "" {
		t.Fatalf("no resource of %q", text)
	}
	return history.Key{Resource: resource, Namespace: "default", Name: o.Text("metadata", "name")}, o
}

// state has an object a line.
func state(t *testing.T, text string) history.State {
	t.Helper()
	s := history.State{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			k, o := object(t, line)
			s[k] = o
		}
	}
	return s
}

// quiet is a step that came to rest in a state.
func quiet(t *testing.T, o *operation.Operation, start, end string) *oracle.Step {
	t.Helper()
	s := &oracle.Step{Operation: o, Start: state(t, start), End: state(t, end), Rest: oracle.Rest{Quiet: true, Still: true}}
	s.Resource = s.End[key]
	return s
}

// caseOf is a run of a seed and one operation.
func caseOf(t *testing.T, o *operation.Operation, seed, end string) *oracle.Case {
	t.Helper()
	last := quiet(t, o, seed, end)
	last.Before = last.Start[key]
	return &oracle.Case{Steps: []*oracle.Step{quiet(t, nil, "", seed), last}, Mask: history.DefaultMask(), Key: key}
}

// only leaves out all oracles but one.
func only(name string) func(string) bool { return func(n string) bool { return n != name } }

// said are the texts of what the oracle says of the case.
func said(name string, c *oracle.Case) []string {
	var out []string
	for _, d := range oracle.Judge(c, only(name)) {
		out = append(out, d.Text)
	}
	return out
}

// hold compares what an oracle says with what is wanted.
func hold(t *testing.T, name string, c *oracle.Case, want []string) {
	t.Helper()
	if got := said(name, c); !slices.Equal(got, want) {
		t.Errorf("%s says\n  %s\nwant\n  %s", name, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// property is a valid operation on a property.
func property(path string, sentinels ...string) *operation.Operation {
	return &operation.Operation{Property: path, Case: "changed", Sentinels: sentinels}
}
