package model

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seatrial/seatrial/statespace"
)

// Vector is a World as the engine sees it: a state is a vector of interned
// components (environment, workloads, autoscalers, budgets, unassigned pods,
// nodes). A component is encoded once and known by its id from then on.
type Vector struct {
	World *World
	// Start yields the initial states.
	Start []*State
	// Only limits the steps that are taken; nil means all. Actors limits who takes
	// them, which spares asking the others; nil means the world's.
	Only   func(Actor, Step) bool
	Actors []Actor

	components *statespace.Components
	decoded    decoded
}

// NewVector makes the engine's view of w with the given initial states.
func NewVector(w *World, start []*State) *Vector {
	return &Vector{World: w, Start: start, components: statespace.NewComponents()}
}

// Components implements statespace.VectorModel.
func (v *Vector) Components() *statespace.Components { return v.components }

// Width implements statespace.VectorModel.
func (v *Vector) Width() int {
	w := v.World
	return 2 + len(w.Workloads) + len(w.HPAs) + len(w.PDBs) + len(w.Nodes)
}

// Init implements statespace.VectorModel.
func (v *Vector) Init(yield func([]statespace.ID) bool) {
	for _, s := range v.Start {
		if !yield(v.Encode(s, nil, nil)) {
			return
		}
	}
}

// Next implements statespace.VectorModel.
func (v *Vector) Next(ids []statespace.ID, yield func(statespace.Action, []statespace.ID) bool) {
	from := v.Decode(ids)
	ordinal := 0
	e := encoder{v: v, dst: make([]statespace.ID, 0, len(ids)), ids: ids}
	v.expand(from, func(_ Actor, s Step) bool {
		next := e.encode(s.To, from)
		if ordinal > ordinalMax {
			v.World.Kube.fail(ErrSuccessors)
			return false
		}
		ok := yield(statespace.Action{Class: s.class, Label: Label(s.Kind, s.Work, ordinal)}, next)
		ordinal++
		return ok
	})
}

// expand emits the steps from s, by the actors and of the kinds that there are.
func (v *Vector) expand(s *State, emit func(Actor, Step) bool) {
	actors := v.Actors
	if actors == nil {
		actors = v.World.Actors
	}
	v.World.expand(s, actors, v.Only, emit)
}

// Explain repeats the step with the given label from the given state.
func (v *Vector) Explain(from *State, label uint32) (Actor, Step) {
	var actor Actor
	var step Step
	ordinal := 0
	v.expand(from, func(a Actor, s Step) bool {
		if ordinal == LabelOrdinal(label) {
			actor, step = a, s
			return false
		}
		ordinal++
		return true
	})
	return actor, step
}

// Canonical implements statespace.VectorCanonicalizer: nodes of one class
// stand side by side and carry no identity, so sorting them by content gives
// the representative.
func (v *Vector) Canonical(ids []statespace.ID) {
	if v.World.Distinct {
		return
	}
	nodes := ids[len(ids)-len(v.World.Nodes):]
	for i := 0; i < len(nodes); {
		j := i + 1
		for j < len(nodes) && v.World.Nodes[j].Class == v.World.Nodes[i].Class {
			j++
		}
		if j > i+1 {
			slices.SortFunc(nodes[i:j], func(a, b statespace.ID) int {
				if a == b {
					return 0
				}
				return slices.Compare(v.components.Bytes(a), v.components.Bytes(b))
			})
		}
		i = j
	}
}

// Encode interns the components of s. If base is not nil, ids are its own, and
// what s shares with it is not encoded again.
func (v *Vector) Encode(s, base *State, ids []statespace.ID) []statespace.ID {
	e := encoder{v: v, dst: make([]statespace.ID, 0, v.Width()), ids: ids}
	return e.encode(s, base)
}

// encoder puts together the ids of a state's components in dst; ids are those of the
// base.
type encoder struct {
	v   *Vector
	dst []statespace.ID
	ids []statespace.ID
	// bytes are those of the last component.
	bytes []byte
}

// encode returns the vector of s, which is good until the next call; components that
// s shares with base have base's ids.
func (e *encoder) encode(s, base *State) []statespace.ID {
	e.dst = e.dst[:0]
	encodeSlot(e, s.Env, base, func(b *State) *Env { return b.Env })
	for i, c := range s.Work {
		encodeSlot(e, c, base, func(b *State) *Workload { return b.Work[i] })
	}
	for i, c := range s.HPA {
		encodeSlot(e, c, base, func(b *State) *Autoscaler { return b.HPA[i] })
	}
	for i, c := range s.PDB {
		encodeSlot(e, c, base, func(b *State) *Budget { return b.PDB[i] })
	}
	if base != nil && sameBag(s.Free, base.Free) {
		e.dst = append(e.dst, e.ids[len(e.dst)])
	} else {
		e.bytes = s.Free.encode(append(e.bytes[:0], 'F'))
		e.add(s.Free)
	}
	for i, c := range s.Nodes {
		encodeSlot(e, c, base, func(b *State) *Node { return b.Nodes[i] })
	}
	return e.dst
}

type component interface {
	comparable
	encode(dst []byte) []byte
}

// encodeSlot adds the next component, with base's id if base shares it.
func encodeSlot[C component](e *encoder, c C, base *State, of func(*State) C) {
	if base != nil && of(base) == c {
		e.dst = append(e.dst, e.ids[len(e.dst)])
		return
	}
	e.bytes = c.encode(e.bytes[:0])
	e.add(c)
}

// add interns a component whose bytes were made.
func (e *encoder) add(c any) {
	id := e.v.components.Intern(e.bytes)
	e.v.decoded.keep(id, c)
	e.dst = append(e.dst, id)
}

// sameBag tells whether two bags are one in memory.
func sameBag(a, b Bag) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Env returns the environment of a vector.
func (v *Vector) Env(ids []statespace.ID) *Env { return v.component(ids[0]).(*Env) }

// Work returns workload i of a vector.
func (v *Vector) Work(ids []statespace.ID, i int) *Workload {
	return v.component(ids[1+i]).(*Workload)
}

// HPA returns autoscaler i of a vector.
func (v *Vector) HPA(ids []statespace.ID, i int) *Autoscaler {
	return v.component(ids[1+len(v.World.Workloads)+i]).(*Autoscaler)
}

// Free returns the unassigned pods of a vector.
func (v *Vector) Free(ids []statespace.ID) Bag {
	return v.component(ids[len(ids)-len(v.World.Nodes)-1]).(Bag)
}

// Node returns node i of a vector.
func (v *Vector) Node(ids []statespace.ID, i int) *Node {
	return v.component(ids[len(ids)-len(v.World.Nodes)+i]).(*Node)
}

// EachNode calls f for the content of every node in every state that was met.
func (v *Vector) EachNode(f func(*Node)) {
	for id := range v.components.Len() {
		if c := v.decoded.slot(statespace.ID(id)).Load(); c != nil {
			if n, ok := (*c).(*Node); ok {
				f(n)
			}
		}
	}
}

func (v *Vector) component(id statespace.ID) any {
	c := v.decoded.slot(id).Load()
	if c == nil {
		panic("model: a component was never interned")
	}
	return *c
}

// decoded are the components by their ids, which are counted from 0. It is safe for
// concurrent use.
type decoded struct {
	pages atomic.Pointer[[]*decodedPage]
	grow  sync.Mutex
}

const decodedBits = 10

type decodedPage [1 << decodedBits]atomic.Pointer[any]

// slot is where a component is, or will be.
func (d *decoded) slot(id statespace.ID) *atomic.Pointer[any] {
	page := int(id >> decodedBits)
	pages := d.pages.Load()
	if pages == nil || page >= len(*pages) {
		pages = d.grown(page + 1)
	}
	return &(*pages)[page][id&(1<<decodedBits-1)]
}

// grown are at least so many pages.
func (d *decoded) grown(n int) *[]*decodedPage {
	d.grow.Lock()
	defer d.grow.Unlock()
	var pages []*decodedPage
	if have := d.pages.Load(); have != nil {
		pages = slices.Clone(*have)
	}
	for len(pages) < n {
		pages = append(pages, new(decodedPage))
	}
	d.pages.Store(&pages)
	return &pages
}

// keep remembers the component of an id, if it is new.
func (d *decoded) keep(id statespace.ID, c any) {
	if slot := d.slot(id); slot.Load() == nil {
		first := c
		slot.CompareAndSwap(nil, &first)
	}
}

// Decode returns the state of a vector.
func (v *Vector) Decode(ids []statespace.ID) *State {
	w := v.World
	s := &State{}
	next := func() any {
		c := v.component(ids[0])
		ids = ids[1:]
		return c
	}
	s.Env = next().(*Env)
	s.Work = make([]*Workload, len(w.Workloads))
	for i := range s.Work {
		s.Work[i] = next().(*Workload)
	}
	s.HPA = make([]*Autoscaler, len(w.HPAs))
	for i := range s.HPA {
		s.HPA[i] = next().(*Autoscaler)
	}
	s.PDB = make([]*Budget, len(w.PDBs))
	for i := range s.PDB {
		s.PDB[i] = next().(*Budget)
	}
	s.Free = next().(Bag)
	s.Nodes = make([]*Node, len(w.Nodes))
	for i := range s.Nodes {
		s.Nodes[i] = next().(*Node)
	}
	return s
}
