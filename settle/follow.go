package settle

import (
	"context"
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// followMax bounds how many states are looked at to follow a trace.
const followMax = 2_000

// follow goes the way of a trace as far as the reconcilers of today do, and searches from its end
// without users and faults for what is wrong. Steps are found by what they say. Reconciles
// may ask for more than they did, and what they do not ask for any more is left out; users and faults
// are as in the trace. The result is violated, or its reason says what became of the trace.
func (x *explorer) follow(ctx context.Context, of *trace.Trace) (*Result, error) {
	all, err := x.properties()
	if err != nil {
		return nil, err
	}
	f := &follower{x: x, ctx: ctx, properties: all, decisions: of.Steps, left: followMax}
	if of.Loop != nil {
		f.decisions = of.Steps[:*of.Loop]
	}
	var start *node
	x.Init(func(v []statespace.ID) bool {
		start = x.node(v)
		return false
	})
	if start != nil {
		f.from(start, 0, 0)
	}
	if wrong := x.failed(); wrong != nil {
		return nil, wrong
	}
	r := &Result{bound: x.bound(), assumptions: x.assumptions(), incomplete: "a saved trace was followed, and no more", States: followMax - f.left}
	r.PropertyResult = PropertyResult{Verdict: statespace.Inconclusive, Loop: -1, Reason: f.reached()}
	r.lost = f.furthest < len(f.decisions)
	if f.found != nil {
		r.PropertyResult = *f.found
		r.Properties = []PropertyResult{*f.found}
	}
	return r, f.err
}

// follower is on the way of a trace.
type follower struct {
	x          *explorer
	ctx        context.Context
	properties []property
	decisions  []trace.Step
	// left is how many states may still be looked at.
	left int
	// way is what was done.
	way []trace.Step
	// furthest is how many of the decisions were taken at most.
	furthest int
	found    *PropertyResult
	err      error
}

// reached says how far the trace could be followed.
func (f *follower) reached() string {
	if f.furthest < len(f.decisions) {
		d := f.decisions[f.furthest]
		return fmt.Sprintf("it cannot be followed beyond step %d: %q does not %q", f.furthest, d.Actor, d.Action)
	}
	return "nothing is wrong at its end any more"
}

// moreMax bounds how many requests a reconcile may make that it has not made in the trace.
const moreMax = 20

// from goes on from a node, with the decision i next, and tells whether something is wrong there.
// more is how many steps were taken since the last that the trace has.
func (f *follower) from(n *node, i, more int) bool {
	if f.left--; f.left < 0 || f.x.failed() != nil || f.ctx.Err() != nil {
		return false
	}
	f.furthest = max(f.furthest, i)
	if f.wrongNow(n) {
		return true
	}
	if i == len(f.decisions) {
		return f.rest(n)
	}
	var all []taken
	f.x.steps(n, func(s step, to *node) { all = append(all, taken{s, to}) })
	d := f.decisions[i]
	for _, exact := range []bool{true, false} {
		for k := range all {
			if f.is(&all[k], d) == exact && (exact || f.alike(&all[k], d)) && f.take(n, &all[k], i+1, 0) {
				return true
			}
		}
	}
	for k := range all { // it asks for something else before
		if t := &all[k]; t.step.class != "" && t.step.actor == d.Actor && more < moreMax && !f.alike(t, d) && f.take(n, t, i, more+1) {
			return true
		}
	}
	return !d.Turn && f.from(n, i+1, more) // it does not do that any more
}

// take goes on behind a step.
func (f *follower) take(n *node, t *taken, next, more int) bool {
	f.way = append(f.way, f.x.told(n, t))
	if f.from(t.to, next, more) {
		return true
	}
	f.way = f.way[:len(f.way)-1]
	return false
}

// is tells whether a step is what the trace has.
func (f *follower) is(t *taken, d trace.Step) bool {
	return t.step.actor == d.Actor && f.x.nameless(t.step.text) == f.x.nameless(d.Action)
}

// alike: the same request may have another answer now. What is a fault is named by its
// answer.
func (f *follower) alike(t *taken, d trace.Step) bool {
	asked, _, _ := strings.Cut(t.step.text, ": ")
	was, _, _ := strings.Cut(d.Action, ": ")
	return t.step.actor == d.Actor && f.x.nameless(asked) == f.x.nameless(was) && t.step.class != "" && !d.Turn
}

// wrongNow tells whether a node is wrong at this moment.
func (f *follower) wrongNow(n *node) bool {
	v := f.x.vector(n)
	for i := range f.properties {
		p := &f.properties[i]
		if p.lasting {
			continue
		}
		if err := f.x.judge(p, v); err != nil {
			f.found = &PropertyResult{Rule: p.rule, Name: p.name, Verdict: statespace.Violated, Reason: kubestate.Counted(err.Error()), Steps: f.way, Loop: -1}
			return true
		}
	}
	return false
}

// rest tells whether something is wrong in what follows a node without users and faults.
func (f *follower) rest(n *node) bool {
	m := unaided{f.x, f.x.vector(n)}
	found, err := f.x.check(f.ctx, m, f.properties, statespace.Options{MaxStates: followMax})
	if err != nil {
		f.err = err
		return false
	}
	for i, p := range found.Properties {
		if p.Verdict != statespace.Violated {
			continue
		}
		one := f.x.propertyResult(&f.properties[i], &found.Properties[i], n)
		one.Steps = append(f.way, one.Steps...)
		if one.Loop >= 0 {
			one.Loop += len(f.way)
		}
		f.found = &one
		return true
	}
	return false
}

// unaided is what follows a state without users and faults.
type unaided struct {
	*explorer
	start []statespace.ID
}

// Init is part of statespace.VectorModel.
func (u unaided) Init(yield func([]statespace.ID) bool) { yield(u.start) }

// Next is part of statespace.VectorModel.
func (u unaided) Next(v []statespace.ID, yield func(statespace.Action, []statespace.ID) bool) {
	u.explorer.Next(v, func(a statespace.Action, to []statespace.ID) bool { return a.Class == 0 || yield(a, to) })
}
