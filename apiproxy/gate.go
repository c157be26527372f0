package apiproxy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
)

var (
	// ErrClosed is what every write gets from a gate that was closed.
	ErrClosed = errors.New("the gate is closed: its plane is stopping")
	// ErrNotParked says that no request of that id waits: it was released or
	// refused, or its sender gave up.
	ErrNotParked = errors.New("no such request is parked")
)

// Gate parks, releases and refuses the writes that go through its transports,
// of any number of actors. It is safe for concurrent use.
type Gate struct {
	// Revision gives the newest etcd revision, for [admin.Parked]; nil means 0.
	// Observe is told of every write that is passed on, when it is, and calls
	// back with the code of the answer when its header is there, or with 0 if
	// there is none. What it returns may be nil. Writes that are refused or that
	// end at the gate are not told. Both have to be set before the first request,
	// and are called from many goroutines.
	Revision func() int64
	Observe  func(Write) (answered func(code int))

	// turn is taken by the one write that lock-step lets pass. Its waiters are
	// served in the order in which they came.
	turn chan struct{}
	ends context.Context
	end  context.CancelFunc

	mu         sync.Mutex
	held       []admin.Match
	parked     []*parked
	last       int64 // id
	generation int64
	changed    chan struct{} // closed when generation grows
	barrier    func(context.Context) error
	inFlight   int
}

// Write is a request that changes something, by an actor.
type Write struct {
	Actor string
	Request
}

type parked struct {
	admin.Parked
	decided chan decision // takes one, without waiting
}

// decision is about one parked request: pass it on, or answer with code.
type decision struct {
	err    error
	code   int
	reason string
	// answered, if it is there, takes the code of the API server's answer to what was
	// passed on, or 0 if there is none.
	answered chan<- int
}

func (d decision) tell(code int) {
	if d.answered != nil {
		d.answered <- code
	}
}

// NewGate returns a gate at which nothing is held.
func NewGate() *Gate {
	g := &Gate{turn: make(chan struct{}, 1), changed: make(chan struct{}), generation: 1}
	g.ends, g.end = context.WithCancel(context.Background())
	return g
}

// Hold replaces what is held. What is parked and does not match any more is
// released, in the order in which it came.
func (g *Gate) Hold(matches []admin.Match) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = slices.Clone(matches)
	g.parked = slices.DeleteFunc(g.parked, func(p *parked) bool {
		if g.holds(p.Parked) {
			return false
		}
		p.decided <- decision{}
		return true
	})
	g.change()
}

func (g *Gate) holds(p admin.Parked) bool {
	return slices.ContainsFunc(g.held, func(m admin.Match) bool { return m.Selects(p) })
}

// change wakes those that wait. The lock is held.
func (g *Gate) change() {
	g.generation++
	close(g.changed)
	g.changed = make(chan struct{})
}

// Parked lists the requests that wait, in the order in which they came. Their
// bodies are shared: they are to be read only.
func (g *Gate) Parked() []admin.Parked { return g.Queue().Parked }

// Queue is what waits, with the generation of that list.
func (g *Gate) Queue() admin.Queue {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.queue()
}

func (g *Gate) queue() admin.Queue {
	q := admin.Queue{Generation: g.generation, Parked: make([]admin.Parked, len(g.parked))}
	for i, p := range g.parked {
		q.Parked[i] = p.Parked
	}
	return q
}

// Wait returns the queue as soon as its generation is above after: at once for
// 0, and for the generation of the last answer when something came, left, or was
// held. It ends with the error of ctx, or with ErrClosed.
func (g *Gate) Wait(ctx context.Context, after int64) (admin.Queue, error) {
	for {
		g.mu.Lock()
		q, changed := g.queue(), g.changed
		g.mu.Unlock()
		if q.Generation > after {
			return q, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return q, ctx.Err()
		case <-g.ends.Done():
			return q, ErrClosed
		}
	}
}

// Release passes a parked request on. In lock-step it still waits for its turn.
func (g *Gate) Release(id int64) error { return g.decide(id, decision{}) }

// Pass is Release, and waits for the API server's answer: its code, or 0 if there is
// none, as for a sender that has given up.
func (g *Gate) Pass(ctx context.Context, id int64) (code int, err error) {
	answered := make(chan int, 1)
	if err := g.decide(id, decision{answered: answered}); err != nil {
		return 0, err
	}
	select {
	case code = <-answered:
		return code, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-g.ends.Done():
		return 0, ErrClosed
	}
}

// Refuse answers a parked request with an error of the API server: an HTTP code
// from 400 to 599, and a reason such as Conflict, which may be empty for the one
// that belongs to the code. The API server does not hear of it.
func (g *Gate) Refuse(id int64, code int, reason string) error {
	if code < 400 || code > 599 {
		return fmt.Errorf("refuse request %d: the code is %d, want 400 to 599", id, code)
	}
	return g.decide(id, decision{code: code, reason: reason})
}

func (g *Gate) decide(id int64, d decision) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.parked, func(p *parked) bool { return p.ID == id })
	if i < 0 {
		return fmt.Errorf("request %d: %w", id, ErrNotParked)
	}
	g.parked[i].decided <- d
	g.parked = slices.Delete(g.parked, i, i+1)
	g.change()
	return nil
}

// LockStep lets writes pass one at a time from now on, in the order in which
// they come or are released: the next is passed on when the one before is
// answered and barrier has returned nil. An error of barrier is that of the
// write. A nil barrier ends lock-step.
//
// A write that has no answer after three seconds gives its turn up, and the next
// goes through its barrier: it may be in a webhook, which waits for what another
// write of the same gate brings about. It is not stored yet then, so that nothing
// is passed on before all have seen what is.
func (g *Gate) LockStep(barrier func(context.Context) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.barrier = barrier
}

// InFlight counts the writes that were passed on and are not answered.
func (g *Gate) InFlight() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inFlight
}

// Close fails what is parked, what waits for its turn, and every write from now
// on, of leases and events too, with ErrClosed: nothing is written any more by
// what is being stopped. Reads pass. What is under way is not cut off.
func (g *Gate) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end()
	for _, p := range g.parked {
		p.decided <- decision{err: ErrClosed}
	}
	g.parked, g.held = nil, nil
	g.change()
}

// park waits until something is decided about the request, if it is held.
func (g *Gate) park(ctx context.Context, w Write, body []byte) decision {
	request := admin.Parked{
		Actor: w.Actor, Verb: w.Verb, Resource: w.Resource,
		Namespace: w.Namespace, Name: w.Name,
	}
	if g.Revision != nil {
		request.Revision = g.Revision()
	}
	g.mu.Lock()
	if !g.holds(request) {
		g.mu.Unlock()
		return decision{}
	}
	g.last++
	request.ID, request.Body = g.last, shown(body)
	p := &parked{Parked: request, decided: make(chan decision, 1)}
	g.parked = append(g.parked, p)
	g.change()
	g.mu.Unlock()

	select {
	case d := <-p.decided:
		return d
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.parked, p); i >= 0 {
		g.parked = slices.Delete(g.parked, i, i+1)
		g.change()
	} else {
		(<-p.decided).tell(0) // what was decided comes too late
	}
	return decision{err: ctx.Err()}
}

// unanswered is how long a write in lock-step keeps its turn without an answer:
// less than the ten seconds that webhooks are given if nobody says otherwise, and
// much more than a write takes that nothing holds up.
const unanswered = 3 * time.Second

// pass calls send when it is the turn of the write.
func (g *Gate) pass(ctx context.Context, w Write, send func() (*http.Response, error)) (*http.Response, error) {
	g.mu.Lock()
	barrier := g.barrier
	g.mu.Unlock()
	if barrier == nil || !w.Steered() {
		return g.send(w, send)
	}
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-g.ends.Done():
		return nil, ErrClosed
	}
	next := sync.OnceFunc(func() { <-g.turn })
	defer next()
	if err := g.await(ctx); err != nil {
		return nil, err
	}
	defer time.AfterFunc(unanswered, next).Stop()
	return g.send(w, send)
}

// send sends a write and tells of it.
func (g *Gate) send(w Write, send func() (*http.Response, error)) (*http.Response, error) {
	g.mu.Lock()
	if g.ends.Err() != nil {
		g.mu.Unlock()
		return nil, ErrClosed
	}
	g.inFlight++
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		g.inFlight--
		g.mu.Unlock()
	}()
	var answered func(int)
	if g.Observe != nil {
		answered = g.Observe(w)
	}
	response, err := send()
	if answered != nil {
		code := 0
		if err == nil {
			code = response.StatusCode
		}
		answered(code)
	}
	return response, err
}

// await calls the barrier that is there when the turn has come.
func (g *Gate) await(ctx context.Context) error {
	g.mu.Lock()
	barrier := g.barrier
	g.mu.Unlock()
	if barrier == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(g.ends, cancel)()
	err := barrier(ctx)
	if err != nil && g.ends.Err() != nil {
		return ErrClosed
	}
	return err
}
