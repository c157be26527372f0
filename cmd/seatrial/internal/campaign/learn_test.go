package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// What is wrong with the seed already is said, since it is held against nothing that comes after it.
func TestUnwell(t *testing.T) {
	one := made(&fake{operator: follows}, "spec.size=2")
	one.seed["status"] = map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "Invalid", "message": "no size"}}}
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := "it is so with the seed already, and held against nothing: condition Ready of webs.example.com default/web is False: Invalid no size"
	if len(one.out.Notes) != 1 || one.out.Notes[0] != want {
		t.Errorf("%q, want %q", one.out.Notes, want)
	}
	if w := one.out.Report("x", nil).Warnings; len(w) != 1 || w[0].Message != want {
		t.Errorf("the report says %q", w)
	}
}

// What is missing where an operator is not done with the seed, and writes nothing behind any operation, is no
// violation: it may wait.
func TestWaiting(t *testing.T) {
	cases := []struct {
		name, phase, operations string
		operator                func(map[string]any, history.Object) map[string]any
		want                    finding.Verdict
	}{
		{"it waits", "Pending", "spec.size=2 spec.size=3 spec.size=4 spec.size=5 spec.size=6", keeps, finding.Inconclusive},
		{"it is done, and keeps a size", "Ready", "spec.size=2 spec.size=3 spec.size=4 spec.size=5 spec.size=6", keeps, finding.Violated},
		{"it is done with the seed", "Ready", "spec.text=a spec.text=b spec.text=c spec.text=d spec.text=e", deaf, finding.Violated},
		{"it writes", "Pending", "spec.text=sentinel-1 spec.text-", forgets, finding.Violated},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			one := made(&fake{operator: c.operator}, c.operations)
			one.seed["status"] = map[string]any{"phase": c.phase}
			if err := one.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			r := one.out.Report("x", nil)
			if asked := !one.off("dead-property"); asked != (c.phase == "Ready") {
				t.Errorf("whether anything comes of properties: asked %t", asked)
			}
			if r.Verdict != c.want {
				t.Errorf("%s with %d findings, want %s: %s", r.Verdict, len(one.out.Findings), c.want, r.Reason)
			}
		})
	}
}

// An operator that says with the seed that it is not done may wait for what nothing does here: that is said of all that
// is found.
func TestUnfinished(t *testing.T) {
	for phase, want := range map[string]string{
		"Pending":      "status.phase is Pending: the agents have not come to it",
		"In Progress":  "status.phase is In Progress: the agents have not come to it",
		"Running":      "",
		"":             "",
		"PendingPhase": "",
	} {
		one := made(&fake{operator: forgets}, "spec.text=sentinel-1 spec.text-")
		one.seed["status"] = map[string]any{"phase": phase, "message": "the agents have not come to it"}
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if one.out.Unfinished != want {
			t.Errorf("%s: %q, want %q", phase, one.out.Unfinished, want)
		}
		r := one.out.Report("x", nil)
		warned := len(r.Warnings) > 0 && strings.Contains(r.Warnings[0].Message, "the operator is not done, as it says: "+cmp.Or(want, "no"))
		if warned != (want != "") {
			t.Errorf("%s: warnings are %q", phase, r.Warnings)
		}
		if len(r.Results) == 0 || r.Results[0].Verdict != finding.Violated {
			t.Fatalf("%s: nothing is found", phase)
		}
		if said := slices.ContainsFunc(r.Results[0].Causes, func(c finding.Cause) bool { return strings.Contains(c.Message, "not done with the seed either") }); said != warned {
			t.Errorf("%s: the causes are %v", phase, r.Results[0].Causes)
		}
	}
}

// An operator that writes nothing for the seed may not work at all; what it printed says why.
func TestIdle(t *testing.T) {
	one := made(&fake{operator: follows}, "spec.size=2")
	one.lab = idle{}
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := "with the seed the operator writes nothing: it may not see the resource, or not get to work; it said: no such file"
	if len(one.out.Notes) != 1 || one.out.Notes[0] != want {
		t.Errorf("%q, want %q", one.out.Notes, want)
	}
	r := one.out.Report("x", nil)
	if want := "the operator wrote nothing, neither with the seed nor behind any operation"; r.Verdict != finding.Inconclusive || r.Reason != want {
		t.Errorf("%s %q, want %q", r.Verdict, r.Reason, want)
	}
}

// An operator that fails at the seed, and writes nothing, cannot be tried with it.
func TestFailsAtSeed(t *testing.T) {
	one := made(&fake{operator: follows}, "spec.size=2")
	one.lab = idle{failing: []string{"web"}}
	err := one.learn(t.Context(), func() error { return nil })
	var operator *OperatorError
	if want := "the operator writes nothing with the seed, and reconciles of its controller web go on failing; it said: no such file"; !errors.As(err, &operator) || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}

// What comes of properties is not asked where reconciles of the seed fail, though the operator does something with it.
func TestFailsInPart(t *testing.T) {
	one := made(&fake{operator: follows}, "spec.size=2")
	c := &run{Steps: []*oracle.Step{{Rest: oracle.Rest{Failing: []string{"web"}}, Events: []history.Event{{
		Key: history.Key{Resource: "services", Namespace: "default", Name: "web"}, Type: history.Create, Actor: plan.Controller, Object: history.Object{"kind": "Service"},
	}}}}}
	if err := one.works(c); err != nil {
		t.Fatal(err)
	}
	if !one.off("dead-property") || one.off("twin") {
		t.Error("it asks what cannot be known, or not what can")
	}
}

// What the operator says with the seed that it cannot reach, and says again when it is started again, need not be said
// by the user; who says that there is none wants it held against the operator.
func TestReaches(t *testing.T) {
	const refused = "dial tcp 10.0.0.1:80: connection refused"
	for _, c := range []struct {
		name            string
		given           []string
		output, restart string
		want            string
	}{
		{"each time", nil, refused, refused, "[tcp]"},
		{"at first only", nil, refused, "", "[]"},
		{"never", nil, "", "", "[]"},
		{"there is none, the user says", []string{}, refused, refused, "[]"},
		{"the user says it", []string{"exec"}, refused, refused, "[exec]"},
	} {
		one := made(&fake{operator: follows}, "spec.size=2")
		one.o.Input.Unreachable = c.given
		one.reaches(&run{Steps: []*oracle.Step{{Output: c.output}}, Restart: &oracle.Step{Output: c.restart}})
		if got := fmt.Sprint(one.o.Input.Unreachable); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if learned := c.want == "[tcp]"; learned != one.off("dead-property") || learned != (len(one.out.Notes) == 1) {
			t.Errorf("%s: dead-property is off: %t, notes %q", c.name, one.off("dead-property"), one.out.Notes)
		}
	}
}

// An operator that wants what it cannot reach in any run of the seed goes on without, and what it does then is
// compared.
func TestDials(t *testing.T) {
	one := made(&fake{operator: follows}, "spec.size=2")
	one.o.Input.Unreachable = []string{"tcp"}
	reached, refused := &oracle.Step{Output: "ready"}, &oracle.Step{Output: "dial tcp 10.0.0.1:80: connection refused"}
	for _, step := range []struct {
		outputs []*oracle.Step
		want    bool
	}{{[]*oracle.Step{reached, nil}, false}, {[]*oracle.Step{reached, refused}, true}, {[]*oracle.Step{reached}, true}} {
		if one.dials(step.outputs...); one.dialled != step.want {
			t.Fatalf("%t, want %t", one.dialled, step.want)
		}
	}
	if !one.caseOf(&run{Steps: []*oracle.Step{reached, refused}}, 1).Dials {
		t.Error("the oracles do not know")
	}
}

// Where nothing was compared, since the operator waits for what it cannot reach, nothing holds; where something was,
// the rest is counted.
func TestNothingCompared(t *testing.T) {
	waits, compared := StepResult{Quiet: true, Effective: true, Waits: true}, StepResult{Quiet: true, Effective: true}
	refused := StepResult{Quiet: true, Refused: "no"}
	for _, c := range []struct {
		steps []StepResult
		want  finding.Verdict
	}{
		{[]StepResult{waits, refused, waits}, finding.Inconclusive},
		{[]StepResult{waits, compared}, finding.Holds},
	} {
		r := (&Outcome{Plan: &operation.Plan{}, Results: []*Result{{Steps: c.steps}}}).Report("x", nil)
		if r.Verdict != c.want || len(r.Warnings) != 1 {
			t.Errorf("%+v: %s %q, %d warnings", c.steps, r.Verdict, r.Reason, len(r.Warnings))
		}
	}
}

// What is found of an operator that writes nothing behind any operation is no matter of the property that shows it.
func TestDeaf(t *testing.T) {
	nothing, refused, something := StepResult{Quiet: true}, StepResult{Quiet: true, Refused: "no"}, StepResult{Quiet: true, Effective: true}
	for _, c := range []struct {
		steps []StepResult
		want  int
	}{
		{[]StepResult{nothing, nothing, refused, nothing, nothing, nothing}, 5},
		{[]StepResult{nothing, nothing, nothing, something, nothing, nothing}, 0},
		{[]StepResult{nothing, nothing}, 0},
	} {
		o := &Outcome{Plan: &operation.Plan{}, Results: []*Result{{Steps: c.steps}}}
		if got := o.deaf(); got != c.want {
			t.Errorf("%+v: %d", c.steps, got)
		}
		o.unwell = "condition Ready is False: it may not make anything"
		r := o.Report("x", nil) // which is no pass
		if (r.Verdict == finding.Inconclusive) != (c.want > 0) || (c.want > 0) != strings.HasSuffix(r.Reason, "with the seed already, condition Ready is False: it may not make anything") {
			t.Errorf("%+v: %s: %s", c.steps, r.Verdict, r.Reason)
		}
		said := o.result(&Finding{Deviations: []oracle.Deviation{{Oracle: "twin"}}, Runs: 2, Failed: 2, Small: true}, "").Causes
		if (len(said) > 0) != (c.want > 0) {
			t.Errorf("%+v: %v", c.steps, said)
		}
	}
}

// idle is a laboratory with an operator that writes nothing.
type idle struct{ failing []string }

func (i idle) do(_ context.Context, j job) (*run, error) {
	rest := oracle.Rest{Quiet: true, Failing: i.failing}
	r := &run{Undone: map[*oracle.Step]bool{}}
	for n := range len(j.Operations) + 1 {
		s := &oracle.Step{Resource: j.Resource, Start: history.State{}, End: history.State{webKey: j.Resource}, Rest: rest, Output: "no such file"}
		if n > 0 {
			s.Operation = j.Operations[n-1]
		}
		r.Steps = append(r.Steps, s)
	}
	return r, nil
}

// Why the seed does not come to rest is what its pods wait for.
func TestRestless(t *testing.T) {
	one := made(&fake{operator: follows})
	store := history.Key{Resource: "statefulsets.apps", Namespace: "default", Name: "web"}
	owner := []any{map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "1", "controller": true}}
	end := history.State{
		store: {"kind": "StatefulSet", "metadata": map[string]any{"name": "web", "namespace": "default", "uid": "1"}, "spec": map[string]any{"replicas": int64(1)}, "status": map[string]any{}},
		{Resource: "pods", Namespace: "default", Name: "web-0"}: {
			"kind": "Pod", "metadata": map[string]any{"name": "web-0", "namespace": "default", "uid": "2", "ownerReferences": owner},
			"status": map[string]any{"containerStatuses": []any{map[string]any{"name": "store", "state": map[string]any{"waiting": map[string]any{"reason": "ErrImagePull"}}}}},
		},
	}
	created := []history.Event{{Key: store, Type: history.Create, Actor: plan.Controller, UID: "1", Object: end[store]}}
	step := &oracle.Step{Start: history.State{}, End: end, Events: created, Rest: oracle.Rest{Why: "0 of 1 pods are ready"}}
	if got := one.restless(&run{Steps: []*oracle.Step{step}}); !strings.Contains(got, "container store: ErrImagePull") {
		t.Errorf("%q does not say what is waited for", got)
	}
	// Nothing is there of what cannot be created, and only an event says why.
	warning := history.Event{Key: history.Key{Resource: "events", Namespace: "default", Name: "web.1"}, Type: history.Create, Object: history.Object{
		"type": "Warning", "reason": "FailedCreate", "message": "service account web is not there", "involvedObject": map[string]any{"kind": "StatefulSet", "name": "web"},
	}}
	step = &oracle.Step{Start: history.State{}, End: history.State{store: end[store]}, Events: append(created, warning), Rest: oracle.Rest{Why: "0 of 1 pods are ready"}}
	if got := one.restless(&run{Steps: []*oracle.Step{step}}); !strings.Contains(got, "0 of 1 pods of statefulsets.apps default/web are ready: service account web is not there") {
		t.Errorf("%q does not say why there is no pod", got)
	}
	if got := one.restless(&run{Steps: []*oracle.Step{{Rest: oracle.Rest{Why: "writes went on"}}}}); got != "writes went on" {
		t.Errorf("%q where nothing else is known", got)
	}
}

// How far a run of the seed has come that does not come to rest says nothing of what differs between two that do.
func TestLearnFromRest(t *testing.T) {
	for slow, fails := range map[int]bool{0: false, 1: false, 4: true} {
		lab := &fake{operator: follows}
		one := made(lab, "spec.size=2")
		lab.operator = func(spec map[string]any, old history.Object) map[string]any {
			if lab.slow = lab.runs > 1 && slow > 0; lab.slow {
				slow--
				return map[string]any{}
			}
			return follows(spec, old)
		}
		err := one.learn(t.Context(), func() error { return nil })
		if (err != nil) != fails || len(one.out.Masked) > 0 {
			t.Errorf("%d left that do not come to rest: %v, not compared is %v", slow, err, one.out.Masked)
		}
	}
}
