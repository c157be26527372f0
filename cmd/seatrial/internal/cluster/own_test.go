package cluster_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// ownCluster has room for the pods of web on each of two equal nodes.
func ownCluster(replicas int, scenario string) string {
	c := &small{nodes: []string{smallNode("n1", "1", ""), smallNode("n2", "1", "")}, replicas: replicas, scenario: scenario}
	return c.yaml()
}

// checkOwn checks manifests given as text.
func checkOwn(t *testing.T, text string, o cluster.Options) (*finding.Report, error) {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{ValidateExpression: cluster.CheckExpression})
	if err != nil {
		return nil, err
	}
	o.Timeout = caseBudget
	return cluster.Check(t.Context(), in, o)
}

// webManifest is web with another image.
const webManifest = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {app: web}},
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:2", resources: {requests: {cpu: 200m}}}]}}}}`

const reapPending = `{name: reaper, %s then: {delete: {where: 'pod.status.phase == "Pending"'}}}`

// TestOwnVerdicts: actors and events of the scenario's own change verdicts, as
// their guards and budgets say.
func TestOwnVerdicts(t *testing.T) {
	for _, x := range []struct {
		name     string
		replicas int
		scenario string
		want     string
	}{
		{"a reaper of Pending pods fights the ReplicaSet", 5, "actors: [" + fmt.Sprintf(reapPending, "") + "]", "violated SEA1001"},
		{"so does a fast one", 5, "actors: [" + fmt.Sprintf(reapPending, "speed: fast,") + "]", "violated SEA1001"},
		{
			"as an event it is over when its budget is", 5,
			`events: [{type: custom, then: {delete: {where: 'pod.status.phase == "Pending"'}}, budget: 2}]`, "holds",
		},
		{"a guard can hold it back", 5, "actors: [" + fmt.Sprintf(reapPending, `when: 'deployments.all(d, d.spec.replicas <= 4)',`) + "]", "holds"},
		{"two scalers that disagree", 1, `actors: [{name: up, then: {scale: {replicas: 2}}}, {name: down, then: {scale: {replicas: 1}}}]`, "violated SEA1005"},
		{"two scalers that agree", 1, `actors: [{name: up, then: {scale: {replicas: 2}}}, {name: more, then: {scale: {replicas: size(nodes)}}}]`, "holds"},
		{"an evictor that never stops", 2, `actors: [{name: mover, then: {evict: {where: pod.status.ready}}}]`, "violated SEA1001"},
		{
			"a remediation that cordons a lost node", 2,
			`actors: [{name: fix, then: {patch: {kind: Node, where: '!node.status.ready', patch: {spec: {unschedulable: true}}}}}], events: [{type: node-loss, returns: always}]`, "holds",
		},
		{
			"two that patch the template to and fro", 1,
			`actors: [{name: a, then: {patch: {patch: {spec: {template: {metadata: {annotations: {by: a}}}}}}}},
			{name: b, then: {patch: {patch: {spec: {template: {metadata: {annotations: {by: b}}}}}}}}]`, "violated SEA1001",
		},
		{"a Deployment that is deleted for good", 2, `events: [{type: custom, then: {delete: {kind: Deployment}}}]`, "holds"},
		{
			"a patch, an apply and a rollback in any order", 1,
			`actors: [{name: a, then: {patch: {patch: {spec: {template: {metadata: {annotations: {by: a}}}}}}}}],
			events: [{type: apply, manifest: ` + webManifest + `}, {type: rollback}]`, "holds",
		},
		{
			"a Deployment that is deleted and applied again", 1,
			`appliers: [{manifest: ` + webManifest + `}], events: [{type: custom, then: {delete: {kind: Deployment}}}, {type: apply, manifest: ` + webManifest + `}]`, "holds",
		},
		{
			"one that is deleted and created in turn", 1,
			`actors: [{name: d, when: 'pods.all(p, p.status.ready)', then: {delete: {kind: Deployment, where: 'deployment.status.readyReplicas == 1'}}},
			{name: c, then: {create: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}},
			template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}}}]`, "violated SEA1001",
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			one, err := checkOwn(t, ownCluster(x.replicas, x.scenario), cluster.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			two, err := checkOwn(t, ownCluster(x.replicas, x.scenario), cluster.Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, one), asJSON(t, two)); diff != "" {
				t.Errorf("one worker and two report differently (-1 +2):\n%s", diff)
			}
			rule, violated := strings.CutPrefix(x.want, "violated ")
			found := slices.ContainsFunc(one.Results, func(p finding.Result) bool { return p.Rule == rule && p.Verdict == finding.Violated })
			if violated != found || !violated && string(one.Verdict) != x.want {
				t.Errorf("got %s, want %s: %s", one.Verdict, x.want, summary(one))
			}
		})
	}
}

// TestOwnSymmetry: the verdicts of the counted model are those of the one in
// which every pod and node is told apart.
func TestOwnSymmetry(t *testing.T) {
	for _, scenario := range []string{
		`actors: [{name: r, then: {delete: {where: 'pod.spec.nodeName == "n2"'}}}]`,
		`actors: [{name: r, then: {delete: {where: 'pod.status.phase == "Running" && nodes.exists(n, n.metadata.name == pod.spec.nodeName && n.spec.unschedulable)'}}}], events: [{type: cordon}]`,
		`actors: [{name: r, then: {patch: {kind: Node, where: 'pods.exists(p, p.spec.nodeName == node.metadata.name)', patch: {spec: {unschedulable: true}}}}}]`,
		`actors: [{name: r, speed: fast, when: 'size(pods) < 3', then: {scale: {where: deployment.spec.replicas < 3, replicas: deployment.spec.replicas + 1}}}], events: [{type: custom, then: {evict: {}}, budget: 2}]`,
		`events: [{type: custom, then: {patch: {kind: Node, nodes: [n1], patch: {spec: {unschedulable: true}}}}}, {type: custom, then: {delete: {kind: Deployment}}}]`,
	} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			counted, err := checkOwn(t, ownCluster(2, scenario), cluster.Whole(cluster.Options{}, false))
			if err != nil {
				t.Fatal(err)
			}
			apart, err := checkOwn(t, ownCluster(2, scenario), cluster.Whole(cluster.Options{}, true))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(summary(apart), summary(counted)); diff != "" {
				t.Errorf("(-told apart +counted):\n%s", diff)
			}
			if counted.Bound.States > apart.Bound.States || !counted.Bound.Complete {
				t.Errorf("%d states counted, %d told apart", counted.Bound.States, apart.Bound.States)
			}
		})
	}
}

// TestOwnVacuity: what never acts is noted, with its line, and changes nothing.
func TestOwnVacuity(t *testing.T) {
	for scenario, want := range map[string]string{
		"actors: [" + fmt.Sprintf(reapPending, `when: 'size(nodes) > 2',`) + "]":                                                               "never reached: actor reaper (<stdin>:8) acts",
		`events: [{type: custom, name: mishap, when: 'size(pods) > 9', then: {evict: {}}}]`:                                                    "event mishap (<stdin>:8) acts",
		`actors: [{name: idle, then: {scale: {replicas: 2}}}]`:                                                                                 "never reached: actor idle (<stdin>:8) acts",
		`actors: [{name: other, then: {create: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}}}]`: "",
	} {
		r, err := checkOwn(t, ownCluster(2, scenario), cluster.Options{})
		if err != nil {
			t.Errorf("%s: %v", scenario, err)
			continue
		}
		got := ""
		for _, p := range r.Results {
			if p.Rule == "SEA1001" {
				got = p.Vacuous
			}
		}
		if r.Verdict != finding.Holds || !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %s, %q, want %q", scenario, r.Verdict, got, want)
		}
	}
}

// TestOwnFaults: what cannot be told in some state is an error with its line
// beside an inconclusive report; filling the cluster is not part of the check.
func TestOwnFaults(t *testing.T) {
	for scenario, want := range map[string]string{
		`actors: [{name: a, when: 'pods[5].status.ready', then: {evict: {}}}]`:                    "<stdin>:8: spec.actors[0].when cannot be evaluated in every state: index out of bounds: 5",
		`actors: [{name: a, then: {evict: {where: 'pod.metadata.labels.tier == "x"'}}}]`:          "<stdin>:8: spec.actors[0].then.evict.where cannot be evaluated in every state: no such key: tier",
		`actors: [{name: a, then: {scale: {replicas: deployment.spec.replicas - 3}}}]`:            "<stdin>:8: spec.actors[0].then.scale.replicas gives -1 for Deployment default/web in some state, which the API server rejects: let when or where exclude it",
		`events: [{type: custom, then: {scale: {replicas: 1 / (deployment.spec.replicas - 2)}}}]`: "<stdin>:8: spec.events[0].then.scale.replicas cannot be evaluated in every state: division by zero",
		`actors: [{name: a, when: 'pods[1].status.ready && size(nodes) > 2', then: {evict: {}}}]`: "",
	} {
		r, err := checkOwn(t, ownCluster(2, scenario), cluster.Options{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", scenario, got, want)
		}
		if r == nil || (want == "") != (r.Verdict == finding.Holds) || want != "" && r.Verdict != finding.Inconclusive {
			t.Errorf("%s: %+v", scenario, r)
		}
	}
}
