package cluster

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

const (
	threeNodes = `
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n3}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}}
---
`
	oneDeployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {app: web}},
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}`
	oneBudget = `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}`
)

// TestBudgetText: events that are called the same are told apart by what they are
// about, where they say it.
func TestBudgetText(t *testing.T) {
	const drains = "{type: drain, nodes: [n1]}, {type: drain, nodes: [n2, n3]}"
	many := []string{"{type: cordon, nodes: [n1]}", "{type: cordon, nodes: [n2]}", "{type: cordon, nodes: [n3]}", "{type: cordon, nodes: [n1, n2]}"}
	for _, c := range []struct{ events, want string }{
		{"{type: drain, nodes: [n1]}", "1 × drain"},
		{drains, "1 × drain each of n1, n2 and n3"},
		{"{type: drain, budget: 2}, " + drains, "2 × drain, 1 × drain each of n1, n2 and n3"},
		{"{type: drain}, " + drains, "1 × drain, 1 × drain each of n1, n2 and n3"},
		{"{type: drain, nodes: [n1]}, {type: drain, nodes: [n1]}", "1 × drain of n1, 1 × drain of n1"},
		{"{type: drain, nodes: [n1]}, {type: drain, name: again, nodes: [n1]}", "1 × drain, 1 × again"},
		{strings.Join(many, ", "), "1 × cordon each of n1, n2, … (4)"},
		{"{type: rollout, workload: {name: web}}, {type: rollout}", "1 × rollout of Deployment default/web, 1 × rollout"},
		{
			"{type: apply, manifest: " + oneBudget + "}, {type: apply, manifest: " + strings.Replace(oneDeployment, "replicas: 1", "replicas: 2", 1) + "}",
			"1 × apply each of PodDisruptionBudget default/web, Deployment default/web",
		},
	} {
		text := threeNodes + oneDeployment + "\n---\n" + oneBudget + "\n---\n{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {events: [" + c.events + "]}}\n"
		in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.events, err)
		}
		w, err := build(t.Context(), in, Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.events, err)
		}
		if got := budgetText(w); got != c.want {
			t.Errorf("%s: %q, want %q", c.events, got, c.want)
		}
	}
}

// TestAssumptionsOfAllSizes: those of the size that is violated come first.
func TestAssumptionsOfAllSizes(t *testing.T) {
	var c combined
	c.add(&finding.Report{Verdict: finding.Holds, Assumptions: []string{"general", "small"}}, "1")
	c.add(&finding.Report{Verdict: finding.Violated, Assumptions: []string{"its own", "general"}}, "2")
	c.add(&finding.Report{Verdict: finding.Violated, Assumptions: []string{"another", "general"}}, "3")
	if want := []string{"its own", "general", "small", "another"}; !slices.Equal(c.out.Assumptions, want) {
		t.Errorf("%q, want %q", c.out.Assumptions, want)
	}
}
