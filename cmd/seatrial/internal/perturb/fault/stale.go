package fault

import (
	"context"
	"sync/atomic"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Kind{Name: "stale", Needs: Needs{OldLists: true}, Reads: []string{"resource", "seen"}, New: func(p *plan.Plan) Fault { return &stale{base: base{plan: p}} }})
}

// stale kills the controller at the trigger and starts it again on an old view of
// one resource: as it was at the event Seen. The view ends when all is quiet.
type stale struct {
	base
	own own
	// view is the revision at which the view stands; 0 if Seen has not come.
	view int64
	// restarting is set by the first who does it, and crashed when that is done: the view
	// is not under way before.
	restarting, crashed atomic.Bool
}

func (f *stale) Observe(s Stage, e history.Event, n plan.Numbered) {
	if f.Phase() != Waiting {
		return
	}
	if f.view == 0 && n.Fires(f.plan.Fault.Seen) {
		f.view = viewAt(f.plan, e)
	}
	if f.view == 0 || !f.own.observe(&f.plan.Trigger, e, n) {
		return
	}
	f.phase.step(Waiting, Fired)
	if f.plan.Trigger.Actor != plan.Controller { // else its own request is answered first
		f.restart(s)
	}
}

// viewAt is the revision of a view that ends with an event, or just before it.
func viewAt(p *plan.Plan, e history.Event) int64 {
	if p.Fault.Before {
		return e.Revision - 1
	}
	return e.Revision
}

func (f *stale) After(_ context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if f.plan.Trigger.Actor != plan.Controller || f.Phase() != Fired || !f.own.is(x) {
		return apiproxy.Pass
	}
	f.restart(s)
	return apiproxy.Lose
}

func (f *stale) restart(s Stage) {
	if !f.restarting.CompareAndSwap(false, true) {
		return
	}
	s.Mark("the controller is killed and started again; its first list of %s is an old one", f.plan.Fault.Resource)
	s.Crash(map[string]int64{f.plan.Fault.Resource: f.view})
	f.crashed.Store(true)
}

func (f *stale) Quiet(s Stage) bool {
	if f.Phase() != Fired || !f.crashed.Load() || s.Active() == nil || !f.phase.step(Fired, Done) {
		return false
	}
	s.Mark("the controller sees %s as they are now", f.plan.Fault.Resource)
	s.Active().Lift(f.plan.Fault.Resource, apiproxy.Deliver)
	return true
}
