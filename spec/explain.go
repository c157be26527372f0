package spec

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// A recorded history is explained by a specification if some behaviour of it shows what was observed, in that order. Not all
// variables need be observed: those that are not may be anything, and steps that change only them may happen at any time. It is
// how code and its specification are kept from drifting apart (Cirstea, Kuppe, Loillier, Merz: Validating Traces of Distributed Programs Against
// TLA+ Specifications, 2024).

// Observation is what was seen of the variables after an event.
type Observation struct {
	// Event is what happened, in words.
	Event string
	// Values are those of the variables that are observed, by their names.
	Values map[string]value.Value
}

// Unexplained is the first observation that nothing explains, and Instead the steps that would have shown something else there: their
// actions, with what would be observed.
type Unexplained struct {
	Observation
	Instead []string
}

// History is the kind of the claim that observations are of a behaviour.
const History Kind = "history"

// Explain looks for a behaviour of the specification with what was observed. The claim holds if there is one; else its trace is
// a behaviour that explains what came before, and its reason the event that nothing explains. It is inconclusive if a bound was reached
// or ctx ended.
func (s *Spec) Explain(ctx context.Context, observed []Observation, o Options) (*Result, error) {
	p := s.program
	result, err := s.begin(ctx, "bfs", o)
	if err != nil {
		return result, result.evaluation(err, nil)
	}
	for _, seen := range observed {
		for name := range seen.Values {
			if !slices.Contains(p.Variables, name) {
				return result, fmt.Errorf("%s is observed, and is no variable of %s: those are %s", name, p.Name, strings.Join(p.Variables, ", "))
			}
		}
	}
	e := &explanation{s: s, observed: observed, most: o.MaxStates, known: map[string]bool{}, ahead: map[string]bool{}}
	claim := Claim{Name: "the history is a behaviour of " + p.Name, Kind: History, Verdict: statespace.Holds}
	if err := e.search(ctx); err != nil {
		result.Claims = append(result.Claims, valueless(err, nil))
		return result, nil
	}
	result.Stats.States, result.Stats.Transitions, result.Stats.Levels = len(e.nodes), len(e.nodes), e.event
	result.Observed, result.Explained = len(observed), e.event
	switch {
	case e.cut != "":
		claim.Verdict, claim.Reason = statespace.Inconclusive, e.cut
	case e.event < len(observed):
		claim.Verdict, claim.Reason = statespace.Violated, e.unexplained()
		if len(e.nodes) > 0 {
			claim.Trace = e.trace(e.last)
			claim.Unexplained = &Unexplained{Observation: observed[e.event], Instead: e.instead}
		}
	default:
		result.Stats.Complete = true
	}
	result.Claims = append(result.Claims, claim)
	return result, nil
}

// explanation is a breadth-first search through states paired with how much of the history they explain.
type explanation struct {
	s        *Spec
	observed []Observation
	most     int
	nodes    []explained
	// known are the states that explain the history up to here, ahead those that explain one event more.
	known, ahead map[string]bool
	// event is the first observation that is not explained yet.
	event int
	// last is the first state that explains the last event that is explained.
	last int
	cut  string
	// instead are steps that would show something else than the event that is not explained.
	instead []string
}

// explained is a state, and how it was reached: event is the observation that the step to it explains, 0 if it explains none.
type explained struct {
	state  []statespace.ID
	from   int
	action statespace.Action
	event  int
}

// search goes on event by event: from all states that explain the last one, through steps that change nothing observed, to those
// that explain the next.
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
	var front []int
	e.s.program.Init(func(state []statespace.ID) bool {
		if e.shows(state, 0) {
			front = e.enter(front, state, -1, statespace.Action{})
		}
		return true
	})
	for e.event < len(e.observed) && len(front) > 0 {
		e.last = front[0]
		var next []int
		for i := 0; i < len(front); i++ {
			if ctx.Err() != nil {
				e.cut = "cancelled: " + context.Cause(ctx).Error()
				return nil
			}
			if e.most > 0 && len(e.nodes) > e.most {
				e.cut = fmt.Sprintf("the budget of %d states was reached", e.most)
				return nil
			}
			front, next = e.expand(front, next, front[i])
		}
		e.event++
		if e.event == len(e.observed) {
			return nil
		}
		// What shows this event may show the next already: nothing observed has changed.
		for _, i := range front {
			if k := key(e.nodes[i].state); !e.ahead[k] && e.shows(e.nodes[i].state, e.event) {
				e.ahead[k] = true
				next = append(next, i)
			}
		}
		slices.Sort(next)
		if len(next) == 0 {
			e.instead = e.possible(front)
		}
		front, e.known, e.ahead = next, e.ahead, map[string]bool{}
	}
	return nil
}

// expand adds the successors of a node that show what it shows to front, and those that show the next observation to next.
func (e *explanation) expand(front, next []int, i int) (grown, following []int) {
	e.s.program.Next(e.nodes[i].state, func(a statespace.Action, to []statespace.ID) bool {
		if e.shows(to, e.event) {
			front = e.enter(front, to, i, a)
		}
		if k := key(to); e.event+1 < len(e.observed) && !e.ahead[k] && e.shows(to, e.event+1) {
			e.ahead[k] = true
			e.nodes = append(e.nodes, explained{slices.Clone(to), i, a, e.event + 1})
			next = append(next, len(e.nodes)-1)
		}
		return true
	})
	return front, next
}

// enter adds a state to a front, unless it is there.
func (e *explanation) enter(front []int, state []statespace.ID, from int, a statespace.Action) []int {
	if k := key(state); !e.known[k] {
		e.known[k] = true
		e.nodes = append(e.nodes, explained{state: slices.Clone(state), from: from, action: a})
		front = append(front, len(e.nodes)-1)
	}
	return front
}

func key(state []statespace.ID) string {
	b := make([]byte, 0, 4*len(state))
	for _, id := range state {
		b = append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return string(b)
}

// shows tells whether a state has the values of an observation.
func (e *explanation) shows(state []statespace.ID, event int) bool {
	values := e.s.program.Values(state)
	for i, name := range e.s.program.Variables {
		if seen, ok := e.observed[event].Values[name]; ok && !value.Same(seen, values[i]) {
			return false
		}
	}
	return true
}

// unexplained says which event no step explains, and what was observed.
func (e *explanation) unexplained() string {
	seen := e.observed[e.event]
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(seen.Values)) {
		if e.event > 0 && value.Same(seen.Values[name], e.observed[e.event-1].Values[name]) {
			continue
		}
		changed = append(changed, name+" = "+value.Describe(seen.Values[name]))
	}
	where := "no initial state shows it"
	if e.event > 0 {
		where = "no step from what explains the history before it leads there"
	}
	return fmt.Sprintf("%s: %s; observed: %s", seen.Event, where, strings.Join(changed, ", "))
}

// insteadFrom bounds the states from which steps are looked for that were possible.
const insteadFrom = 1000

// possible returns the steps that change something observed, from states that explain the last event that is explained: each with
// what would be observed after it.
func (e *explanation) possible(front []int) (all []string) {
	before := e.observed[e.event-1].Values
	for _, i := range front[:min(len(front), insteadFrom)] {
		e.s.program.Next(e.nodes[i].state, func(a statespace.Action, to []statespace.ID) bool {
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

// trace is how a node was reached.
func (e *explanation) trace(i int) *Trace {
	var path []explained
	for ; i >= 0; i = e.nodes[i].from {
		path = append(path, e.nodes[i])
	}
	slices.Reverse(path)
	t := &statespace.Trace[[]statespace.ID]{Init: path[0].state, Loop: -1}
	for _, n := range path[1:] {
		t.Steps = append(t.Steps, statespace.Step[[]statespace.ID]{Action: n.action, State: n.state})
	}
	found := e.s.trace(t)
	for i, n := range path {
		if n.event > 0 {
			found.States[i].Event = e.observed[n.event].Event
		}
	}
	return found
}

// CanObserve returns what is wrong with an operator that is to be what Observe asks.
func (s *Spec) CanObserve(operator string) error {
	switch n, ok := s.program.Takes(operator); {
	case !ok:
		return fmt.Errorf("%s is not defined in %s: an operator has to say what of the objects the variables are", operator, s.Name())
	case n != 1:
		return fmt.Errorf("%s takes %d arguments, and has to take one: the objects", operator, n)
	}
	return nil
}

// Observe applies an operator of the specification, which says what of some objects the variables are: a record with the names of
// variables as its fields.
func (s *Spec) Observe(operator string, objects value.Value) (map[string]value.Value, error) {
	seen, err := s.program.Call(syntax.Name{Text: operator}, objects)
	if err != nil {
		return nil, err
	}
	if !seen.IsFunction() {
		return nil, fmt.Errorf("%s is %s, a record of variables is expected", operator, value.Describe(seen))
	}
	values := map[string]value.Value{}
	items := seen.Items()
	for i, field := range value.Domain(seen).Members() {
		name, ok := field.Text()
		if !ok {
			return nil, fmt.Errorf("%s is %s, a record of variables is expected", operator, value.Describe(seen))
		}
		values[name] = items[i]
	}
	return values, nil
}
