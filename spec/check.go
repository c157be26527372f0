package spec

import (
	"context"
	"errors"
	"strings"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/statespace"
)

// Spec is a specification with its configuration, ready to be checked.
type Spec struct {
	program *program.Program
	config  *config.Config
	files   *files
}

// Name returns the name of the module.
func (s *Spec) Name() string { return s.program.Name }

// Variables returns the names of the variables, in the order of their declarations.
func (s *Spec) Variables() []string { return s.program.Variables }

// Warnings returns what there is to say of the specification that is no error.
func (s *Spec) Warnings() []program.Warning { return s.program.Warnings }

// Options are the bounds of a check. The zero value has none.
type Options struct {
	// Workers is the number of goroutines; 0 means GOMAXPROCS. Results do not depend on it.
	Workers int
	// MaxStates, MaxMemory (in bytes) and MaxDepth bound what is explored; 0 means no bound.
	MaxStates int
	MaxMemory int64
	MaxDepth  int
	// All goes on after the first violation until everything is decided.
	All bool
	// Print gets what Print and PrintT show. It may be called from several goroutines, one at a time.
	Print func(line string)
	// Progress, if set, is called at most once a second.
	Progress func(statespace.Progress)
}

// Kind says what sort of claim a Claim is.
type Kind string

// The kinds of claims.
const (
	Assumption Kind = "assumption"
	Invariant  Kind = "invariant"
	Property   Kind = "property"
	// Deadlock is the claim that some action is possible in every state.
	Deadlock Kind = "deadlock"
	// Evaluation is the claim that everything that is evaluated has a value, and that what Assert asserts is
	// true. There is such a claim only if it was found to be false.
	Evaluation Kind = "evaluation"
	Assertion  Kind = "assertion"
)

// Claim is one claim of a specification, and what became of it.
type Claim struct {
	Name    string
	Kind    Kind
	At      syntax.Position
	Verdict statespace.Verdict
	// Reason says why a verdict is inconclusive, and what is wrong for an Evaluation or Assertion.
	Reason string
	// Vacuous says why a claim that holds could not have been false; empty if it could.
	Vacuous string
	// Trace shows a behaviour for which a violated claim is false. It is nil for an assumption.
	Trace *Trace
	// Unexplained is set for a History that is violated after what Trace explains.
	Unexplained *Unexplained
}

// Result is what a check found.
type Result struct {
	Claims []Claim
	Stats  statespace.Stats
	// NeverTaken are the actions that were possible in no state, once everything was explored.
	NeverTaken []program.Action
	// Unmet are the antecedents of claims that were true in no state, once everything was explored.
	Unmet []*program.Antecedent
	// Actions and Values are how often each action was taken, and how many values each variable had; nil if nothing was
	// explored.
	Actions []ActionCount
	Values  []ValueCount
	// Observed is how many observations a history has, and Explained how many from the first on have an explanation.
	Observed, Explained int
}

// Verdict is Violated if one claim is, else Inconclusive if one is, else Holds.
func (r *Result) Verdict() statespace.Verdict {
	verdict := statespace.Holds
	for _, c := range r.Claims {
		switch c.Verdict {
		case statespace.Violated:
			return statespace.Violated
		case statespace.Inconclusive:
			verdict = statespace.Inconclusive
		}
	}
	return verdict
}

// Check explores the states and decides what the configuration asks. Violations and bounds that were reached are
// results; the error is for what could not be checked at all.
func (s *Spec) Check(ctx context.Context, o Options) (*Result, error) {
	p := s.program
	result, err := s.begin(ctx, "bfs", o)
	if err != nil {
		return result, result.evaluation(err, nil)
	}
	for _, a := range p.Assumptions {
		result.Claims = append(result.Claims, Claim{Name: a.Name, Kind: Assumption, At: a.At, Verdict: statespace.Holds})
	}
	if !p.HasBehaviours() {
		result.Stats.Complete = true
		return result, nil
	}
	run := newRun(s, o)
	err = run.explore(ctx)
	if err != nil && !run.violated() && s.startless(err) {
		run.holdNothing()
		result.Claims, result.Stats = append(result.Claims, run.claims...), statespace.Stats{Complete: true}
		return result, p.CheckPostcondition()
	}
	if err == nil && run.stats.Reason == statespace.EndedAtViolation && !run.violated() {
		// What ended the search was a violation that may be none: the rest is decided all the same.
		o.All = true
		run = newRun(s, o)
		err = run.explore(ctx)
	}
	result.Actions, result.Values = actionCounts(p, run.stats.Labels), valueCounts(p)
	if err != nil {
		result.Claims, result.Stats = append(result.Claims, run.claims...), run.stats
		return result, result.evaluation(err, s)
	}
	if err = run.products(ctx); err == nil {
		err = run.beyond(ctx)
	}
	result.Claims, result.Stats = append(result.Claims, run.claims...), run.stats
	if err == nil && run.stats.Complete {
		result.NeverTaken = p.NeverTaken()
		result.unmet(p)
		p.Explored(run.stats)
		err = p.CheckPostcondition()
	}
	if err != nil {
		return result, result.evaluation(err, s)
	}
	return result, nil
}

// unmet notes what claims say of what was true in no state. One that says nothing else holds, and could not have been
// false.
func (r *Result) unmet(p *program.Program) {
	r.Unmet = p.Unmet()
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.Verdict != statespace.Holds || c.Kind != Invariant && c.Kind != Property || !p.Watches(c.Name) {
			continue
		}
		if c.Vacuous = ""; p.Empty(c.Name) {
			var all []string
			for _, a := range r.Unmet {
				if a.Claim == c.Name {
					all = append(all, a.Text)
				}
			}
			c.Vacuous = c.Name + " is only about " + strings.Join(all, ", ") + ": true in no reachable state"
		}
	}
}

// begin readies a check, and looks at the assumptions. The mode is what TLCGet says of how states are looked at.
func (s *Spec) begin(ctx context.Context, mode string, o Options) (*Result, error) {
	s.program.OnPrint(o.Print)
	s.program.Says(mode)
	s.program.Until(ctx)
	return &Result{}, s.program.CheckAssumptions()
}

// evaluation turns an expression without a value, or an assertion that is false, into a claim that is violated. Another
// error is returned.
func (r *Result) evaluation(err error, s *Spec) error {
	var ended *program.Interrupted
	if errors.As(err, &ended) {
		r.interrupted(ended.Error())
		return nil
	}
	var e *program.EvaluationError
	var refused *syntax.Error
	if errors.As(err, &refused) {
		return refused // whatever was evaluated when it was kept from what it does
	}
	if !errors.As(err, &e) {
		return err
	}
	var trace *Trace
	var m *statespace.ModelError
	if s != nil && errors.As(err, &m) {
		trace = s.follow(m.Path)
	}
	c := valueless(e, trace)
	if s == nil {
		c.Name, c.Kind = e.Problem, Assumption
	}
	r.Claims = append(r.Claims, c)
	if e.Limit {
		r.Stats.Complete, r.Stats.Reason = false, c.Reason
	}
	return nil
}

// interrupted has everything that is open stay so, since the evaluation of an expression was ended.
func (r *Result) interrupted(reason string) {
	r.Stats.Complete, r.Stats.Reason = false, reason
	if len(r.Claims) == 0 {
		r.Claims = append(r.Claims, Claim{Name: "the assumptions", Kind: Assumption})
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.Kind != Assumption && c.Verdict != statespace.Violated || len(r.Claims) == 1 {
			c.Verdict, c.Reason = statespace.Inconclusive, reason
		}
	}
}

// valueless is the claim that an expression without a value, or an assertion that is false, violates. It stays open if
// the expression is only too much for what is evaluated.
func valueless(err error, trace *Trace) Claim {
	var e *program.EvaluationError
	errors.As(err, &e)
	c := Claim{Name: "every expression has a value", Kind: Evaluation, At: e.At, Verdict: statespace.Violated, Reason: e.Problem, Trace: trace}
	if e.Assertion {
		c.Name, c.Kind = "assertions", Assertion
	}
	if e.Limit {
		c.Verdict, c.Reason = statespace.Inconclusive, "a limit of evaluation is reached: "+e.Error()
	}
	return c
}
