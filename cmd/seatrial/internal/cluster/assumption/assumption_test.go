package assumption

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {POD containers: [{name: c, image: "web:1", resources: {requests: {cpu: 500m}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  minReplicas: 2
  maxReplicas: 50
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [METRIC]
---
`

const (
	cpu      = `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}`
	external = `{type: External, external: {metric: {name: queue}, target: {type: Value, value: "5"}}}`
	nodes    = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}\n---\n"
	quiet    = "apiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec: {}\n"
)

// fits lets every pod run from so many nodes on.
func fits(nodes int) Runs {
	return func(in *manifest.Input) (int, int, error) {
		n := 0
		for _, p := range in.Scenario.Value.Spec.NodePools {
			n += p.Min
		}
		return min(n, nodes), nodes, nil
	}
}

func complete(t *testing.T, pod, metric, more string, runs Runs) Completed {
	t.Helper()
	return completeAsked(t, pod, metric, more, Asked{Happens: func(scenario.EventType) bool { return true }}, runs)
}

func completeAsked(t *testing.T, pod, metric, more string, asked Asked, runs Runs) Completed {
	t.Helper()
	text := strings.NewReplacer("POD", pod, "METRIC", metric).Replace(deployment) + more
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	given := in.Scenario
	out, err := Complete(in, asked, runs)
	if err != nil {
		t.Fatal(err)
	}
	if in.Scenario != given {
		t.Error("the input is changed")
	}
	return out
}

// TestEvents: without a Scenario anything usual may happen, with one only what
// it says.
func TestEvents(t *testing.T) {
	types := func(c Completed) string {
		var out []string
		for _, e := range c.Input.Scenario.Value.Spec.Events {
			out = append(out, string(e.Type))
		}
		return strings.Join(out, " ")
	}
	c := complete(t, "", cpu, nodes, nil)
	if got := types(c); got != "rollout drain node-loss load" || *c.Input.Scenario.Value.Spec.MaxEvents != 2 {
		t.Errorf("events %q", got)
	}
	load := c.Input.Scenario.Value.Spec.Events[3]
	if load.Workload.Name != "web" || load.Range.Min.String() != "800m" || load.Range.Max.String() != "14400m" {
		t.Errorf("the load moves between %s and %s", load.Range.Min.String(), load.Range.Max.String())
	}
	if got := types(complete(t, "", external, nodes, nil)); got != "rollout drain node-loss" {
		t.Errorf("with an external metric: events %q", got)
	}
	if got := types(complete(t, "", cpu, nodes+quiet, nil)); got != "" {
		t.Errorf("with a Scenario: events %q", got)
	}
}

// texts are what was assumed, a line each.
func texts(c Completed) string {
	var out []string
	for _, line := range c.Lines {
		out = append(out, line.Text)
	}
	return strings.Join(out, "\n")
}

// TestLines: what is said to be assumed is what happens in this check.
func TestLines(t *testing.T) {
	only := func(types ...scenario.EventType) Asked {
		return Asked{Happens: func(e scenario.EventType) bool { return slices.Contains(types, e) }}
	}
	everything := only(scenario.EventTypes()...)
	exact := everything
	exact.Exact = true
	const capped = "\nthe load of Deployment default/web asks for 36 replicas at most"
	for _, c := range []struct {
		name, metric, nodes string
		asked               Asked
		want                string
	}{
		{"all", cpu, nodes, everything, "no Scenario: any rollout, drain, node loss or load within an HPA's range, 2 in all, one at a time" + capped},
		{"no load", external, nodes, everything, "no Scenario: any rollout, drain or node loss, 2 in all, one at a time\nthe metrics of HorizontalPodAutoscaler default/web stay at their targets"},
		{"one type", cpu, nodes, only(scenario.EventDrain), "no Scenario: any drain, 2 in all, one at a time"},
		{"none", cpu, nodes, only(), "no Scenario: no event"},
		{"sizes", cpu, quiet, everything, "no nodes given: 2 to 6 of 256 cpu, 16Gi memory"},
		{"exact", cpu, quiet, exact, "no nodes given: 2 of 256 cpu, 16Gi memory"},
	} {
		if got := texts(completeAsked(t, "", c.metric, c.nodes, c.asked, fits(1))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPool: the default nodes are as many as the pods need, with what they ask for.
func TestPool(t *testing.T) {
	type pool struct {
		Name     string
		Min, Max int
		Labels   map[string]string
	}
	for _, c := range []struct {
		name, pod string
		need      int
		want      []pool
		line      string
	}{
		{"two at least", "", 1, []pool{{"node", 2, 6, map[string]string{}}}, "no nodes given: 2 to 6 of "},
		{"as many as the pods need", "", 4, []pool{{"node", 4, 6, map[string]string{}}}, "no nodes given: 4 to 6 of "},
		{"beyond the confident size", "", 9, []pool{{"node", 9, 9, map[string]string{}}}, "no nodes given: 9 of "},
		{"labels", "nodeSelector: {disk: ssd},", 1, []pool{{"node", 2, 6, map[string]string{"disk": "ssd"}}}, "every node has the labels that pods ask for: disk=ssd"},
		{
			"zones", `topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}],`, 1,
			[]pool{{"zone-a", 1, 2, map[string]string{"zone": "zone-a"}}, {"zone-b", 1, 2, map[string]string{"zone": "zone-b"}}, {"zone-c", 0, 2, map[string]string{"zone": "zone-c"}}},
			"over 3 values of zone",
		},
	} {
		out := complete(t, c.pod, cpu, quiet, fits(c.need))
		var got []pool
		for _, p := range out.Input.Scenario.Value.Spec.NodePools {
			got = append(got, pool{p.Name, p.Min, p.Max, p.Template.Metadata.Labels})
			if cpus := p.Template.Status.Allocatable.Cpu(); cpus.Value() < 8*36/2 {
				t.Errorf("%s: %s cpu have no room for 36 pods eight times over", c.name, cpus)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if !strings.Contains(texts(out), c.line) {
			t.Errorf("%s: %q not in %q", c.name, c.line, out.Lines)
		}
	}
	if out := complete(t, "", cpu, nodes+quiet, nil); len(out.Input.Scenario.Value.Spec.NodePools) > 0 {
		t.Error("given nodes have company")
	}
	var none []scenario.NodePool
	if diff := cmp.Diff(none, complete(t, "", cpu, nodes, nil).Input.Scenario.Value.Spec.NodePools); diff != "" {
		t.Error(diff)
	}
}
