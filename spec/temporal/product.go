package temporal

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/statespace"
)

// The automaton of a formula that has only "always" and "eventually" beside conditions, conjunctions and disjunctions:
// a node is a way to satisfy a set of formulas now, with what is then left for the rest of the behaviour.
// "Always f" is f now, and always f from the next state on; "eventually f" is f now, or eventually f from the next
// state on. A run accepts if no "eventually" is put off for ever. (Gerth, Peled, Vardi, Wolper 1995.)

// node is a node of the automaton.
type node struct {
	states []func([]ID) bool
	steps  []func(from, to []ID) bool
	// later are the numbers of the formulas that the rest has to satisfy; off those of them that are "eventually" and
	// were put off.
	later, off []int
	successors []int
}

// automaton accepts the behaviours that satisfy a formula.
type automaton struct {
	formulas []*Formula
	number   map[*Formula]int
	nodes    []node
	initial  []int
	byLater  map[string][]int
	known    map[string]int
	// eventualities are the numbers of all formulas that are "eventually".
	eventualities []int
}

// mostNodes bounds an automaton: formulas that are written by hand have a few dozen.
const mostNodes = 1 << 12

func newAutomaton(f *Formula) (*automaton, error) {
	a := &automaton{number: map[*Formula]int{}, byLater: map[string][]int{}, known: map[string]int{}}
	initial, err := a.expand([]int{a.of(f)})
	if err != nil {
		return nil, err
	}
	a.initial = initial
	for i := 0; i < len(a.nodes); i++ {
		successors, err := a.expand(a.nodes[i].later)
		if err != nil {
			return nil, err
		}
		a.nodes[i].successors = successors
	}
	for i, f := range a.formulas {
		if f.op == isEventually {
			a.eventualities = append(a.eventualities, i)
		}
	}
	return a, nil
}

// of returns the number of a formula.
func (a *automaton) of(f *Formula) int {
	n, ok := a.number[f]
	if !ok {
		n = len(a.formulas)
		a.formulas = append(a.formulas, f)
		a.number[f] = n
	}
	return n
}

// choice is a node in the making.
type choice struct {
	todo, now, later, off []int
}

// expand returns the nodes that satisfy a set of formulas.
func (a *automaton) expand(set []int) ([]int, error) {
	key := fmt.Sprint(set)
	if found, ok := a.byLater[key]; ok {
		return found, nil
	}
	var nodes []int
	open := []choice{{todo: slices.Clone(set)}}
	for len(open) > 0 {
		c := open[len(open)-1]
		open = open[:len(open)-1]
		if len(c.todo) == 0 {
			n, err := a.node(c)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(nodes, n) {
				nodes = append(nodes, n)
			}
			continue
		}
		last := len(c.todo) - 1
		i := c.todo[last]
		c.todo = c.todo[:last]
		f := a.formulas[i]
		with := func(todo, later, off []int) choice {
			return choice{slices.Concat(c.todo, todo), slices.Clone(c.now), slices.Concat(c.later, later), slices.Concat(c.off, off)}
		}
		switch f.op {
		case isConstant:
			if f.truth {
				open = append(open, with(nil, nil, nil))
			}
		case isState, isStep:
			next := with(nil, nil, nil)
			next.now = append(next.now, i)
			open = append(open, next)
		case isAnd:
			var all []int
			for _, g := range f.args {
				all = append(all, a.of(g))
			}
			open = append(open, with(all, nil, nil))
		case isOr:
			for _, g := range f.args {
				open = append(open, with([]int{a.of(g)}, nil, nil))
			}
		case isAlways:
			open = append(open, with([]int{a.of(f.args[0])}, []int{i}, nil))
		case isEventually:
			open = append(open, with([]int{a.of(f.args[0])}, nil, nil), with(nil, []int{i}, []int{i}))
		}
	}
	slices.Sort(nodes)
	a.byLater[key] = nodes
	return nodes, nil
}

// node returns the number of the node that a choice is.
func (a *automaton) node(c choice) (int, error) {
	for _, set := range []*[]int{&c.now, &c.later, &c.off} {
		slices.Sort(*set)
		*set = slices.Compact(*set)
	}
	key := fmt.Sprint(c.now, c.later, c.off)
	if n, ok := a.known[key]; ok {
		return n, nil
	}
	if len(a.nodes) == mostNodes {
		return 0, fmt.Errorf("the formula has more than %d cases", mostNodes)
	}
	n := node{later: c.later, off: c.off}
	for _, i := range c.now {
		if f := a.formulas[i]; f.op == isState {
			n.states = append(n.states, f.state)
		} else {
			n.steps = append(n.steps, f.step)
		}
	}
	a.known[key] = len(a.nodes)
	a.nodes = append(a.nodes, n)
	return len(a.nodes) - 1, nil
}

// Stay is the label of the steps of a product in which only the automaton moves.
const Stay = 1<<32 - 2

// product is a model with an automaton that reads its behaviours: one more slot has the node.
type product struct {
	model statespace.VectorModel
	a     *automaton
	ids   []ID
	nodes map[ID]int
	// skip are labels of the model that are no steps.
	skip uint32
}

// Product returns a model whose fair behaviours, under the premises among the properties, are those of m that violate
// f: f holds if the first of the properties does. The formula is a Part's, the premises are made by Premise, and steps
// of m with the label skip are passed over.
func Product(m statespace.VectorModel, f *Formula, name string, premises []statespace.Property[[]ID], skip uint32) (statespace.VectorModel, []statespace.Property[[]ID], error) {
	a, err := newAutomaton(f.reduced(true))
	if err != nil {
		return nil, nil, err
	}
	// The last node is one from which nothing is accepted.
	a.nodes = append(a.nodes, node{})
	p := &product{model: m, a: a, nodes: map[ID]int{}, skip: skip}
	for i := range a.nodes {
		id := m.Components().Intern(binary.LittleEndian.AppendUint32([]byte("node"), uint32(i)))
		p.ids = append(p.ids, id)
		p.nodes[id] = i
	}
	properties := []statespace.Property[[]ID]{statespace.Never(name, statespace.Behaviour[[]ID]{})}
	properties = append(properties, premises...)
	for _, e := range a.eventualities {
		properties = append(properties, statespace.Fair("what is put off comes", statespace.Weak,
			func(s []ID) bool { return slices.Contains(p.at(s).off, e) },
			func([]ID, statespace.Action, []ID) bool { return false }))
	}
	properties = append(properties, statespace.Fair("the automaton reads on", statespace.Weak,
		func(s []ID) bool { return !p.mayStay(s) },
		func([]ID, statespace.Action, []ID) bool { return true }))
	return p, properties, nil
}

func (p *product) width() int { return p.model.Width() }

func (p *product) at(s []ID) *node { return &p.a.nodes[p.nodes[s[p.width()]]] }

// mayStay tells whether a behaviour that stays in a state for ever is one that the automaton reads in this node for
// ever.
func (p *product) mayStay(s []ID) bool {
	n, own := p.at(s), s[:p.width()]
	return slices.Contains(n.successors, p.nodes[s[p.width()]]) && n.allows(own, own)
}

// allows tells whether a step satisfies what the node says of it.
func (n *node) allows(from, to []ID) bool {
	for _, holds := range n.steps {
		if !holds(from, to) {
			return false
		}
	}
	return true
}

func (n *node) admits(s []ID) bool {
	for _, holds := range n.states {
		if !holds(s) {
			return false
		}
	}
	return true
}

// Level implements statespace.VectorLeveler.
func (p *product) Level(n int) {
	if l, ok := p.model.(statespace.VectorLeveler); ok {
		l.Level(n)
	}
}

// Components implements statespace.VectorModel.
func (p *product) Components() *statespace.Components { return p.model.Components() }

// Width implements statespace.VectorModel.
func (p *product) Width() int { return p.width() + 1 }

// Init yields the initial states with each node that they satisfy.
func (p *product) Init(yield func([]ID) bool) {
	room := make([]ID, p.Width())
	p.model.Init(func(s []ID) bool {
		entered := false
		on := p.enter(s, p.a.initial, room, func(v []ID) bool {
			entered = true
			return yield(v)
		})
		if entered {
			return on
		}
		copy(room, s)
		room[len(room)-1] = p.ids[len(p.ids)-1]
		return yield(room)
	})
}

func (p *product) enter(s []ID, nodes []int, room []ID, yield func([]ID) bool) bool {
	for _, i := range nodes {
		if p.a.nodes[i].admits(s) {
			copy(room, s)
			if room[len(room)-1] = p.ids[i]; !yield(room) {
				return false
			}
		}
	}
	return true
}

// Next yields the steps of the model, and staying, as the automaton reads them.
func (p *product) Next(v []ID, yield func(statespace.Action, []ID) bool) {
	n, s := p.at(v), v[:p.width()]
	room := make([]ID, p.Width())
	take := func(a statespace.Action, to []ID) bool {
		if !n.allows(s, to) {
			return true
		}
		return p.enter(to, n.successors, room, func(to []ID) bool { return yield(a, to) })
	}
	if !take(statespace.Action{Label: Stay}, s) {
		return
	}
	p.model.Next(s, func(a statespace.Action, to []ID) bool {
		if a.Label == p.skip || slices.Equal(s, to) {
			return true
		}
		return take(a, to)
	})
}

// Premise is statespace.Fair for a product: with conditions about the states of the model, which have width slots.
func Premise(width int, name string, f statespace.Fairness, enabled func([]ID) bool, taken func(from []ID, a statespace.Action, to []ID) bool) statespace.Property[[]ID] {
	return statespace.Fair(name, f,
		func(s []ID) bool { return enabled(s[:width]) },
		func(from []ID, a statespace.Action, to []ID) bool {
			return !slices.Equal(from[:width], to[:width]) && taken(from[:width], a, to[:width])
		})
}

// Unwrap returns a trace of a product as one of the model: without the steps in which only the automaton
// moved.
func Unwrap(width int, t *statespace.Trace[[]ID]) *statespace.Trace[[]ID] {
	out := &statespace.Trace[[]ID]{Init: slices.Clone(t.Init[:width]), Loop: -1}
	last := out.Init
	for i, step := range t.Steps {
		if i == t.Loop {
			out.Loop = len(out.Steps)
		}
		if s := step.State[:width]; !slices.Equal(s, last) {
			last = slices.Clone(s)
			out.Steps = append(out.Steps, statespace.Step[[]ID]{Action: step.Action, State: last})
		}
	}
	if t.Loop >= 0 && out.Loop < 0 {
		out.Loop = len(out.Steps)
	}
	return out
}
