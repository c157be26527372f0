package spec

import (
	"context"
	"errors"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/statespace"
)

// Spec is a specification with its configuration, ready to be checked.
type Spec struct {
	program *program.Program
	config  *config.Config
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
}

// Result is what a check found.
type Result struct {
	Claims []Claim
	Stats  statespace.Stats
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
	p.OnPrint(o.Print)
	result := &Result{}
	if err := p.CheckAssumptions(); err != nil {
		return result, result.evaluation(err, nil)
	}
	for _, a := range p.Assumptions {
		result.Claims = append(result.Claims, Claim{Name: a.Name, Kind: Assumption, At: a.At, Verdict: statespace.Holds})
	}
	if !p.HasBehaviours() {
		result.Stats.Complete = true
		return result, nil
	}
	claims, properties := s.claims()
	found, err := statespace.CheckVectors(ctx, p, properties, statespace.Options{
		Classes: []statespace.Class{{Name: "Next"}}, Workers: o.Workers, All: o.All,
		MaxStates: o.MaxStates, MaxMemory: o.MaxMemory, MaxDepth: o.MaxDepth, Progress: o.Progress,
	})
	result.Stats = found.Stats
	for i, r := range found.Properties {
		c := claims[i]
		c.Verdict, c.Reason, c.Vacuous = r.Verdict, r.Reason, r.Vacuous
		if r.Trace != nil {
			c.Trace = s.trace(r.Trace)
		}
		result.Claims = append(result.Claims, c)
	}
	if err != nil {
		return result, result.evaluation(err, s)
	}
	return result, nil
}

// claims returns what is claimed of states and steps.
func (s *Spec) claims() (claims []Claim, properties []statespace.Property[[]statespace.ID]) {
	p := s.program
	for i := range p.Invariants {
		q := &p.Invariants[i]
		claims = append(claims, Claim{Name: q.Name, Kind: Invariant, At: q.At})
		properties = append(properties, statespace.Always(q.Name, func(state []statespace.ID) bool { return p.Holds(q, state) }))
	}
	if s.config.Deadlock {
		claims = append(claims, Claim{Name: "no deadlock", Kind: Deadlock})
		properties = append(properties, statespace.AlwaysStep("no deadlock", func(_ []statespace.ID, a statespace.Action, _ []statespace.ID) bool {
			return a.Label != program.Deadlocked
		}))
	}
	return claims, properties
}

// evaluation turns an expression without a value, or an assertion that is false, into a claim that is violated. Another
// error is returned.
func (r *Result) evaluation(err error, s *Spec) error {
	var e *program.EvaluationError
	if !errors.As(err, &e) {
		return err
	}
	c := Claim{Name: "every expression has a value", Kind: Evaluation, At: e.At, Verdict: statespace.Violated, Reason: e.Problem}
	if e.Assertion {
		c.Name, c.Kind = "assertions", Assertion
	}
	if s == nil {
		c.Name, c.Kind = e.Problem, Assumption
	}
	var m *statespace.ModelError
	if s != nil && errors.As(err, &m) {
		c.Trace = s.follow(m.Path)
	}
	r.Claims = append(r.Claims, c)
	return nil
}
