package regression

import (
	"errors"
	"fmt"
	"slices"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// Answer is what becomes of a request.
type Answer int

// The answers.
const (
	// Done: it takes effect, and is answered.
	Done Answer = iota
	// Lost: it takes effect, and its answer is a timeout.
	Lost
	// Failed: it is a timeout, and takes no effect.
	Failed
)

// puppet is a reconcile whose requests are answered one by one.
type puppet struct {
	cluster    *Regression
	controller *controller
	request    reconcile.Request
	// asks has a request that waits, and is closed when the reconcile is over; answers says what
	// becomes of the request.
	asks     chan string
	answers  chan Answer
	pending  string
	over     bool
	dead     bool // its process was killed
	result   ctrl.Result
	err      error
	panicked any
}

// Reconcile begins a reconcile, by a trace's name of it ("database default/shop"), which waits at its
// first request.
func (r *Regression) Reconcile(actor string) {
	r.Helper()
	r.begin(r.controller(actor))
}

func (r *Regression) begin(c *controller, request reconcile.Request) *puppet {
	r.Helper()
	r.finish(c.running[request.String()])
	p := &puppet{cluster: r, controller: c, request: request, asks: make(chan string), answers: make(chan Answer)}
	c.running[request.String()] = p
	c.queue, c.later = manager.Exclude(c.queue, request), manager.Exclude(c.later, request)
	r.begun[c.name+" "+request.String()] = true
	r.active = p
	ctx := r.context()
	go func() {
		defer close(p.asks)
		defer func() { p.panicked = recover() }()
		p.result, p.err = c.Controller.Reconcile(ctx, request)
	}()
	p.wait()
	return p
}

// wait waits for the next request, or the end.
func (p *puppet) wait() {
	r := p.cluster
	r.Helper()
	ask, more := <-p.asks
	if p.pending, p.over = ask, !more; more || p.dead {
		return
	}
	name := p.controller.name + " " + p.request.String()
	again := p.result.RequeueAfter > 0 || p.result.Requeue //nolint:staticcheck // deprecated, and used
	if p.err != nil {
		again = !errors.Is(p.err, reconcile.TerminalError(nil))
	}
	switch {
	case p.panicked != nil:
		r.Fatalf("%s: reconcile panics: %v", name, p.panicked)
	case again:
		r.Logf("%s: %+v, %v", name, p.result, p.err)
		p.controller.later = manager.Include(p.controller.later, p.request)
	}
	delete(p.controller.running, p.request.String())
}

// answer says what becomes of the request that waits, and waits for the next.
func (p *puppet) answer(a Answer) {
	p.cluster.active = p
	p.answers <- a
	p.wait()
}

// Next lets a reconcile go on until it asks for something ("create secrets", "update
// databases/status", or "cloud" of a settle.System), and then says what becomes of that. One that asks for
// something else is answered; one that never asks for it comes to its end.
func (r *Regression) Next(actor, ask string, a Answer) {
	r.Helper()
	c, request := r.controller(actor)
	r.next(c.running[request.String()], ask, a)
}

func (r *Regression) next(p *puppet, ask string, a Answer) {
	r.Helper()
	r.drawn = ""
	for p != nil && !p.over {
		found := p.pending == ask
		if found {
			p.answer(a)
		} else {
			p.answer(Done)
		}
		r.step(nil)
		if found {
			return
		}
	}
}

// finish lets a reconcile come to its end.
func (r *Regression) finish(p *puppet) {
	r.Helper()
	r.next(p, "", Done)
}

// Loop has something happen again and again that is said to go on for ever: the steps of one round.
// The test fails if it does, and not all the time is what is desired there.
func (r *Regression) Loop(round func()) {
	r.Helper()
	for range loopMax {
		round()
	}
	before := r.state()
	r.begun, r.looping, r.wrong = map[string]bool{}, true, nil
	round()
	r.looping = false
	if r.wrong != nil && slices.Equal(before, r.state()) && r.fair() {
		r.Fatalf("it goes on for ever: %v", r.wrong)
	}
}

// loopMax is after how many rounds a loop is to be where it was a round before.
const loopMax = 3

// fair tells whether all that waits to be reconciled was, in the round of a loop.
func (r *Regression) fair() bool {
	for _, p := range r.processes {
		for _, c := range p.controllers {
			for _, request := range slices.Concat(c.queue, c.later) {
				if !r.begun[c.name+" "+request.String()] {
					return false
				}
			}
		}
	}
	return true
}

// state is what there is and what is to be done, but for what is counted.
func (r *Regression) state() (all []string) {
	for source, objects := range r.world {
		for _, o := range objects {
			u := r.fields(copied(o))
			u.SetResourceVersion("")
			u.SetManagedFields(nil)
			u.SetGeneration(0)
			text, _ := u.MarshalJSON() // of plain fields
			all = append(all, fmt.Sprint(source, string(text)))
		}
	}
	slices.Sort(all)
	all = append(all, r.systems.Texts()...)
	kubestate.InOrder(all)
	for _, p := range r.processes {
		for _, c := range p.controllers {
			all = append(all, fmt.Sprint(c.name, c.queue, c.later, sorted(c.running)))
		}
	}
	return all
}
