package settle

import (
	"fmt"

	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
)

// classesMax bounds the classes of steps that have to happen: one for each request of a
// controller, and one for each object that is to be collected.
const classesMax = 512

// Components is part of statespace.VectorModel.
func (x *explorer) Components() *statespace.Components { return x.components }

// Width is part of statespace.VectorModel: a state is one component.
func (x *explorer) Width() int { return 1 }

// Init is part of statespace.VectorModel.
func (x *explorer) Init(yield func([]statespace.ID) bool) {
	n := &node{controllers: make([]controllerState, x.controllers)}
	if err := x.startSystems(n); err != nil {
		x.fail(err)
		return
	}
	c := &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper, agent: "setup"}
	for _, o := range x.config.Objects {
		to, err := c.writing("create", o, "", func(q *kubestate.Request) { q.Body, _ = c.body(o) })
		if err != nil {
			x.fail(fmt.Errorf("settle: Objects: %w", err))
			return
		}
		if err := x.uncounted("Objects", to.key, to.write.Body); err != nil {
			x.fail(err)
			return
		}
		world, response := x.server.Do(n.world, to.write)
		if response.Status != nil {
			x.fail(fmt.Errorf("settle: Objects: %s", response.Status.Message))
			return
		}
		n.world = world
	}
	for process := range x.processes {
		x.begin(n, process)
	}
	yield(x.vector(n))
}

// vector is a node as the engine has it.
func (x *explorer) vector(n *node) []statespace.ID {
	v, _ := x.renamed(n)
	return v
}

// renamed is a node as the engine has it, and how it was renamed.
func (x *explorer) renamed(n *node) ([]statespace.ID, *kubestate.Renaming) {
	n, r, err := x.canonical(n)
	if err != nil {
		x.fail(err)
	}
	return []statespace.ID{x.components.Intern(x.encode(nil, n))}, r
}

// Next is part of statespace.VectorModel.
func (x *explorer) Next(v []statespace.ID, yield func(statespace.Action, []statespace.ID) bool) {
	if x.failed() != nil {
		return
	}
	n, err := x.decode(x.components.Bytes(v[0]))
	if err != nil {
		x.fail(err)
		return
	}
	var all []taken
	x.steps(n, func(s step, to *node) { all = append(all, taken{s, to}) })
	classes := x.namedClasses(all)
	for i := range all {
		s := &all[i].step
		if s.fault != "" {
			x.happened.Store(s.fault, true)
		}
		a := statespace.Action{Label: uint32(x.labels.number(s.label)), Class: x.class(s.class)}
		to, r := x.renamed(all[i].to)
		yield(a, to)
		if a.Class == 0 {
			continue
		}
		for _, c := range classes {
			if c.name != s.class && c.shifts(r) {
				yield(statespace.Action{Label: a.Label, Class: x.class(c.name)}, to)
			}
		}
	}
}

// class is the number of a class by its name.
func (x *explorer) class(name string) uint16 {
	if name == "" {
		return 0
	}
	number := x.classes.number(name)
	if number >= classesMax {
		x.fail(fmt.Errorf("settle: there are more than %d requests and objects: bound what is desired", classesMax))
		return 0
	}
	return uint16(number)
}

// step is one thing that can happen.
type step struct {
	// class is that by which it has to happen, weakly fair; empty if it need not.
	class string
	label
	// fault is what goes wrong, or what users want, by the name that vacuity tells it; mostly empty.
	fault string
	// freezes: it is a fault that is none yet, since nothing was missed.
	freezes bool
}

// label is what a trace says of a step: who acts, and what is done. An actor that is a
// controller has the request that it reconciles behind its name.
type label struct{ actor, text string }

// emit is told of a step, and where it leads.
type emit func(s step, to *node)

// steps are what can happen in a node.
func (x *explorer) steps(n *node, emit emit) {
	if n.breach != 0 {
		return
	}
	emit = x.within(n, emit)
	for i := range n.controllers {
		x.reconciling(n, i, emit)
	}
	x.acting(n, emit)
	x.users(n, emit)
	if x.config.Faults.Crash {
		for process := range x.processes {
			x.crash(n, process, emit)
		}
	}
	x.late(n, emit)
	x.thaw(n, emit)
	x.resync(n, emit)
	if x.config.Faults.Stale {
		x.freeze(n, emit)
	}
	if x.config.Faults.Gradual {
		x.part(n, emit)
	}
	if x.config.Faults.Older {
		x.lag(n, emit)
	}
}
