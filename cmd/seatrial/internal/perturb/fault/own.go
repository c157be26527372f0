package fault

import (
	"strings"
	"sync"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// lockedPhase is a phase that several goroutines ask for.
type lockedPhase struct {
	mu sync.Mutex
	is Phase
}

func (p *lockedPhase) get() Phase {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.is
}

// step goes from one phase to another, and is false if it was not in the first:
// of two that try one does.
func (p *lockedPhase) step(from, to Phase) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.is != from {
		return false
	}
	p.is = to
	return true
}

// own finds the request whose effect the trigger is: faults that are about a write
// of the controller have one.
type own struct {
	mu    sync.Mutex
	event *history.Event
}

// observe notes the event if it fires the trigger.
func (o *own) observe(t *plan.Trigger, e history.Event, n plan.Numbered) bool {
	if !n.Fires(t) {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.event == nil {
		o.event = &e
	}
	return true
}

// is tells whether a write that was answered is the one. The answer to a delete
// may have no revision; it has the UID of what is gone.
func (o *own) is(x *apiproxy.Exchange) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.event == nil || x.Code < 200 || x.Code > 299:
		return false
	case x.Revision != 0 && x.Revision == o.event.Revision:
		return true
	case x.Verb == "deletecollection":
		return o.event.Type == history.Delete && mainOf(x.Resource) == o.event.Resource
	}
	return (x.Verb == "delete" || x.Removed) && o.event.Type == history.Delete && x.UID == o.event.UID
}

// mainOf is a resource without its subresource.
func mainOf(resource string) string {
	main, _, _ := strings.Cut(resource, "/")
	return main
}

// afterWrite is what faults have that do something when a write of the controller was
// answered: they fire when it was observed.
type afterWrite struct {
	base
	own own
}

func (f *afterWrite) Observe(_ Stage, e history.Event, n plan.Numbered) {
	if f.Phase() == Waiting && f.own.observe(&f.plan.Trigger, e, n) {
		f.phase.step(Waiting, Fired)
	}
}
