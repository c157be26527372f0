package apiproxy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

var (
	// ErrLost is what the client of a write gets whose answer is lost. It is a
	// connection that was reset, to those who ask.
	ErrLost = fmt.Errorf("the answer was lost: %w", syscall.ECONNRESET)
	// ErrKilled is what every request of an incarnation gets that was killed.
	ErrKilled = errors.New("this incarnation of the controller was killed")
)

// Engine stands between one controller and the API server, and perturbs what the
// controller sees and what becomes of its writes. It decides nothing: who has it
// is asked about every write, and says up to which revision streams deliver. It
// is safe for concurrent use.
//
// A controller that is started again is another [Incarnation] of it, with limits
// of its own.
type Engine struct {
	options EngineOptions

	// recording makes records one at a time, in the order of their numbers.
	recording sync.Mutex
	recorded  int64

	mu           sync.Mutex
	reached      int64 // 0: nobody says
	requests     int64
	streams      int64
	incarnations map[string]*Incarnation
	changed      chan struct{} // closed when an activity has changed; nil if nobody waits
}

// EngineOptions are fixed for the life of an engine. Its functions are called
// from many goroutines.
type EngineOptions struct {
	// Actor is what the history calls the controller: every request has it
	// upstream, in the header admin.HeaderActor. Empty for no header.
	Actor string
	// OldLists answers watches that ask for initial events (streaming lists) as an
	// API server before Kubernetes 1.34 does, with 422 Invalid. Clients then list,
	// and those of client-go with resourceVersion=0: any version is good enough.
	OldLists bool
	// Before is asked about every write that is steered (see [Request.Steered])
	// before it is passed on, After when the API server has answered and before
	// the client sees any of the answer. Both may block until ctx ends: when the
	// client gives up, or its incarnation is killed. The exchange may be kept.
	// Nil passes everything.
	Before, After func(ctx context.Context, x *Exchange) Answer
	// Record is told what happened, one call at a time. It must not call the
	// engine, nor block.
	Record func(Record)
	// Now is the time of records and exchanges; nil for none.
	Now func() time.Time
}

// NewEngine returns an engine without limits.
func NewEngine(options EngineOptions) *Engine {
	return &Engine{options: options, incarnations: map[string]*Incarnation{}}
}

// Reached says that everything up to a revision has been looked at: streams may
// deliver it. It never falls. Until it is called first, streams wait for nothing.
//
// A frame whose revision is not reached within five seconds after it came is
// delivered nevertheless, and recorded as overdue: a controller that hears
// nothing more would be blamed for what is not its fault.
func (e *Engine) Reached(revision int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if revision <= e.reached {
		return
	}
	e.reached = revision
	e.change()
	for _, i := range e.incarnations {
		i.wake()
	}
}

// Incarnation returns the incarnation of that name, which is made when it is
// first asked for. It may be given limits before its first request.
func (e *Engine) Incarnation(name string) *Incarnation {
	e.mu.Lock()
	defer e.mu.Unlock()
	i, known := e.incarnations[name]
	if !known {
		i = &Incarnation{engine: e, name: name, limits: map[string]int64{}, expired: map[string]*expiry{}, open: map[*stream]bool{}}
		i.life, i.kill = context.WithCancelCause(context.Background())
		e.incarnations[name] = i
	}
	return i
}

// change wakes who waits for activities. The engine is locked.
func (e *Engine) change() {
	if e.changed != nil {
		close(e.changed)
		e.changed = nil
	}
}

// now is the time, if it is recorded.
func (e *Engine) now() time.Time {
	if e.options.Now == nil {
		return time.Time{}
	}
	return e.options.Now()
}

// record numbers a record and hands it on.
func (e *Engine) record(r Record) {
	if e.options.Record == nil {
		return
	}
	if r.Exchange != nil { // it goes on
		kept := *r.Exchange
		r.Exchange = &kept
	}
	e.recording.Lock()
	defer e.recording.Unlock()
	e.recorded++
	r.Sequence, r.Time = e.recorded, e.now()
	e.options.Record(r)
}
