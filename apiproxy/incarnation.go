package apiproxy

import (
	"cmp"
	"context"
	"net/http"
	"slices"
)

// Incarnation is one life of the controller: from its start to its death.
type Incarnation struct {
	engine *Engine
	name   string

	// life ends when it is killed.
	life context.Context
	kill context.CancelCauseFunc

	// The rest is under the lock of the engine.
	limits   map[string]int64   // by resource; "" is for all
	expired  map[string]*expiry // by resource
	open     map[*stream]bool
	inFlight int
	parked   int
}

// Lifting is what becomes of what a limit has held.
type Lifting int

const (
	// Deliver delivers it, in order.
	Deliver Lifting = iota
	// Relist drops it: the streams that were limited end, and a watch that resumes
	// from a revision at or below the limit is told once that this is too old, so
	// that its client lists anew and sees the newest state only.
	Relist
)

// Activity is what an incarnation has under way.
type Activity struct {
	// Streams are those that are open, in the order in which they began.
	Streams []StreamActivity
	// InFlight counts the requests that are no streams and have no full answer yet,
	// those that are parked included; and writes that are carried to their end
	// though nobody waits for them.
	InFlight int
	// Parked counts those about which Before or After has not answered.
	Parked int
}

// StreamActivity is one open stream.
type StreamActivity struct {
	// Stream is its number in records.
	Stream              int64
	Resource, Namespace string
	// Part tells that it is of some of these objects only, by their labels or fields.
	Part bool
	// Delivered is the newest revision that it has delivered, or began at.
	Delivered int64
	// Pending counts the frames that wait. Held tells that the first of them waits
	// for a limit; else it waits for Reached, or for the client to read.
	Pending int
	Held    bool
}

// Name is what the incarnation was asked for by.
func (i *Incarnation) Name() string { return i.name }

// RoundTripper passes the requests of the incarnation on to next, which may be
// nil for [http.DefaultTransport]. It is what client-go's rest.Config takes in
// Wrap: next to the wire.
func (i *Incarnation) RoundTripper(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &steered{incarnation: i, next: next}
}

// Kill ends the incarnation: its requests fail from now on and for ever, its
// streams end, and questions about its writes are not waited for. A write that
// the API server has got already is carried to its end, so that what came of it
// is known: Activity counts it until then.
func (i *Incarnation) Kill() { i.kill(ErrKilled) }

// Limit keeps streams of a resource (pods, deployments.apps; empty for all) from
// delivering anything beyond a revision that there has been. Reads that would take any
// version (resourceVersion=0), or one not older than one at or below the limit,
// are answered as of exactly that revision. Consistent reads pass. Another limit
// for the same resource replaces the first; of one for all and one for the
// resource the lower counts. Leases and events are not limited.
func (i *Incarnation) Limit(resource string, revision int64) {
	i.engine.mu.Lock()
	defer i.engine.mu.Unlock()
	i.limits[resource] = revision
	i.engine.change()
	i.wake()
}

// Lift removes the limit of a resource; with an empty one, every limit.
func (i *Incarnation) Lift(resource string, how Lifting) {
	i.engine.mu.Lock()
	defer i.engine.mu.Unlock()
	i.lift(resource, how)
	i.engine.change()
	i.wake()
}

// Activity is what is under way now.
func (i *Incarnation) Activity() Activity {
	i.engine.mu.Lock()
	defer i.engine.mu.Unlock()
	return i.activity()
}

// Await waits until what is under way is as enough wants it, and returns it. It
// ends with the error of ctx.
func (i *Incarnation) Await(ctx context.Context, enough func(Activity) bool) (Activity, error) {
	e := i.engine
	for {
		e.mu.Lock()
		a := i.activity()
		if e.changed == nil {
			e.changed = make(chan struct{})
		}
		changed := e.changed
		e.mu.Unlock()
		if enough(a) {
			return a, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return a, ctx.Err()
		}
	}
}

func (i *Incarnation) activity() Activity {
	a := Activity{InFlight: i.inFlight, Parked: i.parked}
	for s := range i.open {
		a.Streams = append(a.Streams, s.activity())
	}
	slices.SortFunc(a.Streams, func(a, b StreamActivity) int { return cmp.Compare(a.Stream, b.Stream) })
	return a
}

// Reconcile is a hook for controllers in the process of a test: it records that
// the reconcile of a key begins, and done that it has ended.
func (i *Incarnation) Reconcile(key string) (done func(err error)) {
	i.engine.record(Record{Kind: RecordReconcileBegin, Incarnation: i.name, Key: key})
	return func(err error) {
		r := Record{Kind: RecordReconcileEnd, Incarnation: i.name, Key: key}
		if err != nil {
			r.Error = err.Error()
		}
		i.engine.record(r)
	}
}

// Read is a hook as well: it records a read that a cache answers.
func (i *Incarnation) Read(verb, resource, key string) {
	i.engine.record(Record{Kind: RecordRead, Incarnation: i.name, Verb: verb, Resource: resource, Key: key})
}
