package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/trace"
)

// TestSharesBudgets: pods have several budgets if two of their namespace select them,
// whether these are there or come later.
func TestSharesBudgets(t *testing.T) {
	budget := func(namespace, name, labels string) json.RawMessage {
		return fmt.Appendf(nil, `{"kind":"PodDisruptionBudget","metadata":{"name":%q,"namespace":%q},"spec":{"selector":{"matchLabels":{%s}}}}`, name, namespace, labels)
	}
	deployment := json.RawMessage(`{"kind":"Deployment","metadata":{"name":"web"},"spec":{"template":{"metadata":{"labels":{"app":"web","tier":"x"}}}}}`)
	app, tier, other := budget("", "a", `"app":"web"`), budget("default", "b", `"tier":"x"`), budget("", "c", `"app":"db"`)
	for _, c := range []struct {
		name    string
		objects []json.RawMessage
		comes   json.RawMessage
		shares  bool
	}{
		{"none", []json.RawMessage{deployment}, nil, false},
		{"one", []json.RawMessage{deployment, app}, nil, false},
		{"two", []json.RawMessage{deployment, app, tier}, nil, true},
		{"of other pods", []json.RawMessage{deployment, app, other}, nil, false},
		{"in another namespace", []json.RawMessage{deployment, app, budget("other", "b", `"tier":"x"`)}, nil, false},
		{"one comes", []json.RawMessage{deployment, app}, tier, true},
		{"the same comes again", []json.RawMessage{deployment, app}, app, false},
		{"of pods alone", []json.RawMessage{json.RawMessage(`{"kind":"Pod","metadata":{"name":"p","labels":{"app":"web","tier":"x"}}}`), app, tier}, nil, true},
	} {
		tr := &trace.Trace{Setup: &trace.Setup{Objects: c.objects}}
		if c.comes != nil {
			tr.Steps = []trace.Step{{Acts: []trace.Act{{Verb: "apply", Manifest: c.comes}}}}
		}
		if got := sharesBudgets(tr); got != c.shares {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	template := &trace.Trace{Setup: &trace.Setup{
		Objects:   []json.RawMessage{app, tier},
		Workloads: []trace.Workload{{Object: "Deployment default/web", Revisions: []trace.Revision{{Template: []byte(`{"metadata":{"labels":{"app":"web","tier":"x"}}}`)}}}},
	}}
	if !sharesBudgets(template) {
		t.Error("a template that comes later is not looked at")
	}
}

// TestSoonerPolicy: every pod is old enough, whatever else a policy says.
func TestSoonerPolicy(t *testing.T) {
	got, err := soonerPolicy([]byte(`{"profiles":[{"pluginConfig":[{"name":"PodLifeTime","args":{"maxPodLifeTimeSeconds":86400}},{"name":"DefaultEvictor","args":{"minPodAge":"10m","nodeFit":true}}]}]}`))
	const want = `{"profiles":[{"pluginConfig":[{"args":{"maxPodLifeTimeSeconds":0},"name":"PodLifeTime"},{"args":{"minPodAge":"0s","nodeFit":true},"name":"DefaultEvictor"}]}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := soonerPolicy([]byte(`{`)); err == nil {
		t.Error("half a policy is one")
	}
}

// TestLeaves: an apply that leaves another spec than the trace says has diverged.
func TestLeaves(t *testing.T) {
	before := []byte(`{"metadata":{"name":"web"},"spec":{"replicas":2,"paused":true}}`)
	act := &trace.Act{Verb: "apply", By: "apply", Object: "Deployment default/web", Patch: []byte(`{"spec":{"replicas":3}}`)}
	if err := leaves(act, before, []byte(`{"metadata":{"generation":2},"spec":{"replicas":3,"paused":true}}`)); err != nil {
		t.Error(err)
	}
	if diverged := new(divergence); !errors.As(leaves(act, before, []byte(`{"spec":{"replicas":3}}`)), &diverged) {
		t.Error("a field that is gone makes no difference")
	}
	act.Patch = nil
	if err := leaves(act, before, before); err != nil {
		t.Error(err)
	}
}
