package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

var (
	webKey = history.Key{Resource: "webs.example.com", Namespace: "default", Name: "web"}
	mapKey = history.Key{Resource: "configmaps", Namespace: "default", Name: "web"}
)

// fake is a laboratory without a control plane: the operator is a function from what there is to the
// data of its ConfigMap.
type fake struct {
	mu       sync.Mutex // only one run at once
	operator func(spec map[string]any, old history.Object) map[string]any
	// also is the data of a Service, which stands behind the ConfigMap; nil for an operator that makes none.
	also func(spec map[string]any, old history.Object) map[string]any
	// anew is what an operator does instead that was just started; nil for the same.
	anew func(spec map[string]any, old history.Object) map[string]any
	// says is the message of the status, of what there is and was; nil for an operator that has none.
	says func(spec map[string]any, data, old history.Object) string
	// restarts is what an operator that is started again draws anew in a run; nil for one that leaves all as it is.
	restarts func(run int) string
	// mended tells that a resource that is made is no other than one that is changed.
	mended bool
	// prints is what the operator prints beside; nil for nothing.
	prints func(spec map[string]any) string
	// slow tells that the operator does not come to rest.
	slow bool
	// runs counts them, and before is asked about each; nil for no question.
	runs   int
	before func(run int) error
	// job is asked about each, too; nil for no question.
	job func(job) error
}

func (f *fake) do(ctx context.Context, j job) (*run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs++
	if f.before != nil {
		if err := f.before(f.runs); err != nil {
			return nil, err
		}
	}
	if f.job != nil {
		if err := f.job(j); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &run{Undone: map[*oracle.Step]bool{}}
	current := j.Resource
	if why := refuse(current); why != "" {
		return nil, &RefusedError{errors.New(why)}
	}
	s := f.step(history.State{}, nil, nil, current)
	r.Steps = append(r.Steps, s)
	for _, o := range j.Operations {
		changed, err := o.Apply(current)
		if err != nil || reflect.DeepEqual(changed, current) {
			continue
		}
		here := f.step(s.End, o, current, changed)
		r.Steps = append(r.Steps, here)
		if here.Refused != "" {
			continue
		}
		how := goOn
		if j.After != nil {
			how = j.After(r.Steps)
		}
		switch how {
		case stop:
			r.Stopped = true
			return r, nil
		case back:
			r.Undone[here] = true
			s = f.step(here.End, o.Undo(current), changed, current)
			if r.Steps = append(r.Steps, s); !s.Rest.Quiet {
				r.Stopped = true
				return r, nil
			}
			continue
		}
		s, current = here, changed
	}
	if j.Restart && f.restarts != nil {
		r.Restart = f.restart(s.End, current)
	}
	return r, nil
}

// restart is a step in which the operator is started again.
func (f *fake) restart(state history.State, resource history.Object) *oracle.Step {
	s := &oracle.Step{Before: resource, Resource: resource, Start: state, End: maps.Clone(state), Rest: oracle.Rest{Quiet: true}}
	drawn := f.restarts(f.runs)
	if drawn == "" {
		return s
	}
	made := merged(state[mapKey], map[string]any{"data": map[string]any{"drawn": drawn}})
	s.Events = []history.Event{{Key: mapKey, Type: history.Update, Actor: plan.Controller, Object: made, Previous: state[mapKey]}}
	s.End[mapKey] = made
	return s
}

// refuse is what the API server says of spec.text: it may not be "no".
func refuse(resource history.Object) string {
	if resource.Text("spec", "text") == "no" {
		return `spec.text: "no"`
	}
	return ""
}

func (f *fake) step(state history.State, o *operation.Operation, before, resource history.Object) *oracle.Step {
	s := &oracle.Step{Operation: o, Before: before, Resource: resource, Start: state, End: history.State{}, Rest: oracle.Rest{Quiet: true}}
	for k, v := range state {
		s.End[k] = v
	}
	if s.Refused = refuse(resource); s.Refused != "" {
		return s
	}
	s.End[webKey] = resource
	spec, _ := resource.At("spec").(map[string]any)
	if spec["text"] == "hang" && state[webKey] != nil { // not where it was never another
		s.Rest = oracle.Rest{Why: "deployments.apps default/web: 0 of 1 pods are ready"}
	}
	if f.also != nil {
		writes(s, history.Key{Resource: "services", Namespace: "default", Name: "also"}, f.also, spec)
	}
	does := f.operator
	if o != nil && o.Restarts && f.anew != nil {
		does = f.anew
	}
	made := writes(s, mapKey, does, spec)
	if f.slow {
		s.Rest = oracle.Rest{Why: "writes went on"}
	}
	switch born := state[webKey] == nil && !f.mended; {
	case spec["text"] == "stillborn" && born:
		s.Rest = oracle.Rest{Why: "the same writes come again and again", Cycle: &history.Cycle{Writes: []history.Write{{Actor: plan.Controller, Type: history.Update, Resource: "configmaps", Namespace: "default", Name: "web", Paths: []string{"data.text"}}}}}
	case spec["text"] == "panic" || spec["text"] == "cries" && born:
		s.Output = "panic: no such thing\n\ngoroutine 1 [running]:\nmain.main()\n\t/op/main.go:3 +0x1\nexit status 2\n"
	}
	if f.prints != nil {
		s.Output += f.prints(spec)
	}
	if f.says != nil {
		said := history.Object(merged(resource, map[string]any{"status": map[string]any{"message": f.says(spec, made, state[webKey])}}))
		s.End[webKey] = said
	}
	return s
}

// writes has an operator write an object with data, if it is not what it is to be.
func writes(s *oracle.Step, key history.Key, operator func(map[string]any, history.Object) map[string]any, spec map[string]any) history.Object {
	old := s.Start[key]
	kind := map[string]string{"configmaps": "ConfigMap", "services": "Service"}[key.Resource]
	made := history.Object{"apiVersion": "v1", "kind": kind, "metadata": map[string]any{"name": key.Name, "namespace": key.Namespace}, "data": operator(spec, old)}
	if !reflect.DeepEqual(made, old) {
		e := history.Event{Key: key, Type: history.Create, Actor: plan.Controller, Object: made, Previous: old}
		if e.Previous != nil {
			e.Type = history.Update
		}
		s.Events = append(s.Events, e)
		s.End[key] = made
	}
	return made
}

// follows does what the resource says; forgets keeps what the resource no longer says; and deaf does
// not read spec.text.
func follows(spec map[string]any, _ history.Object) map[string]any {
	data := map[string]any{}
	for k, v := range spec {
		data[k] = fmt.Sprint(v)
	}
	return data
}

func forgets(spec map[string]any, old history.Object) map[string]any {
	data, _ := old.At("data").(map[string]any)
	return merged(data, follows(spec, old))
}

func deaf(spec map[string]any, old history.Object) map[string]any {
	data := follows(spec, old)
	delete(data, "text")
	return data
}

// hears reads spec.text if it is a value.
func hears(value string) func(map[string]any, history.Object) map[string]any {
	return func(spec map[string]any, old history.Object) map[string]any {
		if spec["text"] == value {
			return follows(spec, old)
		}
		return deaf(spec, old)
	}
}

func merged(a, b map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range []map[string]any{a, b} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// do is an operation in a few words: spec.text=x sets, spec.text- removes, and a ! takes back what was before.
func do(words string) *operation.Operation {
	text, repairs := strings.CutSuffix(words, "!")
	path, value, set := strings.Cut(text, "=")
	path = strings.TrimSuffix(path, "-")
	o := &operation.Operation{Name: words, Property: path, Case: words, Repairs: repairs}
	change := operation.Change{Value: value, Remove: !set}
	for _, name := range strings.Split(path, ".") {
		if place, err := strconv.Atoi(name); err == nil {
			change.Path = append(change.Path, place)
			continue
		}
		change.Path = append(change.Path, name)
	}
	if o.Changes = []operation.Change{change}; len(value) > 5 {
		o.Sentinels = []string{value}
	}
	return o
}

// planned are sequences, each of operations with spaces between them.
func planned(sequences ...string) (all []*operation.Sequence) {
	for _, s := range sequences {
		one := &operation.Sequence{}
		for _, words := range strings.Fields(s) {
			one.Operations = append(one.Operations, do(words))
		}
		all = append(all, one)
	}
	return all
}

// made is a trial of an operator whose plan is these sequences.
func made(f *fake, sequences ...string) *trial {
	seed := history.Object{"apiVersion": "example.com/v1", "kind": "Web", "metadata": map[string]any{"name": "web", "namespace": "default"}, "spec": map[string]any{"size": "1"}}
	p := &operation.Plan{Sequences: planned(sequences...)}
	return &trial{
		o: &Options{Input: &input.Input{Seed: seed}, Parallel: 1, Now: time.Now}, lab: f, out: &Outcome{Plan: p}, key: webKey, seed: seed,
		mask: history.DefaultMask(), tracer: oracle.NewTracer(), twins: map[string]*twin{},
	}
}

// run is what a campaign does when it has planes.
func (t *trial) run(ctx context.Context) error {
	if err := t.learn(ctx, func() error { return nil }); err != nil {
		return err
	}
	return errors.Join(t.runAll(ctx), t.findings(ctx))
}

// told is a line for each finding: who says it of what, and how to come there.
func told(o *Outcome) (all []string) {
	for _, f := range o.Findings {
		text := f.Deviations[0].Oracle + " " + f.Property() + ":"
		for _, op := range f.Operations {
			text += " " + op.Name
		}
		all = append(all, text)
	}
	return all
}
