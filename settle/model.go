package settle

import (
	"fmt"
	"slices"

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
	n, err := x.canonical(n)
	if err != nil {
		x.fail(err)
	}
	return []statespace.ID{x.components.Intern(x.encode(nil, n))}
}

// canonical is a node in which everything that was counted has its place as its number.
func (x *explorer) canonical(n *node) (*node, error) {
	r := kubestate.NewRenaming(n.tokens(make([]uint64, 0, 64)))
	if r.Same() {
		out := *n
		out.world = kubestate.NewState(n.world.List(), r.UIDs())
		return &out, nil
	}
	world, err := x.server.RenameState(n.world, r)
	if err != nil {
		return n, err
	}
	out := &node{world: world, controllers: slices.Clone(n.controllers), late: slices.Clone(n.late), breach: n.breach, begun: n.begun, spent: n.spent}
	if out.frozen, err = x.renameCaches(n.frozen, r); err != nil {
		return n, err
	}
	if out.older, err = x.renameCaches(n.older, r); err != nil {
		return n, err
	}
	for i := range out.controllers {
		c := &out.controllers[i]
		if c.memory != nil {
			if c.memory, err = x.answers.rename(x.server, c.memory, r); err != nil {
				return n, err
			}
		}
		c.flights = slices.Clone(c.flights)
		for j := range c.flights {
			f := &c.flights[j]
			f.log = slices.Clone(f.log)
			for k, a := range f.log {
				if f.log[k], err = x.answers.rename(x.server, a, r); err != nil {
					return n, err
				}
			}
		}
	}
	for i, c := range out.late {
		out.late[i] = x.renameCall(c, r)
	}
	return out, nil
}

// renameCall is a write with other names.
func (x *explorer) renameCall(c *call, r *kubestate.Renaming) *call {
	text := string(r.Text([]byte(c.text)))
	if text == c.text {
		return c
	}
	out := *c
	out.text, out.body = text, r.Text(c.body)
	if c.write != nil {
		write := *c.write
		write.Body, out.write = r.Text(c.write.Body), &write
	}
	known, _ := x.lates.LoadOrStore(out.lateKey(), &out)
	return known.(*call)
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
	x.steps(n, func(s step, to *node) {
		a := statespace.Action{Label: uint32(x.labels.number(s.label))}
		if s.fault != "" {
			x.happened.Store(s.fault, true)
		}
		if s.class != "" {
			number := x.classes.number(s.class)
			if number >= classesMax {
				x.fail(fmt.Errorf("settle: there are more than %d requests and objects: bound what is desired", classesMax))
				return
			}
			a.Class = uint16(number)
		}
		yield(a, x.vector(to))
	})
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
