// Package cluster checks a cluster configuration: it turns manifests and a
// scenario into a model (package model) with actors, events and rules, lets
// statespace explore it, and reports what was found in the user's names.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	_ "github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/actor" // the controllers
	_ "github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/event" // what may happen
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// Kubernetes is the release whose code is called and mirrored.
const Kubernetes = "v1.36.3"

// Options are the settings of a check.
type Options struct {
	// Timeout of the search; 0 means none.
	Timeout time.Duration
	// MaxStates and MaxMemory (bytes) bound the search; 0 means no bound.
	MaxStates int
	MaxMemory int64
	// Workers is the number of goroutines; 0 means one per CPU.
	Workers int
	// Strict lets slow actors act at any time.
	Strict bool
	// Accept names omissions that the user accepts.
	Accept []string
	// Progress is called at most once a second.
	Progress func(statespace.Progress)
	// All goes on after the first violation until every property is decided.
	All bool
	// Properties, if there are any, are the only ones checked: ids and names of
	// rules, names of the scenario's own. Events are the only ones that happen:
	// names and types of the scenario's, or NoEvent alone.
	Properties, Events []string

	// For tests: distinct explores the model without symmetry.
	distinct bool
}

// Check explores everything that can happen to the input's cluster. An error
// is a manifest.Problems if the input is at fault, and ours otherwise; running
// out of a budget, or cancelling ctx, is not an error but an inconclusive
// report. A property that cannot be evaluated in some state is an error beside
// the report of all else.
func Check(ctx context.Context, in *manifest.Input, o Options) (*finding.Report, error) {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	w, err := build(ctx, in, o)
	if err != nil {
		return nil, err
	}
	asked := rule.Select(w.Scenario)
	for _, a := range asked {
		if a.Watch != nil {
			a.Watch(w, &a.Property)
		}
	}
	w.Prepare()
	options := statespace.Options{
		Classes: w.Classes, Workers: o.Workers, MaxStates: o.MaxStates, MaxMemory: o.MaxMemory, Progress: o.Progress,
		MaxDepth: w.Scenario.Bounds.Depth, All: o.All,
	}
	if n := w.Scenario.Bounds.States; n > 0 && (options.MaxStates == 0 || n < options.MaxStates) {
		options.MaxStates = n
	}
	r := &run{in: in, w: w, o: o}
	start, all, err := starts(ctx, w, options)
	r.oneStart = !all
	_ = w.Faults.Take(w) // filling the cluster is not part of the check
	if e := w.Kube.Err(); e != nil {
		return nil, e
	}
	if errors.Is(err, errStart) {
		return r.inconclusive(err.Error()), nil
	} else if err != nil {
		return nil, err
	}
	r.v = model.NewVector(w, start)
	if err := r.claim(asked); err != nil {
		return nil, err
	}
	result, err := statespace.CheckVectors(ctx, r.v, r.properties(), options)
	if e := w.Kube.Err(); e != nil {
		return nil, e
	}
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	r.faults = w.Faults.Take(w)
	return r.report(result), r.failures()
}

// run is one check under way.
type run struct {
	in     *manifest.Input
	w      *model.World
	o      Options
	v      *model.Vector
	claims []rule.Claim
	// idle are the rules that were asked for and have no subject.
	idle []finding.Result
	// faults are what the scenario's own rules could not tell in some state.
	faults manifest.Problems
	// oneStart: the placements to start from were too many to find them all.
	oneStart bool
}

// failures are why properties could not be judged; what else was found stands.
func (r *run) failures() error {
	problems := slices.Clone(r.faults)
	for _, c := range r.claims {
		if err := c.Failure(); err != nil {
			p, ok := manifest.AsProblems(err)
			if !ok {
				return err
			}
			problems = append(problems, p...)
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return problems
}

// claim makes the claims of the rules asked for and of the custom properties.
func (r *run) claim(asked []rule.Asked) error {
	for _, a := range asked {
		c := &rule.Context{Vector: r.v, Rule: a.Rule, Property: a.Property}
		claims := a.Claims(c)
		if len(claims) == 0 && len(r.w.Scenario.Properties) > 0 {
			r.idle = append(r.idle, finding.Result{
				Rule: a.ID, Name: a.Name, Subject: "nothing", Verdict: finding.Holds, Vacuous: "it is about nothing in this input",
			})
		}
		r.claims = append(r.claims, claims...)
	}
	custom, err := rule.Custom(&rule.Context{Vector: r.v})
	r.claims = append(r.claims, custom...)
	for i := range r.claims {
		r.claims[i].Witnesses = append(slices.Clip(r.claims[i].Witnesses), r.acts()...)
	}
	return err
}

// acts are the witnesses that each actor and event of the scenario's own acts:
// one whose guard is never true changes no verdict.
func (r *run) acts() []rule.Witness {
	var out []rule.Witness
	add := func(what, path string, step func(from rule.IDs, a statespace.Action, to rule.IDs) bool) {
		name := fmt.Sprintf("%s (%s) acts", what, r.w.ScenarioSource.Position(path).FileLine())
		out = append(out, rule.Witness{Name: name, Property: statespace.SometimesStep(name, step)})
	}
	for k, a := range r.w.Own {
		add("actor "+model.Title(a), fmt.Sprintf("spec.actors[%d]", k), func(_ rule.IDs, action statespace.Action, _ rule.IDs) bool {
			return r.w.ActedBy(a, action.Class)
		})
	}
	for i := range r.w.Events {
		if e := &r.w.Events[i]; e.Writer != nil && e.Budget > 0 {
			add("event "+e.Title(), e.Path, func(from rule.IDs, _ statespace.Action, to rule.IDs) bool {
				return model.Started(r.v.Env(from), r.v.Env(to), i)
			})
		}
	}
	return out
}

// properties are the claims' and, behind them, each witness once.
func (r *run) properties() []statespace.Property[rule.IDs] {
	var out []statespace.Property[rule.IDs]
	for _, c := range r.claims {
		out = append(out, c.Property)
	}
	var seen []string
	for _, c := range r.claims {
		for _, w := range c.Witnesses {
			if !slices.Contains(seen, w.Name) {
				seen = append(seen, w.Name)
				out = append(out, w.Property)
			}
		}
	}
	return out
}
