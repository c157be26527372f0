package cluster_test

import (
	"os"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// dumped checks the example dump after changes of its text, each old text once,
// with another document beside it, if there is one.
func dumped(t *testing.T, beside string, o cluster.Options, changes ...string) *finding.Report {
	t.Helper()
	data, err := os.ReadFile("../../../../examples/dump/cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the dump has no %q", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	if beside != "" {
		text += "---\n" + beside
	}
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := cluster.Check(t.Context(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func wantVerdict(t *testing.T, r *finding.Report, want finding.Verdict, rule string) finding.Result {
	t.Helper()
	if r.Verdict != want {
		t.Fatalf("%s, want %s: %s %s", r.Verdict, want, r.Reason, summary(r))
	}
	for _, p := range r.Results {
		if p.Rule == rule && p.Verdict == want {
			return p
		}
	}
	if rule != "" {
		t.Fatalf("no result of %s is %s: %s", rule, want, summary(r))
	}
	return finding.Result{}
}

// TestADumpIsCheckedFromTheStateItShows: a rollout in the middle that cannot go
// on, and what helps.
func TestADumpIsCheckedFromTheStateItShows(t *testing.T) {
	t.Run("the rollout is stuck", func(t *testing.T) {
		p := wantVerdict(t, dumped(t, "", cluster.Options{Events: []string{cluster.NoEvent}}), finding.Violated, "SEA1003")
		// What the scheduler wrote into the Pending pod's condition.
		for _, part := range []string{"checkout", "1 node(s) had untolerated taint(s)", "1 node(s) were unschedulable", "2 Insufficient cpu"} {
			if !strings.Contains(p.Message, part) {
				t.Errorf("the message does not say %q: %s", part, p.Message)
			}
		}
		for _, line := range []string{
			"ReplicaSet shop/checkout-7b68c6d9c4: replicas: 3", "ReplicaSet shop/checkout-6f4b9d7c58: replicas: 1",
			"Pods of shop/checkout-7b68c6d9c4: on worker-3: 1 Ready", "Pods of shop/checkout-6f4b9d7c58: without a node: 1 Pending",
			"Pods of shop/cart: on worker-3: 1 Terminating", "Node worker-3: unschedulable: true",
			"Pods of StatefulSet shop/db: on worker-2: 1 Ready", "Pods of static Pod kube-system/etcd: on cp-1: 1 Ready",
		} {
			if !contains(p.Trace.Initial, line) {
				t.Errorf("the start does not show %q:\n%s", line, strings.Join(p.Trace.Initial, "\n"))
			}
		}
		if contains(p.Trace.Initial, "ReplicaSet shop/checkout-5d9c7bb88f: replicas: 0") {
			t.Error("a ReplicaSet of the past is part of the check")
		}
	})
	t.Run("the node is uncordoned", func(t *testing.T) {
		r := dumped(t, "", cluster.Options{Events: []string{cluster.NoEvent}}, "    taints:\n    - effect: NoSchedule\n      key: node.kubernetes.io/unschedulable\n"+
			"      timeAdded: \"2026-11-19T15:48:02Z\"\n    unschedulable: true\n", "")
		if p := wantVerdict(t, r, finding.Holds, "SEA1003"); p.Vacuous != "" {
			t.Errorf("vacuous: %s", p.Vacuous)
		}
	})
}

func contains(lines []string, line string) bool {
	for _, l := range lines {
		if l == line {
			return true
		}
	}
	return false
}

const drainWorker = `apiVersion: seatrial.dev/v1alpha1
kind: Scenario
spec:
  events:
  - {type: drain, nodes: [%s]}
  properties:
  - rule: drain-completes
`

// TestADrainLeavesDaemonsAlone: pods of a DaemonSet and mirror pods do not keep a
// drain from ending; a pod of a StatefulSet is evicted, and what its controller
// would do then is left out, which the verdict says.
func TestADrainLeavesDaemonsAlone(t *testing.T) {
	r := dumped(t, strings.ReplaceAll(drainWorker, "%s", "cp-1"), cluster.Options{})
	wantVerdict(t, r, finding.Holds, "SEA1002")
	for _, o := range r.Omissions {
		if o.Blocking {
			t.Errorf("%s blocks the verdict: %s", o.Name, o.Reason)
		}
	}
	r = dumped(t, strings.ReplaceAll(drainWorker, "%s", "worker-2"), cluster.Options{Accept: []string{"StatefulSet/shop"}})
	wantVerdict(t, r, finding.Holds, "SEA1002")
	for _, o := range r.Omissions {
		if want := o.Name == "StatefulSet/shop/db"; o.Blocking != want || o.Accepted != want {
			t.Errorf("%s: blocking %v, accepted %v: %s", o.Name, o.Blocking, o.Accepted, o.Reason)
		}
	}
}

// TestABudgetsStatusMayLag: a drain meets the status that the dump shows, not the
// one that the disruption controller is about to write.
func TestABudgetsStatusMayLag(t *testing.T) {
	r := dumped(t, "", cluster.Options{}, "disruptionsAllowed: 1\n    expectedPods: 3", "disruptionsAllowed: 0\n    expectedPods: 3")
	p := wantVerdict(t, r, finding.Violated, "SEA1003")
	if !contains(p.Trace.Initial, "PodDisruptionBudget shop/checkout: disruptionsAllowed: 0") {
		t.Errorf("the start has another status:\n%s", strings.Join(p.Trace.Initial, "\n"))
	}
}
