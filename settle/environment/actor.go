package environment

import (
	"sync"

	"github.com/zeebo/xxh3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// Actor is something that acts by itself. It depends on nothing but what it is given, and
// does not change that.
type Actor interface {
	// Name is what traces and contracts call it.
	Name() string
	// Reads are the kinds of the objects that it looks at; none: all.
	Reads() []schema.GroupVersionKind
	// Steps are what it can do next, each of which may be what happens: none when it has
	// come to rest. It is given the objects of the kinds that it reads, and no others.
	Steps(World) []Step
}

// Step is one write.
type Step struct {
	// Class names what the step has to happen for, mostly an object: as long as an actor has
	// a step of a class, one of that class is to happen some time (weak fairness). Without
	// a class it may happen or not, as a fault.
	Class string
	// Text is what a trace says.
	Text    string
	Request kubestate.Request
}

// World is what an actor sees.
type World struct {
	kubestate.State
	server *kubestate.Server
}

// NewWorld has the objects of a State of a Server.
func NewWorld(server *kubestate.Server, state kubestate.State) World { return World{state, server} }

// Resource is that of an object.
func (w World) Resource(o *kubestate.Object) kubestate.Resource { return w.server.ResourceOf(o) }

// Memory is an actor with what it has said, so that it is asked once about the same objects.
// It may be used by many at once.
type Memory struct {
	Actor
	server *kubestate.Server
	// prefixes are what the keys of the objects that it reads begin with; nil for all.
	prefixes []string
	known    sync.Map
}

// NewMemory remembers what an actor does in the States of a Server. It is false if the
// Server has no objects of a kind that the actor reads, which is the kind given back.
func NewMemory(a Actor, server *kubestate.Server) (*Memory, schema.GroupVersionKind, bool) {
	m := &Memory{Actor: a, server: server}
	for _, kind := range a.Reads() {
		r, ok := server.Resource(kind)
		if !ok {
			return nil, kind, false
		}
		m.prefixes = append(m.prefixes, r.Prefix(""))
	}
	return m, schema.GroupVersionKind{}, true
}

// In are the steps in a State, not to be changed.
func (m *Memory) In(state kubestate.State) []Step {
	var objects []*kubestate.Object
	if m.prefixes == nil {
		objects = state.List()
	}
	for _, prefix := range m.prefixes {
		for o := range state.Under(prefix) {
			objects = append(objects, o)
		}
	}
	text := make([]byte, 0, 16*len(objects))
	for _, o := range objects {
		hash := o.Hash()
		text = append(text, hash[:]...)
	}
	key := xxh3.Hash128(text)
	if known, ok := m.known.Load(key); ok {
		return known.([]Step)
	}
	if m.prefixes != nil {
		state = kubestate.NewState(sorted(objects), state.Created())
	}
	steps := m.Steps(NewWorld(m.server, state))
	m.known.Store(key, steps)
	return steps
}
