package manager

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Controller is one that was registered.
type Controller struct {
	Name string
	// Concurrent is how many requests it works on at once.
	Concurrent int
	// Reconciler is the user's, as it was given to the builder.
	Reconciler any

	warm  warm
	queue *queue
	mu    sync.Mutex
	// watches are its handlers by what they hear.
	watches []watch
}

type watch struct {
	source  Source
	like    client.Object
	handler toolscache.ResourceEventHandler
}

// Added is a request that a handler has put into the queue.
type Added struct {
	Request reconcile.Request
	// Later: not before some time has passed.
	Later bool
}

// Sources are what it watches, in order.
func (c *Controller) Sources() []Source {
	var all []Source
	for _, w := range c.watches {
		all = append(all, w.source)
	}
	return slices.Compact(all)
}

// settle puts the watches in order: they were registered by goroutines.
func (c *Controller) settle() {
	slices.SortStableFunc(c.watches, func(a, b watch) int { return a.source.Compare(b.source) })
}

// Event is a change of an object.
type Event interface {
	// Of gives the object before and after in the type of like: copies, since handlers may
	// change them. Before is nil for an object that is new, and after for one that is gone.
	Of(like client.Object) (before, after client.Object, err error)
	// Missed tells that it was not heard when it happened, but found out later: then what is
	// gone is as it was known last.
	Missed() bool
}

// Deliver calls the handlers of a source with an event, and gives what they have put into the
// queue, each once and in order; initial tells of objects that are there when the
// process starts. A panic of a predicate or a map function is an error.
func (c *Controller) Deliver(source Source, e Event, initial bool) (added []Added, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("controller %s: a predicate or handler for %s panics: %v", c.Name, source.Kind.Kind, p)
		}
	}()
	c.queue.added = nil
	for _, w := range c.watches {
		if w.source != source {
			continue
		}
		before, after, err := e.Of(w.like)
		switch {
		case err != nil:
			return nil, err
		case after == nil && e.Missed():
			w.handler.OnDelete(toolscache.DeletedFinalStateUnknown{Key: client.ObjectKeyFromObject(before).String(), Obj: before})
		case after == nil:
			w.handler.OnDelete(before)
		case before == nil:
			w.handler.OnAdd(after, initial)
		default:
			w.handler.OnUpdate(before, after)
		}
	}
	slices.SortFunc(c.queue.added, compare)
	return slices.Compact(c.queue.added), nil
}

func compare(a, b Added) int {
	return cmp.Or(cmp.Compare(a.Request.String(), b.Request.String()), compareBool(a.Later, b.Later))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Reconcile calls the user's reconciler.
func (c *Controller) Reconcile(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
	return c.warm.Reconcile(ctx, r)
}
