package spec

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// explanation is a search through states paired with how much of the history they explain. It goes on from what
// explains the most, and of that from what was found first: one behaviour is enough, and most of what is not observed
// can be in many ways of which any will do. Only where nothing goes on are the others looked at, and all of them before
// a history is said to be none.
type explanation struct {
	s        *Spec
	observed []Observation
	// shown are the ids of what is observed, by the variables of the program; absent where a variable is not.
	shown [][]statespace.ID
	most  int
	// nodes are what was found, and states the states of all of them, one after the other.
	nodes  []explained
	states []statespace.ID
	// layers has what shows each observation, as far as any was reached.
	layers []layer
	// node is the one that is gone on from, -1 before that.
	node  int32
	steps int
	cut   string
	// instead are steps that would show something else than the event that is not explained.
	instead []string
	// same makes of a state what it is known by.
	same    func(state []statespace.ID) []statespace.ID
	scratch []byte
}

// explained is how a state was reached: event is the observation that the step to it explains, 0 if it explains none.
type explained struct {
	from, event int32
	action      statespace.Action
}

// layer is what explains the history up to one observation: all that was found, how many of that have been gone on
// from, and what it is known by.
type layer struct {
	nodes []int32
	done  int
	known map[xxh3.Uint128]struct{}
}

// absent is the id of what is not observed.
const absent = ^statespace.ID(0)

func (s *Spec) explanation(observed []Observation, most int) *explanation {
	e := &explanation{s: s, observed: observed, most: most, node: -1, same: s.sameness(observed)}
	for _, seen := range observed {
		ids := make([]statespace.ID, len(s.program.Variables))
		for i, name := range s.program.Variables {
			ids[i] = absent
			if v, ok := seen.Values[name]; ok {
				ids[i] = s.program.ID(v)
			}
		}
		e.shown = append(e.shown, ids)
	}
	return e
}

// sameness is what of a state tells it from others: what its view shows, or what of all that are symmetric stands for
// it. States that are observed as something that a symmetry would change are told apart.
func (s *Spec) sameness(observed []Observation) func([]statespace.ID) []statespace.ID {
	var scratch []statespace.ID
	switch m := s.program.Model().(type) {
	case statespace.VectorViewer:
		return func(state []statespace.ID) []statespace.ID {
			scratch = m.View(state, scratch[:0])
			return scratch
		}
	case statespace.VectorCanonicalizer:
		for _, seen := range observed {
			for _, v := range seen.Values {
				if !s.program.Unmoved(v) {
					return func(state []statespace.ID) []statespace.ID { return state }
				}
			}
		}
		return func(state []statespace.ID) []statespace.ID {
			scratch = append(scratch[:0], state...)
			m.Canonical(scratch)
			return scratch
		}
	}
	return func(state []statespace.ID) []statespace.ID { return state }
}

// explains is how many observations are explained.
func (e *explanation) explains() int { return len(e.layers) }

// last is the first state that explains the last event that is explained.
func (e *explanation) last() int32 { return e.layers[len(e.layers)-1].nodes[0] }

// state is that of a node, for as long as none is added.
func (e *explanation) state(node int32) []statespace.ID {
	width := len(e.s.program.Variables)
	return e.states[int(node)*width:][:width:width]
}

// search goes on until all is explained, or nothing is left to go on from.
func (e *explanation) search(ctx context.Context) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *program.Interrupted:
			e.cut = p.Error()
		case *program.EvaluationError:
			err = p
		default:
			panic(p)
		}
	}()
	if len(e.observed) == 0 {
		return nil
	}
	e.s.program.Init(func(state []statespace.ID) bool {
		e.steps++
		e.found(0, state, explained{from: -1})
		return true
	})
	for at := len(e.layers) - 1; at >= 0 && len(e.layers) < len(e.observed); {
		from := &e.layers[at]
		if from.done == len(from.nodes) {
			at--
			continue
		}
		if e.cut = e.over(ctx); e.cut != "" {
			return nil
		}
		from.done++
		if e.expand(at, from.nodes[from.done-1]) {
			at++
		}
	}
	if n := len(e.layers); n > 0 && n < len(e.observed) {
		e.instead = e.possible()
	}
	return nil
}

// over says why the search ends before its end; nothing if it does not.
func (e *explanation) over(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "cancelled: " + context.Cause(ctx).Error()
	case e.most > 0 && len(e.nodes) > e.most:
		return fmt.Sprintf("the budget of %d states was reached", e.most)
	}
	return ""
}

// expand adds what comes after a node that explains up to one observation, and tells whether anything new explains the
// next.
func (e *explanation) expand(at int, node int32) (onwards bool) {
	state := slices.Clone(e.state(node))
	e.node = node
	// What shows this event may show the next already: nothing observed has changed.
	if e.shows(state, at+1) {
		onwards = e.enter(at+1, state, func() int32 { return node })
	}
	e.s.program.Next(state, func(a statespace.Action, to []statespace.ID) bool {
		e.steps++
		e.found(at, to, explained{from: node, action: a})
		if e.found(at+1, to, explained{from: node, action: a, event: int32(at + 1)}) {
			onwards = true
		}
		return true
	})
	return onwards
}

// found adds a state to what explains up to one observation, if it shows that and is not there.
func (e *explanation) found(at int, state []statespace.ID, how explained) bool {
	return e.shows(state, at) && e.enter(at, state, func() int32 {
		e.nodes, e.states = append(e.nodes, how), append(e.states, state...)
		return int32(len(e.nodes) - 1)
	})
}

// enter adds a node to what explains up to one observation, unless its state is known there.
func (e *explanation) enter(at int, state []statespace.ID, node func() int32) bool {
	e.scratch = e.scratch[:0]
	for _, id := range e.same(state) {
		e.scratch = binary.LittleEndian.AppendUint32(e.scratch, uint32(id))
	}
	if at == len(e.layers) {
		e.layers = append(e.layers, layer{known: map[xxh3.Uint128]struct{}{}})
	}
	l, k := &e.layers[at], xxh3.Hash128(e.scratch)
	if _, ok := l.known[k]; ok {
		return false
	}
	l.known[k] = struct{}{}
	l.nodes = append(l.nodes, node())
	return true
}

// shows tells whether a state has the values of an observation.
func (e *explanation) shows(state []statespace.ID, at int) bool {
	for i, id := range e.shown[at] {
		if id != absent && id != state[i] {
			return false
		}
	}
	return true
}

// unexplained says which event no step explains, and what was observed.
func (e *explanation) unexplained() string {
	event := e.explains()
	seen := e.observed[event]
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(seen.Values)) {
		if event > 0 && value.Same(seen.Values[name], e.observed[event-1].Values[name]) {
			continue
		}
		changed = append(changed, name+" = "+value.Describe(seen.Values[name]))
	}
	where := "no initial state shows it"
	if event > 0 {
		where = "no step from what explains the history before it leads there"
	}
	return fmt.Sprintf("%s: %s; observed: %s", seen.Event, where, strings.Join(changed, ", "))
}

// insteadFrom bounds the states from which steps are looked for that were possible.
const insteadFrom = 1000

// possible returns the steps that change something observed, from states that explain the last event that is explained:
// each with what would be observed after it.
func (e *explanation) possible() (all []string) {
	layer := e.layers[len(e.layers)-1]
	before := e.observed[len(e.layers)-1].Values
	for _, i := range layer.nodes[:min(len(layer.nodes), insteadFrom)] {
		e.s.program.Next(e.state(i), func(a statespace.Action, to []statespace.ID) bool {
			if a.Label == program.Deadlocked {
				return false
			}
			values := e.s.program.Values(to)
			var changed []string
			for k, name := range e.s.program.Variables {
				if old, ok := before[name]; ok && !value.Same(old, values[k]) {
					changed = append(changed, name+" = "+value.Describe(values[k]))
				}
			}
			if text := e.s.program.Actions[a.Label].Name + " (" + strings.Join(changed, ", ") + ")"; len(changed) > 0 && !slices.Contains(all, text) {
				all = append(all, text)
			}
			return true
		})
	}
	return all
}

// reached is the behaviour that was gone on from at last, nil if there is none.
func (e *explanation) reached() *Trace {
	if e.node < 0 {
		return nil
	}
	return e.trace(e.node)
}

// trace is how a node was reached.
func (e *explanation) trace(at int32) *Trace {
	var path []int32
	for ; at >= 0; at = e.nodes[at].from {
		path = append(path, at)
	}
	slices.Reverse(path)
	t := &statespace.Trace[[]statespace.ID]{Init: e.state(path[0]), Loop: -1}
	for _, i := range path[1:] {
		t.Steps = append(t.Steps, statespace.Step[[]statespace.ID]{Action: e.nodes[i].action, State: e.state(i)})
	}
	found := e.s.trace(t)
	for i, n := range path {
		if event := e.nodes[n].event; event > 0 {
			found.States[i].Event = e.observed[event].Event
		}
	}
	return found
}
