package spec

import (
	"context"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/statespace"
)

// Spec is a specification with its configuration, ready to be checked.
type Spec struct {
	program *program.Program
	config  *config.Config
}

// Options are the bounds of a check. The zero value has none.
type Options struct {
	Workers   int
	MaxStates int
	MaxMemory int64
	MaxDepth  int
	Progress  func(statespace.Progress)
}

// Result is what a check found.
type Result struct {
	statespace.Result[[]statespace.ID]
}

// Check explores the states and decides what the configuration asks.
func (s *Spec) Check(ctx context.Context, o Options) (*Result, error) {
	p := s.program
	if err := p.CheckAssumptions(); err != nil {
		return nil, err
	}
	if !p.HasBehaviours() {
		return &Result{}, nil
	}
	var properties []statespace.Property[[]statespace.ID]
	for i := range p.Invariants {
		q := &p.Invariants[i]
		properties = append(properties, statespace.Always(q.Name, func(state []statespace.ID) bool { return p.Holds(q, state) }))
	}
	if s.config.Deadlock {
		properties = append(properties, statespace.AlwaysStep("deadlock", func(_ []statespace.ID, a statespace.Action, _ []statespace.ID) bool {
			return a.Label != program.Deadlocked
		}))
	}
	r, err := statespace.CheckVectors(ctx, p, properties, statespace.Options{
		Classes: []statespace.Class{{Name: "Next"}}, Workers: o.Workers, MaxStates: o.MaxStates, MaxMemory: o.MaxMemory, MaxDepth: o.MaxDepth, Progress: o.Progress,
	})
	return &Result{r}, err
}
