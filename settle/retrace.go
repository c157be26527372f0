package settle

import (
	"slices"

	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// taken is a step that was taken, and where it led.
type taken struct {
	step step
	to   *node
}

// retrace goes the way of a trace once more, with the names that UIDs and resourceVersions were
// given first: those of the engine's states are other ones in each state. from is its first state
// with such names, or nil. way are its states, with that first.
func (x *explorer) retrace(t *statespace.Trace[[]statespace.ID], from *node) (steps []trace.Step, way []*node) {
	if from == nil {
		from = x.node(t.Init)
	}
	way = []*node{from}
	for _, s := range t.Steps {
		l := x.labels.of(int(s.Action.Label))
		next := x.same(from, l, s.State)
		if next == nil { // it is shown without what changes
			next = &taken{step: step{label: l}, to: x.node(s.State)}
			from = &node{world: next.to.world}
		}
		steps = append(steps, x.told(from, next))
		from = next.to
		way = append(way, from)
	}
	return steps, way
}

// same is the step of a node with a label that leads to a state of the engine, which has other
// names than the node.
func (x *explorer) same(n *node, l label, to []statespace.ID) (found *taken) {
	actor, text := x.server.Mask(l.actor), x.server.Mask(l.text)
	x.steps(n, func(s step, next *node) {
		if found == nil && x.server.Mask(s.actor) == actor && x.server.Mask(s.text) == text && x.vector(next)[0] == to[0] {
			found = &taken{s, next}
		}
	})
	return found
}

// nameless is a text in which UIDs and resourceVersions have names that follow from it alone: they
// have other ones in each state. What is generated has the same names each time that a way is gone.
func (x *explorer) nameless(text string) string {
	found := slices.DeleteFunc(x.tokensOf(text, nil), kubestate.IsName)
	return string(x.server.NewRenaming(found, nil).Text([]byte(text)))
}

// told is a step as a trace tells it.
func (x *explorer) told(from *node, t *taken) trace.Step {
	return trace.Step{
		Actor: t.step.actor, Action: t.step.text, Changes: x.changes(from.world, t.to.world),
		Turn: t.step.class == "",
	}
}
