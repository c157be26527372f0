package fault

import (
	"context"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Kind{Name: "crash", New: func(p *plan.Plan) Fault { return &crash{afterWrite{base: base{plan: p}}} }})
}

// crash kills the process and starts it again: right after one of its writes, before it
// knows that the write is done, or when others have written something, before it hears
// of that.
type crash struct{ afterWrite }

func (f *crash) Observe(s Stage, e history.Event, n plan.Numbered) {
	if f.plan.Trigger.Actor == plan.Controller {
		f.afterWrite.Observe(s, e, n)
		return
	}
	if s.Active() == nil || !n.Fires(&f.plan.Trigger) || !f.phase.step(Waiting, Done) {
		return
	}
	s.Mark("the controller is killed before it hears of this, and started again")
	s.Crash(nil)
}

func (f *crash) After(_ context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if !f.own.is(x) || !f.phase.step(Fired, Done) {
		return apiproxy.Pass
	}
	s.Mark("the controller is killed right after this write, and started again")
	s.Crash(nil)
	return apiproxy.Lose
}
