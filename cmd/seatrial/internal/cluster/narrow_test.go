package cluster_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// pair is a Deployment on two nodes, with a scenario that names two properties
// and three events. The middle of each list can be selected alone, which has to
// leave the lines that reports name as they are.
const pair = `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "2", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: "2", memory: 8Gi, pods: "110"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "web:1", resources: {requests: {cpu: 400m}}}]}
---
apiVersion: seatrial.dev/v1alpha1
kind: Scenario
spec:
  events:
  - {type: cordon, nodes: [n1]}
  - {type: drain, name: the night, nodes: [n1]}
  - {type: create, manifest: {apiVersion: apps/v1, kind: Deployment, metadata: {name: late}, spec: {replicas: 1, selector: {matchLabels: {app: late}},
      template: {metadata: {labels: {app: late}}, spec: {containers: [{name: c, image: "late:1", resources: {requests: {cpu: 100m}}}]}}}}}
  load:
  - {workload: {name: late}, perPod: {cpu: 10m}}
  properties:
  - name: never-cordoned
    always: nodes.all(n, !n.spec.unschedulable)
  - name: all-ready
    always: pods.all(p, p.status.ready)
  - rule: available
    atLeast: 2
  - rule: SEA1004
    workload: {name: web}
    atLeast: 2
`

func checkText(t *testing.T, text string, o cluster.Options) (*finding.Report, error) {
	t.Helper()
	return cluster.Check(context.Background(), inputOf(t, text), o)
}

func inputOf(t *testing.T, text string) *manifest.Input {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{ValidateDescheduler: cluster.CheckPolicy})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// names are what was checked, a line each.
func names(r *finding.Report) []string {
	var out []string
	for _, p := range r.Results {
		out = append(out, strings.TrimSpace(p.Rule+" "+p.Name)+": "+p.Subject+": "+string(p.Verdict))
	}
	return out
}

func TestOnlySomeProperties(t *testing.T) {
	for _, c := range []struct {
		properties, want []string
	}{
		{[]string{"all-ready"}, []string{"all-ready: the cluster: violated"}},
		// As the scenario asks for it, with its parameters; asked twice it is found once.
		{[]string{"SEA1004"}, []string{"SEA1004 available: Deployment default/late: holds", "SEA1004 available: Deployment default/web: violated"}},
		{[]string{"available", "SEA1004", "available"}, []string{"SEA1004 available: Deployment default/late: holds", "SEA1004 available: Deployment default/web: violated"}},
		// A rule that the scenario does not ask for, and one of that sort that is only checked on request.
		{[]string{"pods-run"}, []string{"SEA1006 pods-run: Deployment default/late: holds", "SEA1006 pods-run: Deployment default/web: holds"}},
		{[]string{"SEA1005"}, []string{"SEA1005 replicas-settle: nothing: holds"}},
		{[]string{"drain-completes", "never-cordoned"}, []string{"SEA1002 drain-completes: every node: holds", "never-cordoned: the cluster: violated"}},
	} {
		r, err := checkText(t, pair, cluster.Options{All: true, Properties: c.properties, Events: []string{"drain"}})
		if err != nil {
			t.Errorf("%q: %v", c.properties, err)
			continue
		}
		got := names(r)
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.properties, diff)
		}
		if !slices.Equal(r.Bound.Properties, c.properties) || !strings.HasSuffix(r.Bound.Text, ", only --property "+strings.Join(c.properties, ", ")) {
			t.Errorf("%q: the bound is %+v", c.properties, r.Bound)
		}
		for _, p := range r.Results {
			if p.Name == "all-ready" && p.Causes[0].Location.Line != 35 {
				t.Errorf("the property's place is %+v", p.Causes[0].Location)
			}
		}
	}
}

func TestOnlySomeEvents(t *testing.T) {
	for _, c := range []struct {
		events      []string
		bound, acts string
	}{
		{nil, "1 × cordon, 1 × the night, 1 × create", "node n1 is cordoned"},
		{[]string{"the night"}, "1 × the night (--event the night)", "a drain of node n1 begins: it is cordoned"},
		{[]string{"drain"}, "1 × the night (--event drain)", "a drain of node n1 begins: it is cordoned"},
		{[]string{"cordon", "create"}, "1 × cordon, 1 × create (--event cordon, create)", "node n1 is cordoned"},
		{[]string{"none"}, "no events (--event none)", ""},
		{[]string{"none", "none"}, "no events (--event none, none)", ""},
	} {
		r, err := checkText(t, pair, cluster.Options{Properties: []string{"never-cordoned"}, Events: c.events})
		if err != nil {
			t.Errorf("%q: %v", c.events, err)
			continue
		}
		if !strings.Contains(r.Bound.Text, ", "+c.bound+", only") || !slices.Equal(r.Bound.Events, c.events) {
			t.Errorf("%q: the bound is %+v, want %s", c.events, r.Bound, c.bound)
		}
		acts := ""
		if trace := r.Results[0].Trace; trace != nil {
			acts = trace.Steps[len(trace.Steps)-1].Action
		}
		if acts != c.acts {
			t.Errorf("%q: what makes a node unschedulable is %q, want %q", c.events, acts, c.acts)
		}
	}
}

// TestUnknownNames: a name that is none of the input's is the input's fault, or
// rather the command line's; the answer says what there is.
func TestUnknownNames(t *testing.T) {
	for _, c := range []struct {
		o    cluster.Options
		want []string
	}{
		{cluster.Options{Properties: []string{"pods-runs"}}, []string{"--property pods-runs: no such property, did you mean pods-run?", "SEA1006 pods-run, ", ", never-cordoned, all-ready"}},
		{cluster.Options{Properties: []string{"SEA1004", "x"}}, []string{"--property x: no such property\nthere are SEA1001 "}},
		{cluster.Options{Events: []string{"drains"}}, []string{"--event drains: no such event, did you mean drain?\nthere are cordon, the night, drain, create; none is for no event"}},
		{cluster.Options{Events: []string{"node-loss"}}, []string{"--event node-loss: no such event\nthere are cordon"}},
		{cluster.Options{Events: []string{"none", "drain"}}, []string{"--event none leaves no event"}},
		{cluster.Options{Events: []string{"a"}, Properties: []string{"b"}}, []string{"--event a: no such", "--property b: no such"}},
	} {
		r, err := checkText(t, pair, c.o)
		if _, input := manifest.AsProblems(err); !input || r != nil {
			t.Errorf("%+v: report %v, error %v", c.o, r, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: no %q in\n%v", c.o, want, err)
			}
		}
	}
	none := strings.Split(pair, "---\napiVersion: seatrial.dev")[0]
	_, err := checkText(t, none+"---\napiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec: {}\n", cluster.Options{Events: []string{"drain"}})
	if err == nil || !strings.Contains(err.Error(), "there are no events: a Scenario names them") {
		t.Errorf("in a scenario without events: %v", err)
	}
	if _, err := checkText(t, none, cluster.Options{Events: []string{"drain"}}); err != nil {
		t.Errorf("without a scenario there are the default ones: %v", err)
	}
}

// TestAllFindsEveryViolation: without it the search ends with the first; with
// it each property has a verdict of its own.
func TestAllFindsEveryViolation(t *testing.T) {
	verdicts := func(all bool) map[finding.Verdict]int {
		r, err := checkText(t, pair, cluster.Options{All: all})
		if err != nil {
			t.Fatal(err)
		}
		if r.All != all {
			t.Errorf("all is %v in the report, want %v", r.All, all)
		}
		out := map[finding.Verdict]int{}
		for _, p := range r.Results {
			out[p.Verdict]++
		}
		return out
	}
	if got := verdicts(false); got[finding.Inconclusive] == 0 || got[finding.Violated] == 0 {
		t.Errorf("without all: %v", got)
	}
	if diff := cmp.Diff(map[finding.Verdict]int{finding.Violated: 3, finding.Holds: 1}, verdicts(true)); diff != "" {
		t.Errorf("with all (-want +got):\n%s", diff)
	}
}

// preempted is two workloads, of which b is only where a is, that one pod of
// high priority drives out together, again and again: the descheduler evicts it.
const preempted = `{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, spec: {taints: [{key: k, effect: NoSchedule}]}, status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 100}
---
{apiVersion: descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, plugins: {deschedule: {enabled: [PodLifeTime]}},
  pluginConfig: [{name: PodLifeTime, args: {maxPodLifeTimeSeconds: 60, labelSelector: {matchLabels: {app: urgent}}}}]}]}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1, selector: {matchLabels: {app: a}},
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: "1"}}}]}}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: b}, spec: {replicas: 1, selector: {matchLabels: {app: b}},
  template: {metadata: {labels: {app: b}}, spec: {containers: [{name: c, image: "b:1", resources: {requests: {cpu: "1"}}}],
    affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}]}}}}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: urgent}, spec: {replicas: 1, selector: {matchLabels: {app: urgent}},
  template: {metadata: {labels: {app: urgent}}, spec: {priorityClassName: high, containers: [{name: c, image: "u:1", resources: {requests: {cpu: "2"}}}]}}}}
`

// TestPreemptionIsEveryVictims: one preemption drives out pods of two
// workloads, and counts for both.
func TestPreemptionIsEveryVictims(t *testing.T) {
	r, err := checkText(t, preempted, cluster.Options{All: true, Events: []string{cluster.NoEvent}, Properties: []string{"SEA1001"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"SEA1001 no-endless-eviction: Deployment default/a: violated",
		"SEA1001 no-endless-eviction: Deployment default/b: violated",
		"SEA1001 no-endless-eviction: Deployment default/urgent: violated",
	}, names(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUnknownPluginHasItsLine: an unknown plugin of a scheduler is only found
// out when the scheduler is built.
func TestUnknownPluginHasItsLine(t *testing.T) {
	_, err := checkText(t, strings.Split(pair, "---\napiVersion: seatrial.dev")[0]+`---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    score:
      enabled:
      - name: ImageLocality
      - name: NodeResourcesFitz
        weight: 2
`, cluster.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "<stdin>:29: scheduler configuration: ") || !strings.Contains(err.Error(), "NodeResourcesFitz") {
		t.Errorf("got %v", err)
	}
}
