package settle

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// event is a change as an informer hears of it: before is nil for what is new, and after for
// what is gone.
type event struct {
	before, after *kubestate.Object
	// initial: it is there when the process begins. missed: it was found out later.
	initial, missed bool
}

// hear gives an event to all caches that are for it, in n, which is changed. One that is
// behind does not hear it: what it leads to is pending.
func (x *explorer) hear(n *node, e kubestate.Event) {
	change := event{before: e.Old, after: e.Object}
	if e.Type == watch.Deleted {
		change.after = nil
	}
	for _, id := range x.hearing[x.server.ResourceOf(e.Object).Kind.GroupKind()] {
		if n.behind(id) == nil {
			x.tell(n, id, change)
		} else {
			x.happened.Store("Stale", true)
			n.frozen = slices.Clone(n.frozen)
			f := n.behind(id)
			if f.part != nil {
				part := *f.part
				f.part = &part
				f = &part
			}
			x.withhold(n, f, change)
		}
		if at := slices.IndexFunc(n.older, func(f frozen) bool { return f.id == id }); at >= 0 {
			n.older = slices.Clone(n.older)
			x.withhold(n, &n.older[at], change)
		}
	}
}

// tell gives an event of a cache to the handlers of its process, in n, which is changed.
func (x *explorer) tell(n *node, id cacheID, e event) {
	for _, i := range x.handling[id] {
		n.controllers[i].add(x.handle(n, i, id, e))
	}
}

// withhold notes in f, which is one of n's, what an event leads to when that cache goes on. The handlers are
// asked now, with the cache as it is then: only what they lead to is kept, so that a state does not
// grow with what happens while a cache is behind.
func (x *explorer) withhold(n *node, f *frozen, e event) {
	then := *n
	then.frozen = slices.DeleteFunc(slices.Clone(n.frozen), func(o frozen) bool { return o.id == f.id })
	for _, i := range x.handling[f.id] {
		led := x.handle(&then, i, f.id, e)
		if len(led.queue)+len(led.later) == 0 {
			continue
		}
		k, found := slices.BinarySearchFunc(f.pending, i, func(p pending, i int) int { return p.controller - i })
		if f.pending = slices.Clone(f.pending); !found {
			f.pending = slices.Insert(f.pending, k, pending{controller: i})
		}
		f.pending[k].add(led)
	}
	n.begun = then.begun
}

// occasion is when the handlers of a controller are asked.
type occasion struct {
	controller int
	id         cacheID
	event      event
}

// handle asks the handlers of a controller what an event leads to. That is remembered, unless
// they read what others write, or may read what the reconciler remembers.
func (x *explorer) handle(n *node, i int, id cacheID, e event) (out queues) {
	if known, ok := x.handled.Load(occasion{i, id, e}); ok {
		return known.(queues)
	}
	process, source := x.of(id)
	reads := false
	x.with(func(p *program) error {
		p.asking(i, looking(func(c *call) answer {
			reads = true
			x.begins(n, process, c)
			return x.read(n, process, c)
		}))
		var added []manager.Added
		var err error
		wrong := guarded(func() {
			err = p.recalling(i, n.controllers[i].memory, func() (err error) {
				added, err = p.controllers[i].Deliver(source, heard{&x.types, source, e}, e.initial)
				return err
			})
		})
		if wrong != nil {
			return fmt.Errorf("settle: a predicate or handler of %s for %s %w", x.names[i], source.Kind.Kind, wrong)
		}
		for _, a := range added {
			if a.Later {
				out.later = append(out.later, a.Request)
			} else {
				out.queue = append(out.queue, a.Request)
			}
		}
		if err != nil {
			err = fmt.Errorf("settle: %w", err)
		}
		return err
	})
	if !reads && !x.remembers {
		x.handled.Store(occasion{i, id, e}, out)
	}
	return out
}

// begin puts everything that its caches have into the queues of a process, which are empty: it
// begins.
func (x *explorer) begin(n *node, process int) {
	for _, id := range x.watched {
		of, source := x.of(id)
		if of != process {
			continue
		}
		for o := range x.cached(n, id).Under(x.resource(source.Kind).Prefix("")) {
			x.tell(n, id, event{after: o, initial: true})
		}
	}
}

// heard is an event as handlers are given it.
type heard struct {
	types  *typed
	source manager.Source
	event
}

// Missed is part of manager.Event.
func (h heard) Missed() bool { return h.missed }

// Of is part of manager.Event.
func (h heard) Of(like client.Object) (before, after client.Object, err error) {
	as := func(o *kubestate.Object) (client.Object, error) {
		if o == nil {
			return nil, nil
		}
		from, err := h.types.as(o, reflect.TypeOf(like))
		if err != nil {
			return nil, err
		}
		out, _ := from.DeepCopyObject().(client.Object)
		out.GetObjectKind().SetGroupVersionKind(h.source.Kind)
		return out, nil
	}
	if before, err = as(h.before); err == nil {
		after, err = as(h.after)
	}
	return before, after, err
}
