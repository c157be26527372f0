package replay_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/finding"
)

// TestInline: violated clusters that are no cases, each with what once diverged now and then.
func TestInline(t *testing.T) {
	const nodes = `
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
---
`
	for _, c := range []struct{ name, text string }{
		{"two of four pods are deleted by one decision", nodes + `
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 4, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 50%}},
  selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: v1, resources: {requests: {cpu: 100m}}}]}}}}
---
{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {events: [{type: rollout}], properties: [{rule: available, workload: {name: web}, atLeast: 3}]}}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(c.text), manifest.Options{ValidateExpression: cluster.CheckExpression})
			if err != nil {
				t.Fatal(err)
			}
			report, err := cluster.Check(t.Context(), in, cluster.Options{})
			if err != nil || report.Results[0].Verdict != finding.Violated {
				t.Fatalf("%v, %v", report, err)
			}
			if o := run(t, report.Results[0].Trace); o.Verdict != replay.Confirmed {
				t.Errorf("%s: %s\n%s", o.Verdict, o.Reason, lines(o))
			}
		})
	}
}
