package manager

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Controller is one that was registered.
type Controller struct {
	Name string
	// Concurrent is how many requests it works on at once.
	Concurrent int

	warm  warm
	queue *queue
	mu    sync.Mutex
	// watches are its handlers by kind.
	watches []watch
}

type watch struct {
	kind    schema.GroupVersionKind
	handler toolscache.ResourceEventHandler
}

// Added is a request that a handler has put into the queue.
type Added struct {
	Request reconcile.Request
	// Later: not before some time has passed.
	Later bool
}

// Kinds are those that it watches, in order.
func (c *Controller) Kinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, w := range c.watches {
		kinds = append(kinds, w.kind)
	}
	return slices.Compact(kinds)
}

// settle puts the watches in order: they were registered by goroutines.
func (c *Controller) settle() {
	slices.SortStableFunc(c.watches, func(a, b watch) int { return cmp.Compare(a.kind.String(), b.kind.String()) })
}

// Deliver calls the handlers of a kind with an event, and gives what they have put into the
// queue, each once and in order. old is nil for an object that is new, and now for one that is
// gone; initial tells of objects that are there when the process starts. A panic of
// a predicate or a map function is an error.
func (c *Controller) Deliver(kind schema.GroupVersionKind, old, now client.Object, initial bool) (added []Added, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("controller %s: a predicate or handler for %s panics: %v", c.Name, kind.Kind, p)
		}
	}()
	c.queue.added = nil
	for _, w := range c.watches {
		switch {
		case w.kind != kind:
		case now == nil:
			w.handler.OnDelete(old)
		case old == nil:
			w.handler.OnAdd(now, initial)
		default:
			w.handler.OnUpdate(old, now)
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
