package spec

import (
	"slices"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Trace is a behaviour: its states, each with the action that leads to it.
type Trace struct {
	Variables []string
	States    []State
	// Loop is -1 for a finite behaviour. Otherwise the last state is States[Loop] again, and what came after that comes
	// for ever; if Loop is the index of the last state itself, it stays there for ever.
	Loop int
	// Alike is true if the last state only looks like States[Loop] in the VIEW of the configuration.
	Alike bool
}

// State is one state of a trace.
type State struct {
	// Action is empty for an initial state.
	Action string
	At     syntax.Position
	Values []value.Value
	// Changed tells for each variable whether its value is another than before. All are in an initial state.
	Changed []bool
	// Event is, of a state that explains a history, what was recorded when it is reached; empty for steps that nothing
	// was seen of.
	Event string
}

func (s *Spec) trace(t *statespace.Trace[[]statespace.ID]) *Trace {
	found := &Trace{Variables: s.program.Variables, Loop: -1}
	found.add(s, "", syntax.Position{}, t.Init)
	for _, step := range t.Steps {
		if step.Action.Label == program.Deadlocked {
			break
		}
		a := s.program.Actions[step.Action.Label]
		found.add(s, a.Name, a.At, step.State)
	}
	found.Loop = t.Loop
	ids := [][]statespace.ID{t.Init}
	for _, step := range t.Steps {
		ids = append(ids, step.State)
	}
	found.Alike = t.Loop >= 0 && !slices.Equal(ids[t.Loop], ids[len(ids)-1])
	return found.aliased(s, ids[:len(found.States)])
}

func (t *Trace) add(s *Spec, action string, at syntax.Position, ids []statespace.ID) {
	state := State{Action: action, At: at, Values: s.program.Values(ids), Changed: make([]bool, len(ids))}
	for i := range ids {
		state.Changed[i] = len(t.States) == 0 || !value.Same(t.States[len(t.States)-1].Values[i], state.Values[i])
	}
	t.States = append(t.States, state)
}

// aliased is a trace as the configuration's ALIAS shows it.
func (t *Trace) aliased(s *Spec, ids [][]statespace.ID) *Trace {
	shown := &Trace{Loop: t.Loop, Alike: t.Alike}
	for i, state := range t.States {
		next := ids[min(i+1, len(ids)-1)]
		if i+1 == len(t.States) && t.Loop >= 0 && t.Loop < len(t.States) {
			next = ids[t.Loop]
		}
		names, values := s.program.Alias(ids[i], next, i)
		if names == nil || shown.Variables != nil && !slices.Equal(names, shown.Variables) {
			return t
		}
		shown.Variables = names
		state.Values, state.Changed = values, make([]bool, len(values))
		for j := range values {
			state.Changed[j] = i == 0 || !value.Same(shown.States[i-1].Values[j], values[j])
		}
		shown.States = append(shown.States, state)
	}
	return shown
}

// follow takes actions from an initial state on. Where several states come of one action, the first with which the rest
// is possible is taken.
func (s *Spec) follow(path []statespace.Action) (trace *Trace) {
	defer func() {
		if recover() != nil {
			// What has no value has none again.
			trace = nil
		}
	}()
	var states [][]statespace.ID
	var find func(state []statespace.ID, rest []statespace.Action) bool
	find = func(state []statespace.ID, rest []statespace.Action) bool {
		states = append(states, append([]statespace.ID{}, state...))
		if len(rest) == 0 {
			return true
		}
		found := false
		s.program.Level(len(states) - 1)
		s.program.Next(states[len(states)-1], func(a statespace.Action, to []statespace.ID) bool {
			found = a == rest[0] && find(to, rest[1:])
			return !found
		})
		if !found {
			states = states[:len(states)-1]
		}
		return found
	}
	s.program.Level(-1)
	s.program.Init(func(state []statespace.ID) bool { return !find(state, path) })
	if len(states) == 0 {
		return nil
	}
	t := &statespace.Trace[[]statespace.ID]{Init: states[0], Loop: -1}
	for i, state := range states[1:] {
		t.Steps = append(t.Steps, statespace.Step[[]statespace.ID]{Action: path[i], State: state})
	}
	return s.trace(t)
}
