package spec

import (
	"context"
	"slices"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/temporal"
	"github.com/seatrial/seatrial/statespace"
)

// property is what the engine decides.
type property = statespace.Property[[]statespace.ID]

// run is one check: one exploration that decides most claims, and one more for each part of a property that needs an
// automaton.
type run struct {
	s      *Spec
	o      Options
	claims []Claim
	stats  statespace.Stats
	// direct are the properties of the first exploration, and of what claim each is.
	direct []property
	of     []int
	// first is the claim that the first property is.
	first int
	// later are the parts that need explorations of their own.
	later []laterPart
}

type laterPart struct {
	claim   int
	formula *temporal.Formula
}

func newRun(s *Spec, o Options) *run {
	r := &run{s: s, o: o}
	p := s.program
	for i := range p.Invariants {
		q := &p.Invariants[i]
		r.claim(Claim{Name: q.Name, Kind: Invariant, At: q.At})
		r.add(statespace.Always(q.Name, func(state []statespace.ID) bool { return p.Holds(q, state) }))
	}
	if s.config.Deadlock {
		r.claim(Claim{Name: "no deadlock", Kind: Deadlock})
		r.add(statespace.AlwaysStep("no deadlock", func(_ []statespace.ID, a statespace.Action, _ []statespace.ID) bool {
			return a.Label != program.Deadlocked
		}))
	}
	r.first = len(r.claims)
	var steps []func(from, to []statespace.ID) bool
	for _, t := range p.Properties {
		r.claim(Claim{Name: t.Name, Kind: Property, At: t.At})
		for _, part := range temporal.Split(t.Name, t.Formula) {
			switch {
			case part.Initial != nil:
				r.initial(part.Initial)
			case part.Formula != nil:
				r.later = append(r.later, laterPart{len(r.claims) - 1, part.Formula})
			default:
				r.add(part.Property)
				if part.Step != nil {
					steps = append(steps, part.Step)
				}
			}
		}
	}
	p.Demand(steps)
	return r
}

func (r *run) claim(c Claim) { r.claims = append(r.claims, c) }

// add has a property decided for the last claim.
func (r *run) add(p property) {
	r.direct, r.of = append(r.direct, p), append(r.of, len(r.claims)-1)
}

// initial has a condition on initial states decided: as one on all states, which those that are not initial
// satisfy.
func (r *run) initial(holds func([]statespace.ID) bool) {
	r.add(statespace.Always("initially", func(state []statespace.ID) bool { return holds(state) || !r.isInitial(state) }))
}

// isInitial tells whether a state is an initial one.
func (r *run) isInitial(state []statespace.ID) bool {
	found := false
	r.s.program.Init(func(initial []statespace.ID) bool {
		found = slices.Equal(initial, state)
		return !found
	})
	return found
}

// premises are the fairness of the specification.
func (r *run) premises() []property {
	p := r.s.program
	var all []property
	for i := range p.Fairness {
		f := &p.Fairness[i]
		kind := statespace.Weak
		if f.Strong {
			kind = statespace.Strong
		}
		all = append(all, temporal.Premise(len(p.Variables), f.Name, kind,
			func(state []statespace.ID) bool { return p.Enabled(f, state) },
			func(from []statespace.ID, a statespace.Action, to []statespace.ID) bool {
				return p.Taken(f, from, a.Label, to)
			}))
	}
	return all
}

func (r *run) options() statespace.Options {
	return statespace.Options{
		Classes: []statespace.Class{{Name: "Next"}}, Workers: r.o.Workers, All: r.o.All,
		MaxStates: r.o.MaxStates, MaxMemory: r.o.MaxMemory, MaxDepth: r.o.MaxDepth, Progress: r.o.Progress,
		Labels: len(r.s.program.Actions),
	}
}

// explore decides what needs no automaton.
func (r *run) explore(ctx context.Context) error {
	r.s.program.CountWays(true)
	defer r.s.program.CountWays(false)
	found, err := statespace.CheckVectors(ctx, r.s.program.Model(), append(r.direct, r.premises()...), r.options())
	r.stats = found.Stats
	decided := make([]bool, len(r.claims))
	for i := range r.direct {
		if i < len(found.Properties) {
			r.take(r.of[i], found.Properties[i], &decided[r.of[i]], r.s.trace)
		}
	}
	return err
}

// take joins what was found of a part with what is known of the rest of the claim: one part that is violated is
// enough, and all have to hold.
func (r *run) take(claim int, found statespace.PropertyResult[[]statespace.ID], decided *bool, trace func(*statespace.Trace[[]statespace.ID]) *Trace) {
	c := &r.claims[claim]
	if *decided && (c.Verdict == statespace.Violated || c.Verdict == statespace.Inconclusive && found.Verdict != statespace.Violated) {
		return
	}
	c.Verdict, c.Reason, c.Vacuous = found.Verdict, found.Reason, found.Vacuous
	*decided = true
	if c.Kind == Property && c.Verdict == statespace.Violated && r.s.program.Guessed() {
		c.Verdict = statespace.Inconclusive
		c.Reason = "a behaviour that may violate it was found, but whether an action of its WF or SF is possible could not be judged: the action does not say what all variables become"
		return
	}
	if found.Trace != nil {
		c.Trace = trace(found.Trace)
	}
}

// products decides what needs an automaton.
func (r *run) products(ctx context.Context) error {
	for _, part := range r.later {
		c := &r.claims[part.claim]
		switch {
		case c.Verdict == statespace.Violated:
			continue
		case !r.o.All && r.violated():
			c.Verdict, c.Reason = statespace.Inconclusive, statespace.EndedAtViolation
			continue
		}
		p := r.s.program
		m, properties, err := temporal.Product(p, part.formula, c.Name, r.premises(), program.Deadlocked)
		if err != nil {
			c.Verdict, c.Reason = statespace.Inconclusive, err.Error()
			continue
		}
		found, err := statespace.CheckVectors(ctx, m, properties, r.options())
		if err != nil {
			c.Verdict, c.Reason = statespace.Inconclusive, "an expression has no value"
			return err
		}
		decided := c.Verdict == statespace.Inconclusive && c.Reason != "" || r.hasDirect(part.claim)
		r.take(part.claim, found.Properties[0], &decided, func(t *statespace.Trace[[]statespace.ID]) *Trace {
			return r.s.trace(temporal.Unwrap(p.Width(), t))
		})
	}
	return nil
}

func (r *run) hasDirect(claim int) bool {
	for _, of := range r.of {
		if of == claim {
			return true
		}
	}
	return false
}

func (r *run) violated() bool {
	for _, c := range r.claims {
		if c.Verdict == statespace.Violated {
			return true
		}
	}
	return false
}
