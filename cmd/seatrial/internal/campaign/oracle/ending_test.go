package oracle_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// write is an event of the operator from one object to another; either may be empty.
func write(t *testing.T, before, after string) history.Event {
	t.Helper()
	e := history.Event{Actor: plan.Controller, Type: history.Update}
	if before == "" {
		e.Type = history.Create
	} else {
		e.Key, e.Previous = object(t, before)
	}
	if after == "" {
		e.Type = history.Delete
	} else {
		e.Key, e.Object = object(t, after)
	}
	if e.Object != nil {
		e.UID = e.Object.Text("metadata", "uid")
	}
	return e
}

// TestRestart: a process that is killed and started again has nothing to do.
func TestRestart(t *testing.T) {
	const (
		old  = "{kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}"
		next = "{kind: Service, metadata: {name: a}, spec: {type: NodePort}}"
		busy = "{kind: Thing, metadata: {name: a}, status: {phase: Reconciling}}"
		done = "{kind: Thing, metadata: {name: a}, status: {phase: Ready}}"

		drawn  = "{kind: Secret, metadata: {name: a}, data: {password: one}}"
		other  = "{kind: Secret, metadata: {name: a}, data: {password: two}}"
		first  = "{kind: Secret, metadata: {name: a, annotations: {process: one}}}"
		second = "{kind: Secret, metadata: {name: a, annotations: {process: two}}}"
	)
	cases := []struct {
		name       string
		end        string
		events     []history.Event
		foreign    bool
		before     string
		notAtRest  bool
		learned    []string
		wantOfOnly []string
	}{
		{name: "it writes nothing", end: done + "\n" + old},
		{
			name: "it writes something else", end: done + "\n" + next, events: []history.Event{write(t, old, next)},
			wantOfOnly: []string{`it was killed and started again, and sets spec.type of services default/a from "ClusterIP" to "NodePort", though nothing had changed`},
		},
		{
			name: "it makes a child anew", end: done + "\n" + old, events: []history.Event{write(t, old, ""), write(t, "", old)},
			wantOfOnly: []string{
				"it was killed and started again, and deletes services default/a, though nothing had changed",
				"it was killed and started again, and creates services default/a, though nothing had changed",
			},
		},
		{name: "it says that it looks, and that it is done", end: done + "\n" + old, events: []history.Event{write(t, done, busy), write(t, busy, done)}},
		{
			name: "it stays with looking", end: busy + "\n" + old, events: []history.Event{write(t, done, busy)},
			wantOfOnly: []string{`it was killed and started again, and sets status.phase of things.example.com default/a from "Ready" to "Reconciling", though nothing had changed`},
		},
		{name: "others write", end: done + "\n" + next, events: []history.Event{write(t, old, next)}, foreign: true},
		{name: "a certificate of its own, which was there before the resource", before: old, end: done + "\n" + next, events: []history.Event{write(t, old, next)}},
		{
			name: "it draws a password again, which is another in each run", end: done + "\n" + other, events: []history.Event{write(t, drawn, other)},
			learned:    []string{"~secrets:data.password"},
			wantOfOnly: []string{`it was killed and started again, and sets data.password of secrets default/a from "one" to "two", though nothing had changed`},
		},
		{
			name: "it notes which process it is, which is another in each run", end: done + "\n" + second, events: []history.Event{write(t, first, second)},
			learned: []string{"~secrets:metadata.annotations.process"},
		},
		{name: "it had not come to rest", end: done + "\n" + next, events: []history.Event{write(t, old, next)}, notAtRest: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := caseOf(t, property("spec.size"), done+"\n"+old, done+"\n"+old)
			k.Steps[0].Start = state(t, c.before)
			k.Restart = quiet(t, nil, done+"\n"+old, c.end)
			k.Restart.Events = c.events
			k.Last().Rest.Quiet = !c.notAtRest
			k.Given = k.Mask
			var err error
			if k.Mask, err = k.Mask.With(c.learned...); err != nil {
				t.Fatal(err)
			}
			if c.foreign {
				k.Restart.Events[0].Actor = "somebody"
			}
			hold(t, "restart", k, c.wantOfOnly)
		})
	}
}

// TestRestartWithoutRest: a process that is started again, and does not get ready or come to rest where the old one
// had, is said once, and not where it is known to be another's fault or another oracle's.
func TestRestartWithoutRest(t *testing.T) {
	const done = "{kind: Thing, metadata: {name: a}, status: {phase: Ready}}"
	says := []string{"it was killed and started again, and does not come to rest: the controller is not ready within 30s"}
	for name, c := range map[string]struct {
		change func(k *oracle.Case)
		want   []string
	}{
		"it hangs":             {nil, says},
		"the old one did, too": {func(k *oracle.Case) { k.Last().Rest.Quiet = false }, nil},
		"a misoperation":       {func(k *oracle.Case) { k.Last().Operation.Misoperation = true }, nil},
		"it panics": {func(k *oracle.Case) {
			k.Restart.Output = "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/op/main.go:3 +0x1\nexit status 2\n"
		}, nil},
		"it wants what is not": {func(k *oracle.Case) {
			k.Unreachable, k.Restart.Output = []string{"tcp"}, "dial tcp 10.0.0.1:80: i/o timeout"
		}, nil},
		"it makes one without end": {func(k *oracle.Case) { k.Restart.Rest.Endless = &oracle.Endless{Object: k.Key, Text: "makes it anew"} }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			k := caseOf(t, property("spec.size"), done, done)
			k.Restart = quiet(t, nil, done, done)
			k.Restart.Rest = oracle.Rest{Why: "the controller is not ready within 30s"}
			if c.change != nil {
				c.change(k)
			}
			hold(t, "restart", k, c.want)
		})
	}
}

// TestRestartBehindRefused: what was refused, or taken back before it came to rest, is not what the operator is started
// again with.
func TestRestartBehindRefused(t *testing.T) {
	const (
		one, two  = "{kind: Thing, metadata: {name: a}, spec: {size: 1}}", "{kind: Thing, metadata: {name: a}, spec: {size: 2}}"
		old, next = "{kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}", "{kind: Service, metadata: {name: a}, spec: {type: NodePort}}"
	)
	for name, c := range map[string]struct {
		change func(*oracle.Step)
		found  bool
	}{
		"refused":       {func(s *oracle.Step) { s.Refused = "no" }, true},
		"not at rest":   {func(s *oracle.Step) { s.Rest.Quiet = false }, true},
		"it cannot be":  {func(s *oracle.Step) { s.Operation.Misoperation = true }, true},
		"it was so all": {func(s *oracle.Step) { s.Refused, s.Resource = "no", state(t, one)[key] }, true},
	} {
		k := caseOf(t, property("spec.size"), one+"\n"+old, two+"\n"+old)
		c.change(k.Last())
		k.Restart = quiet(t, nil, one+"\n"+old, one+"\n"+next)
		k.Restart.Events = []history.Event{write(t, old, next)}
		if got := len(said("restart", k)) > 0; got != c.found {
			t.Errorf("%s: it is found: %t, want %t", name, got, c.found)
		}
	}
}

// TestHotLoop: an operator comes to rest.
func TestHotLoop(t *testing.T) {
	circle := func(actor string) *history.Cycle {
		return &history.Cycle{Writes: []history.Write{{Actor: actor, Type: history.Update, Resource: "services", Namespace: "default", Name: "a", Paths: []string{"spec.type"}}}}
	}
	var many []history.Event
	for range 60 {
		many = append(many, write(t, thing, thing))
	}
	var each []history.Event
	for i := range 60 {
		e := write(t, thing, thing)
		e.Name = fmt.Sprintf("number-%d", i)
		each = append(each, e)
	}
	stamps := func(n int) (all []history.Event) {
		for i := range n {
			at := func(i int) string {
				return fmt.Sprintf("{kind: Service, metadata: {name: a, annotations: {checked: t%d}}}", i)
			}
			all = append(all, write(t, at(i), at(i+1)))
		}
		return all
	}
	said := func(words string) string {
		return "{kind: Service, metadata: {name: a}, status: {conditions: [{type: Synced, message: \"" + words + "\"}]}}"
	}
	const one, other = "Job a is invalid: [cpu: Invalid value: 2, memory: Invalid value: 4]", "Job a is invalid: [memory: Invalid value: 4, cpu: Invalid value: 2]"
	restates := oracle.Rest{Quiet: true, Restates: true}
	remade := oracle.Rest{Endless: &oracle.Endless{Object: history.Key{Resource: "services", Namespace: "default", Name: "a"}, Text: "makes it anew"}}
	fight := oracle.Rest{Endless: &oracle.Endless{Object: history.Key{Resource: "services", Namespace: "default", Name: "a"}, Path: "spec.type", Text: "sets the type"}}
	cases := []struct {
		name       string
		step, twin oracle.Step
		want       []string
		// exec cannot be reached, instead of tcp.
		exec bool
	}{
		{
			name: "what time it is", step: oracle.Step{Events: stamps(4), Rest: restates}, twin: oracle.Step{Events: stamps(4), Rest: restates},
			want: []string{"it never comes to rest: the operator updates metadata.annotations.checked of services default/a again and again, with another value each time"},
		},
		{name: "a heartbeat", step: oracle.Step{Events: stamps(10), Rest: oracle.Rest{Quiet: true}}},
		{name: "at rest", step: oracle.Step{Rest: oracle.Rest{Quiet: true}}},
		{
			name: "a circle", step: oracle.Step{Rest: oracle.Rest{Cycle: circle(plan.Controller)}},
			want: []string{"it never comes to rest: 1 writes repeat for ever, among them the operator's update of spec.type of services a"},
		},
		{name: "a circle of who tries again what cannot be reached", step: oracle.Step{Output: "dial tcp 10.0.0.1:6379: i/o timeout", Rest: oracle.Rest{Cycle: circle(plan.Controller)}}},
		{
			name: "what the API server says in another order",
			step: oracle.Step{Events: []history.Event{write(t, said("all is well"), said(one)), write(t, said(one), said(other))}, Rest: oracle.Rest{Cycle: circle(plan.Controller)}},
		},
		{
			name: "what it says of something else",
			step: oracle.Step{Events: []history.Event{write(t, said(one), said(strings.ReplaceAll(other, "4", "5")))}, Rest: oracle.Rest{Cycle: circle(plan.Controller)}},
			want: []string{"it never comes to rest: 1 writes repeat for ever, among them the operator's update of spec.type of services a"},
		},
		{
			name: "what the operator says in another order",
			step: oracle.Step{Events: []history.Event{write(t, said("ready: b, a"), said("ready: a, b"))}, Rest: oracle.Rest{Cycle: circle(plan.Controller)}},
			want: []string{"it never comes to rest: 1 writes repeat for ever, among them the operator's update of spec.type of services a"},
		},
		{
			name: "a circle beside another trouble", step: oracle.Step{Output: "no such host", Rest: oracle.Rest{Cycle: circle(plan.Controller)}}, exec: true,
			want: []string{"it never comes to rest: 1 writes repeat for ever, among them the operator's update of spec.type of services a"},
		},
		{
			name: "the same made anew, as in the twin", step: oracle.Step{Rest: remade}, twin: oracle.Step{Rest: remade},
			want: []string{"it never comes to rest: the operator makes it anew"},
		},
		{
			name: "a fight", step: oracle.Step{Operation: &operation.Operation{Misoperation: true}, Rest: fight},
			want: []string{"it never comes to rest: the operator sets the type"},
		},
		{name: "the same made anew where it cannot become ready", step: oracle.Step{Operation: &operation.Operation{Misoperation: true}, Rest: remade}},
		{name: "a circle of others", step: oracle.Step{Rest: oracle.Rest{Cycle: circle("kube-controller-manager")}}},
		{
			name: "writes that go on", step: oracle.Step{Events: many, Rest: oracle.Rest{Why: "writes went on for 1m0s"}},
			want: []string{"it does not come to rest, and the operator writes things.example.com default/a 60 times: writes went on for 1m0s"},
		},
		{
			name: "more and more of them", step: oracle.Step{Events: each, Rest: oracle.Rest{Why: "writes went on for 1m0s"}}, twin: oracle.Step{Written: 5},
			want: []string{"it does not come to rest, and the operator writes 60 times: writes went on for 1m0s"},
		},
		{name: "it has much to do", step: oracle.Step{Events: each, Rest: oracle.Rest{Why: "a pod is not ready"}}, twin: oracle.Step{Written: 60}},
		{name: "it waits for something", step: oracle.Step{Events: many[:5], Rest: oracle.Rest{Why: "a pod is not ready"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			unreachable := "tcp"
			if c.exec {
				unreachable = "exec"
			}
			hold(t, "hot-loop", &oracle.Case{Steps: []*oracle.Step{{}, &c.step}, Twin: &c.twin, Mask: history.DefaultMask(), Key: key, Unreachable: []string{unreachable}}, c.want)
		})
	}
}

// TestDeletion: a custom resource that is deleted goes, and what was made for it goes with it.
func TestDeletion(t *testing.T) {
	const (
		made  = "{kind: ConfigMap, metadata: {name: a-config, uid: u1}}"
		owned = "{kind: ConfigMap, metadata: {name: a-config, uid: u1, ownerReferences: [{uid: u0, kind: Thing, name: a}]}}"
		child = "{kind: Pod, metadata: {name: a-0, uid: u2, ownerReferences: [{uid: u1, kind: ConfigMap, name: a-config}]}}"
		claim = "{kind: PersistentVolumeClaim, metadata: {name: data-a-0, uid: u3}}"
	)
	cases := []struct {
		name, before, end string
		events            []history.Event
		deletion, owner   []string
	}{
		{name: "all goes", events: []history.Event{write(t, "", made)}},
		{
			name: "a finalizer stays", end: "{kind: Thing, metadata: {name: a, deletionTimestamp: now, finalizers: [example.com/clean]}}\n" + made, events: []history.Event{write(t, "", made)},
			deletion: []string{"things.example.com default/a was deleted and does not go: nobody takes its finalizers example.com/clean away"},
		},
		{
			name: "it comes again", end: thing,
			deletion: []string{"things.example.com default/a was deleted, and is there again"},
		},
		{
			name: "something without an owner stays, and what is of that", end: made + "\n" + child, events: []history.Event{write(t, "", made), write(t, "", child)},
			owner: []string{"configmaps default/a-config stays when things.example.com default/a is deleted: it has no owner"},
		},
		{
			name: "something stays though its owner is gone", end: owned, events: []history.Event{write(t, "", owned)},
			owner: []string{"configmaps default/a-config stays when things.example.com default/a is deleted, though its owner is gone"},
		},
		{name: "claims hold data", end: claim, events: []history.Event{write(t, "", claim)}},
		{name: "what was there before the resource", before: made, end: made, events: []history.Event{write(t, "", made)}},
		{name: "what others made", end: made},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := caseOf(t, property("spec.size"), thing, thing)
			k.Steps[0].Start, k.Steps[0].Events = state(t, c.before), c.events
			k.Deleted = quiet(t, nil, thing, c.end)
			hold(t, "deletion", k, c.deletion)
			hold(t, "ownership", k, c.owner)
			k.Last().Operation.Misoperation = true
			for i, text := range c.deletion {
				c.deletion[i] = strings.Replace(text, "does not go:", "does not go as long as it asks for what cannot work:", 1)
			}
			hold(t, "deletion", k, c.deletion)
		})
	}
}

// TestTaken: what users have made stays when the resource is deleted, unless somebody else deletes it.
func TestTaken(t *testing.T) {
	const (
		live   = "{kind: Thing, metadata: {name: a, uid: u0}, spec: {size: 1}}\n"
		users  = "{kind: Secret, metadata: {name: token, uid: u1}}\n"
		owned  = "{kind: Secret, metadata: {name: token, uid: u1, ownerReferences: [{uid: u0, kind: Thing, name: a}]}}\n"
		others = "{kind: Secret, metadata: {name: token, uid: u1, ownerReferences: [{uid: u9, kind: Thing, name: b}]}}\n"
		text   = "secrets default/token, which the operator has not made, is deleted with things.example.com default/a: "
	)
	for _, c := range []struct {
		name, before, start, end string
		objects                  []history.Object
		events                   []history.Event
		want                     []string
	}{
		{name: "it stays", before: users, start: users, end: users},
		{name: "its owner goes", before: users, start: owned, want: []string{text + "the operator has made that its owner"}},
		{name: "the operator deletes it", before: users, start: users, events: []history.Event{write(t, users, "")}, want: []string{text + "the operator deletes it"}},
		{name: "somebody else does", before: users, start: others},
		{name: "the operator has made it", start: owned},
		{
			name: "an operation has", start: owned, objects: []history.Object{{"kind": "Secret", "metadata": map[string]any{"name": "token"}}},
			want: []string{text + "the operator has made that its owner"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := property("spec.size")
			o.Objects = c.objects
			k := caseOf(t, o, live, live+c.start)
			k.Steps[0].Start = state(t, c.before)
			k.Deleted = quiet(t, nil, live+c.start, c.end)
			k.Deleted.Events = c.events
			hold(t, "ownership", k, c.want)
		})
	}
}

// judge is one that the user gives.
type judge struct {
	found []oracle.Deviation
	err   error
}

func (j judge) Name() string                                   { return "mine" }
func (j judge) Judge(*oracle.Case) ([]oracle.Deviation, error) { return j.found, j.err }

// TestCustom: the user's judges are asked, and one that fails is no pass.
func TestCustom(t *testing.T) {
	c := caseOf(t, property("spec.size"), thing, thing)
	c.Customs = []oracle.Custom{judge{found: []oracle.Deviation{{Text: "too big"}}}, judge{err: errors.New("no such file")}}
	hold(t, "custom", c, []string{"too big", "mine gives no verdict: no such file"})
	found := oracle.Judge(c, only("custom"))
	if found[0].Inconclusive || !found[1].Inconclusive || found[0].Place == found[1].Place {
		t.Errorf("%+v", found)
	}
}
