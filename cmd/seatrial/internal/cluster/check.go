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
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/assumption"
	_ "github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/event" // what may happen
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
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
	// Exact checks the cluster as given: what may grow has its least size.
	Exact bool
	// Grow turns Node objects into pools that grow.
	Grow bool
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
	// Asked, if set, is told at the end what real code was asked; Clock, then set
	// too, is the time since some moment. Nothing else depends on either.
	Asked func([]model.Tally)
	Clock func() time.Duration

	// memo is shared by all sizes of one check.
	memo *model.Memo
	// gradual looks for a violation with fewer events before it lets more happen.
	gradual bool
	// assumed is what the input left unsaid.
	assumed []assumption.Line
	// Full searches every interleaving at every size, without reductions.
	Full bool
	// For tests: distinct explores the model without symmetry, together all
	// workloads at once, reduced with reductions however small the cluster is.
	distinct, together, reduced bool
}

// newRun makes the model.
func newRun(ctx context.Context, in *manifest.Input, o Options) (*run, error) {
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
	return &run{in: in, w: w, o: o, asked: asked}, nil
}

// check explores everything that can happen to a cluster of one size: its parts
// by themselves where they cannot interact, or else the whole.
func (r *run) check(ctx context.Context) (*finding.Report, error) {
	explored := 0 // the most events with which there is nothing to find
	for events := 0; r.o.gradual && !r.o.All && events < r.w.MaxEvents; events++ {
		first := *r
		first.o.gradual, first.w = false, r.w.WithEvents(events)
		report, err := first.check(ctx)
		if err != nil || report.Verdict == finding.Violated {
			return report, err
		}
		if report.Bound.Complete {
			explored = events
		}
	}
	if r.o.All {
		return r.checkAll(ctx)
	}
	report, err := r.checkOnce(ctx)
	if report != nil && report.Verdict == finding.Inconclusive && !report.Bound.Complete && explored > 0 {
		report.Reason += fmt.Sprintf("; with at most %s all was explored and nothing found", plural(explored, "event"))
	}
	return report, err
}

// checkAll looks for one violation before it decides every property, so that
// what is found soon is not lost when a budget runs out.
func (r *run) checkAll(ctx context.Context) (*finding.Report, error) {
	first, all := *r, *r
	first.o.All = false
	soon, err := first.checkOnce(ctx)
	if err != nil {
		return soon, err
	}
	out, err := all.checkOnce(ctx)
	if out == nil || soon.Verdict != finding.Violated {
		return out, err
	}
	for _, p := range soon.Results {
		if p.Verdict == finding.Violated {
			merge(out, []finding.Result{p})
		}
	}
	if out.Verdict != finding.Violated {
		out.Doubt = out.Reason
	}
	out.Verdict, out.Reason = finding.Violated, ""
	order(out.Results)
	return out, err
}

// checkOnce is check with all events at once.
func (r *run) checkOnce(ctx context.Context) (*finding.Report, error) {
	report, err := r.checkWays(ctx)
	if errors.Is(err, model.ErrSuccessors) {
		return r.inconclusive(err.Error()), nil // too large to search, and no fault of the input
	}
	return report, err
}

// checkWays searches the cluster in the cheapest way that settles it.
func (r *run) checkWays(ctx context.Context) (*finding.Report, error) {
	for _, way := range r.ways() {
		if report, err := r.apart(ctx, way.parts, way.reduce); report != nil || err != nil {
			return report, err
		}
	}
	result, err := r.explore(ctx)
	if errors.Is(err, errStart) {
		return r.inconclusive(startReason(ctx, err)), nil
	} else if err != nil {
		return nil, err
	}
	out := r.frame()
	out.Results = r.results(result)
	bound(&out.Bound, result.Stats)
	r.conclude(out)
	return out, r.failures()
}

// way is how a cluster may be searched without searching all of it.
type way struct {
	parts  [][]int
	reduce bool
}

// ways are tried before the whole is searched, the cheapest first.
func (r *run) ways() []way {
	parts := partition(r.w, r.asked)
	if r.o.together {
		parts = [][]int{slices.Concat(parts...)}
	}
	var out []way
	if r.o.reduced || !r.o.Full && !small(r.w) {
		out = append(out, way{parts, true})
	}
	if len(parts) > 1 {
		out = append(out, way{parts, false})
	}
	return out
}

// run is one check under way: of a whole cluster or of a part of it.
type run struct {
	in    *manifest.Input
	w     *model.World
	o     Options
	asked []rule.Asked
	v     *model.Vector
	// given is the cluster as traces have it, once one was told.
	given *trace.Setup
	// claims are decided, obligations too: those are what a part owes to the
	// others and are not reported.
	claims      []rule.Claim
	obligations []statespace.Property[rule.IDs]
	// idle are the rules that were asked for and have no subject.
	idle []finding.Result
	// faults are what the scenario's own rules could not tell in some state.
	faults manifest.Problems
	// oneStart: the placements to start from were too many to find them all.
	oneStart bool
}

// explore searches the states of r's world. Its error is errStart if there is
// no placement to start from within the budget.
func (r *run) explore(ctx context.Context) (statespace.Result[rule.IDs], error) {
	var none statespace.Result[rule.IDs]
	options := r.options()
	start, all, err := starts(ctx, r.w, options)
	r.oneStart = !all
	_ = r.w.Faults.Take(r.w) // filling the cluster is not part of the check
	if e := r.w.Kube.Err(); e != nil {
		return none, e
	}
	if err != nil {
		return none, err
	}
	r.v = model.NewVector(r.w, start)
	r.claims, r.idle = nil, nil // those that a part's violation was shown by are of another vector
	if err := r.claim(r.asked); err != nil {
		return none, err
	}
	result, err := statespace.CheckVectors(ctx, r.v, r.properties(), options)
	if e := r.w.Kube.Err(); e != nil {
		return none, e
	}
	if err != nil {
		return none, fmt.Errorf("explore: %w", err)
	}
	r.faults = r.w.Faults.Take(r.w)
	return result, nil
}

// options are those of the engine.
func (r *run) options() statespace.Options {
	options := statespace.Options{
		Classes: r.w.Classes, Workers: r.o.Workers, MaxStates: r.o.MaxStates, MaxMemory: r.o.MaxMemory, Progress: r.o.Progress,
		MaxDepth: r.w.Scenario.Bounds.Depth, All: r.o.All,
	}
	if n := r.w.Scenario.Bounds.States; n > 0 && (options.MaxStates == 0 || n < options.MaxStates) {
		options.MaxStates = n
	}
	return options
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

// nothing is the subject of a rule that was asked for and has none.
const nothing = "nothing"

// claim makes the claims of the rules asked for and of the custom properties.
func (r *run) claim(asked []rule.Asked) error {
	for _, a := range asked {
		c := &rule.Context{Vector: r.v, Rule: a.Rule, Property: a.Property}
		claims := a.Claims(c)
		if len(claims) == 0 && len(r.w.Scenario.Properties) > 0 {
			r.idle = append(r.idle, finding.Result{
				Rule: a.ID, Name: a.Name, Subject: nothing, Verdict: finding.Holds, Vacuous: "it is about nothing in this input",
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
	out = append(out, r.obligations...)
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
