package statespace

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Check explores the states of m and decides the properties.
//
// S must be comparable by its memory: no pointers, strings, interfaces or
// floats, and no implicit padding; the error names the field. A violation, a
// budget that ran out and a cancelled ctx are results. An error is a fault of
// the arguments or, as a *ModelError, of the model; what was found before it is
// in the result.
func Check[S comparable](ctx context.Context, m Model[S], props []Property[S], o Options) (Result[S], error) {
	p, preds, err := compile(props)
	if err != nil {
		return Result[S]{}, err
	}
	d, err := newStructDoor(m, preds)
	if err != nil {
		return Result[S]{}, err
	}
	c := checker[S]{
		props: props,
		value: d.value,
		judge: judge[S]{init: m.Init, next: m.Next, equal: func(a, b S) bool { return a == b }, classes: o.Classes, premises: premisesOf(props)},
	}
	return c.check(ctx, d, p, o)
}

// CheckVectors is Check for a VectorModel.
func CheckVectors(ctx context.Context, m VectorModel, props []Property[[]ID], o Options) (Result[[]ID], error) {
	p, preds, err := compile(props)
	if err != nil {
		return Result[[]ID]{}, err
	}
	d, err := newVectorDoor(m, preds)
	if err != nil {
		return Result[[]ID]{}, err
	}
	c := checker[[]ID]{
		props: props,
		value: func(rec []uint64) []ID { return slices.Clone(d.view(rec)) },
		judge: judge[[]ID]{init: m.Init, next: m.Next, equal: slices.Equal[[]ID], alike: alike(m), level: levelOf(m), classes: o.Classes, premises: premisesOf(props)},
	}
	return c.check(ctx, d, p, o)
}

// premisesOf returns the properties that are premises.
func premisesOf[S any](props []Property[S]) []Property[S] {
	return slices.DeleteFunc(slices.Clone(props), func(p Property[S]) bool { return p.kind != kindFair })
}

// TerminalVectors explores m and returns every reachable state that no action
// changes, as canonical representatives in breadth-first order. When a budget
// of o runs out or ctx is cancelled, they are those found so far and
// stats.Complete is false.
func TerminalVectors(ctx context.Context, m VectorModel, o Options) (vectors [][]ID, stats Stats, err error) {
	p, preds, err := compile[[]ID](nil)
	if err != nil {
		return nil, Stats{}, err
	}
	d, err := newVectorDoor(m, preds)
	if err != nil {
		return nil, Stats{}, err
	}
	s, err := newSearch(ctx, d, p, o)
	if err != nil {
		return nil, Stats{}, err
	}
	s.keepResting = true
	err = s.locate(s.run())
	for at := 0; at < len(s.resting); at += s.queue.words {
		vectors = append(vectors, slices.Clone(d.view(s.resting[at:at+s.queue.words])))
	}
	return vectors, s.stats(), err
}

// checker turns what a search finds into results in the model's own type.
type checker[S any] struct {
	props []Property[S]
	value func(rec []uint64) S
	judge judge[S]
}

func (c *checker[S]) check(ctx context.Context, d door, p *plan, o Options) (Result[S], error) {
	s, err := newSearch(ctx, d, p, o)
	if err != nil {
		return Result[S]{}, err
	}
	early := make([]*PropertyResult[S], len(p.claims))
	if !o.All && p.live {
		s.look, s.nextLook = func() bool { return c.look(s, early) }, lookFirst
		if s.hooks.looks {
			s.nextLook = 1
		}
	}
	failure := s.locate(s.run())
	if failure != nil {
		s.stop("the model failed")
	}
	r := Result[S]{Stats: s.stats(), Properties: make([]PropertyResult[S], len(p.claims))}
	var live *liveness
	for i := range p.claims {
		out := &r.Properties[i]
		out.Name = p.claims[i].name
		var err error
		switch {
		case s.found[i].ok:
			err = c.decided(s, i, out)
		case early[i] != nil:
			*out = *early[i]
		case slices.ContainsFunc(early, func(r *PropertyResult[S]) bool { return r != nil }):
			s.undecided(i, &out.Verdict, &out.Reason, &out.Vacuous)
		case p.claims[i].live() && failure == nil && s.states > 0:
			if live == nil {
				live = newLiveness(s)
			}
			err = c.live(live, i, out)
		case p.claims[i].kind == kindMost && failure == nil && s.complete():
			if live == nil {
				live = newLiveness(s)
			}
			err = c.measure(live, i, out)
		default:
			s.undecided(i, &out.Verdict, &out.Reason, &out.Vacuous)
		}
		if err != nil {
			*out = PropertyResult[S]{Name: out.Name, Reason: err.Error()}
			failure = errors.Join(failure, err)
		}
	}
	return r, failure
}

// look searches an unfinished exploration for violations of liveness, so that
// one need not wait for the rest, and reports whether there is one. A violation
// in what is explored is valid whatever the rest is; its stem is the shortest
// there. What cannot be found or judged here is left to the search at the end,
// which says why.
func (c *checker[S]) look(s *search, early []*PropertyResult[S]) bool {
	live := newLiveness(s)
	any := false
	for i := range s.plan.claims {
		if !s.plan.claims[i].live() {
			continue
		}
		out := &PropertyResult[S]{Name: s.plan.claims[i].name}
		err := guard(func() error {
			found, err := live.find(&s.plan.claims[i])
			if err != nil || found == nil {
				return err
			}
			return c.accept(found, i, out)
		})
		if err == nil && out.Trace != nil {
			early[i], any = out, true
		}
	}
	return any
}

// decided reports a claim that the exploration has decided.
func (c *checker[S]) decided(s *search, i int, out *PropertyResult[S]) error {
	var found *path
	err := guard(func() (err error) {
		found, err = s.tracePath(s.found[i])
		return err
	})
	if err == nil {
		err = c.accept(found, i, out)
	}
	return s.unless(err, i, &out.Reason)
}

// live decides a liveness claim.
func (c *checker[S]) live(l *liveness, i int, out *PropertyResult[S]) error {
	var found *path
	err := guard(func() (err error) {
		found, err = l.find(&l.s.plan.claims[i])
		return err
	})
	switch {
	case errors.Is(err, errCancelled):
		out.Reason = l.s.cancelReason()
		return nil
	case err != nil:
		return l.s.unless(err, i, &out.Reason)
	case found != nil:
		return l.s.unless(c.accept(found, i, out), i, &out.Reason)
	}
	l.s.undecided(i, &out.Verdict, &out.Reason, &out.Vacuous)
	return nil
}

// measure decides a Most property of a complete graph.
func (c *checker[S]) measure(l *liveness, i int, out *PropertyResult[S]) error {
	var count int
	err := guard(func() (err error) {
		count, err = l.most(&l.s.plan.claims[i])
		return err
	})
	if errors.Is(err, errCancelled) {
		out.Reason = l.s.cancelReason()
		return nil
	}
	if err == nil {
		out.Verdict, out.Count = Holds, count
	}
	return err
}

// errCancelled says that ctx ended a liveness search.
var errCancelled = errors.New("cancelled")

// errJudged says that a trace did not convince the judge.
var errJudged = errors.New("the trace found does not stand up to re-execution")

// accept has a path judged and makes it the result's trace.
func (c *checker[S]) accept(found *path, i int, out *PropertyResult[S]) error {
	t := &Trace[S]{Init: c.value(found.init), Loop: found.loop}
	for _, step := range found.steps {
		t.Steps = append(t.Steps, Step[S]{Action: step.action, State: c.value(step.record)})
	}
	err := guard(func() error { return c.judge.judge(c.props[i], t) })
	if err != nil {
		return fmt.Errorf("%w: property %q: %w", errJudged, out.Name, err)
	}
	out.Trace, out.Verdict = t, Violated
	if c.props[i].kind == kindSometimes || c.props[i].kind == kindSometimesStep {
		out.Verdict = Holds
	}
	return nil
}

// unless turns a trace that cannot be made concrete or judged under symmetry or a view
// into a reason to be inconclusive, and returns any other error.
func (s *search) unless(err error, i int, reason *string) error {
	if err != nil && s.viewed && (errors.Is(err, errNotAlike) || errors.Is(err, errJudged)) {
		*reason = errNotAlike.Error()
		return nil
	}
	if err != nil && s.symmetric && (errors.Is(err, errNotConcrete) || errors.Is(err, errJudged)) {
		if *reason = s.symmetryReason(i); *reason == "" {
			*reason = "under the model's symmetry " + err.Error()
		}
		return nil
	}
	return err
}

// locate fills in how the state of a model's fault is reached.
func (s *search) locate(err error) error {
	var fault *ModelError
	if errors.As(err, &fault) && fault.Path == nil && fault.id != noState {
		fault.Path = s.actionsTo(fault.id)
	}
	return err
}

// undecided gives the verdict on a claim for which nothing was found.
func (s *search) undecided(i int, verdict *Verdict, reason, vacuous *string) {
	c := &s.plan.claims[i]
	if !s.complete() {
		*reason = s.reason
		return
	}
	if *reason = s.symmetryReason(i); *reason != "" {
		return
	}
	*verdict, *vacuous = Holds, s.vacuity(c)
}

// symmetryReason says why symmetry makes a claim undecidable, if it does.
func (s *search) symmetryReason(i int) string {
	c := &s.plan.claims[i]
	if c.live() {
		for _, p := range s.plan.premises {
			if s.unequal[p.claim] {
				return fmt.Sprintf("the fairness %q tells a state from its canonical form: check the property without Canonical", s.plan.claims[p.claim].name)
			}
		}
	}
	switch {
	case s.unequal[i]:
		return "the property tells a state from its canonical form: check it without Canonical"
	case c.live() && s.unequalClasses:
		return "a fairness class is enabled in a state and not in its canonical form: check the property without Canonical or make the classes symmetric"
	case c.kind == kindAtRest && s.unequalRest:
		return "a state is at rest and its canonical form is not: check the property without Canonical or make the classes symmetric"
	}
	return ""
}

// vacuity says why a claim that holds could not have been violated, or that a
// witness was not found.
func (s *search) vacuity(c *claim) string {
	switch {
	case c.kind == kindSometimes:
		return "no reachable state satisfies it"
	case c.kind == kindSometimesStep:
		return "no reachable step satisfies it"
	case c.kind == kindAlwaysStep && s.transitions == s.initials:
		return "no step is reachable"
	case c.kind == kindAtRest && !s.atRest:
		return "no reachable state is at rest"
	case c.kind == kindFair && s.neverPossible(c):
		return "no such step is possible in any reachable state"
	case c.kind == kindLeadsTo && !s.everTrue.has(c.tail.trigger):
		return "its antecedent is true in no reachable state"
	}
	return ""
}

// neverPossible tells whether a premise is about steps that are possible nowhere.
func (s *search) neverPossible(c *claim) bool {
	for _, p := range s.plan.premises {
		if &s.plan.claims[p.claim] == c {
			return !s.everTrue.has(p.enabled)
		}
	}
	return false
}

// complete reports whether every state was expanded.
func (s *search) complete() bool { return s.reason == "" }

// stats describes the exploration.
func (s *search) stats() Stats {
	st := Stats{
		States: s.states, Transitions: s.transitions, Complete: s.complete(), EnabledClasses: s.enabled, Labels: s.labels,
	}
	if !st.Complete {
		st.Reason = s.reason
	}
	for i, first := range s.levels {
		end := s.states
		if i+1 < len(s.levels) {
			end = s.levels[i+1]
		}
		st.Widest = max(st.Widest, end-first)
		if end > first {
			st.Levels++
			st.Sizes = append(st.Sizes, end-first)
		}
	}
	if s.states > 0 {
		st.BytesPerState = float64(s.bytes()) / float64(s.states)
	}
	return st
}
