package replay

import (
	"context"
	"sync"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// view is what the plane holds, as its history tells. One goroutine follows the
// history; all else is the replay's own.
type view struct {
	// state is as of the last look; each is called with every event, in order.
	state  history.State
	newest int64
	seen   map[history.Key]bool // what is or was in the state
	each   func(history.Event)

	mu      sync.Mutex
	come    []history.Event
	changed chan struct{}
	err     error
}

func newView(each func(history.Event)) *view {
	return &view{state: history.State{}, seen: map[history.Key]bool{}, changed: make(chan struct{}), each: each}
}

// follow takes what comes until the context ends.
func (v *view) follow(ctx context.Context, client *admin.Client, plane string) {
	for e, err := range client.History(ctx, plane, 1, true) {
		v.mu.Lock()
		if err != nil {
			v.err = err
		} else {
			v.come = append(v.come, e)
		}
		close(v.changed)
		v.changed = make(chan struct{})
		v.mu.Unlock()
	}
}

// look takes in what has come, and returns what is closed when more does.
func (v *view) look() (more <-chan struct{}, err error) {
	v.mu.Lock()
	come, changed, err := v.come, v.changed, v.err
	v.come = nil
	v.mu.Unlock()
	for _, e := range come {
		v.state.Apply(e)
		v.newest, v.seen[e.Key] = e.Revision, true
		v.each(e)
	}
	return changed, err
}

// wait waits until the state is as wanted.
func (v *view) wait(ctx context.Context, wanted func(history.State) bool) error {
	for {
		more, err := v.look()
		if wanted(v.state) || err != nil {
			return err
		}
		select {
		case <-more:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// object is one of the state, or nil.
func (v *view) object(resource, namespace, name string) history.Object {
	return v.state[history.Key{Resource: resource, Namespace: namespace, Name: name}]
}

func text(o history.Object, path ...string) string { return o.Text(path...) }

// whole reads a number; false if there is none.
func whole(o history.Object, path ...string) (int32, bool) {
	n, ok := o.Number(path...)
	return int32(n), ok
}

// ready tells whether an object's condition Ready is True.
func ready(o history.Object) bool { return readiness(o) == "True" }

// readiness is the status of an object's condition Ready; empty without it.
func readiness(o history.Object) string { return readyCondition(o).Text("status") }

// readySince is when an object's condition Ready became what it is; empty without it.
func readySince(o history.Object) string { return readyCondition(o).Text("lastTransitionTime") }

func readyCondition(o history.Object) history.Object {
	conditions, _ := o.At("status", "conditions").([]any)
	for _, c := range conditions {
		if one, ok := c.(map[string]any); ok && one["type"] == "Ready" {
			return one
		}
	}
	return nil
}

// terminating tells whether an object is being deleted.
func terminating(o history.Object) bool { return o.At("metadata", "deletionTimestamp") != nil }

// controller is the owner that controls an object: its kind and name.
func controller(o history.Object) (kind, name string) {
	owners, _ := o.At("metadata", "ownerReferences").([]any)
	for _, each := range owners {
		owner, ok := each.(map[string]any)
		if ok && owner["controller"] == true {
			return text(owner, "kind"), text(owner, "name")
		}
	}
	return "", ""
}
