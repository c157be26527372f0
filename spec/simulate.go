package spec

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/statespace"
)

// Walks are random behaviours of a specification, for one with too many states to explore.
type Walks struct {
	// Number and Steps are how many there are, and how long each is at most.
	Number, Steps int
	// Seed is what they are drawn with: the same seed gives the same ones.
	Seed uint64
}

// Simulate looks at random behaviours instead of all states: at the invariants, at steps that a property does not
// allow, at deadlocks and assertions. What it finds is violated; what it does not find is inconclusive, since nothing
// says how much was not looked at. Properties about whole behaviours are not judged.
func (s *Spec) Simulate(ctx context.Context, w Walks, o Options) (*Result, error) {
	p := s.program
	result, err := s.begin(ctx, "simulate", o)
	if err != nil {
		return result, result.evaluation(err, nil)
	}
	if !p.HasBehaviours() {
		return result, errors.New("the configuration names no behaviours that could be simulated")
	}
	r := newRun(s, o)
	draw := rand.New(rand.NewPCG(w.Seed, 1))
	var failed error
	violated := false
	for n := 0; n < w.Number && !violated && failed == nil && ctx.Err() == nil; n++ {
		var t statespace.Trace[[]statespace.ID]
		if t, failed = s.walk(draw, w.Steps); t.Init == nil {
			break
		}
		result.Stats.Transitions += len(t.Steps) + 1
		result.Stats.Levels = max(result.Stats.Levels, len(t.Steps)+1)
		if violated = r.judge(&t); failed != nil && !violated {
			r.claims = append(r.claims, valueless(failed, s.trace(&t)))
		}
	}
	for i := range r.claims {
		if c := &r.claims[i]; c.Verdict == statespace.Inconclusive && c.Kind != Evaluation {
			c.Reason = fmt.Sprintf("%d random behaviours of up to %d steps show nothing", w.Number, w.Steps)
			if c.Kind == Property {
				c.Reason += "; what is about whole behaviours is not judged by them"
			}
		}
	}
	result.Claims, result.Stats.Reason = r.claims, "random behaviours were looked at, not all states"
	return result, nil
}

// walk draws one behaviour. The error is for an expression without a value, and the behaviour is then the one that
// leads there.
func (s *Spec) walk(draw *rand.Rand, steps int) (t statespace.Trace[[]statespace.ID], err error) {
	t.Loop = -1
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *program.EvaluationError:
			err = p
		case *program.Interrupted: // no more behaviours are drawn
		default:
			panic(p)
		}
	}()
	var starts [][]statespace.ID
	s.program.Level(-1)
	s.program.Init(func(v []statespace.ID) bool {
		starts = append(starts, slices.Clone(v))
		return true
	})
	if len(starts) == 0 {
		return t, nil
	}
	t.Init = starts[draw.IntN(len(starts))]
	for state := t.Init; len(t.Steps) < steps; {
		var ways []statespace.Step[[]statespace.ID]
		s.program.Level(len(t.Steps))
		s.program.Next(state, func(a statespace.Action, to []statespace.ID) bool {
			ways = append(ways, statespace.Step[[]statespace.ID]{Action: a, State: slices.Clone(to)})
			return true
		})
		if len(ways) == 0 {
			break
		}
		way := ways[draw.IntN(len(ways))]
		t.Steps, state = append(t.Steps, way), way.State
		if way.Action.Label == program.Deadlocked {
			break
		}
	}
	return t, nil
}

// judge tells whether a behaviour violates a claim, and enters it.
func (r *run) judge(t *statespace.Trace[[]statespace.ID]) bool {
	for i := range r.direct {
		if at, violated := statespace.Violates(r.direct[i], t, r.s.program.Level); violated {
			shown := statespace.Trace[[]statespace.ID]{Init: t.Init, Steps: t.Steps[:at], Loop: -1}
			c := &r.claims[r.of[i]]
			c.Verdict, c.Trace = statespace.Violated, r.s.trace(&shown)
			return true
		}
	}
	return false
}
