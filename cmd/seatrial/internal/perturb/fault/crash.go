package fault

import (
	"context"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
)

func init() {
	register(Kind{Name: "crash", New: func(p *plan.Plan) Fault { return &crash{afterWrite{base: base{plan: p}}} }})
}

// crash kills the process right after one of its writes, before it knows that the
// write is done, and starts it again.
type crash struct{ afterWrite }

func (f *crash) After(_ context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if !f.own.is(x) || !f.phase.step(Fired, Done) {
		return apiproxy.Pass
	}
	s.Mark("the controller is killed right after this write, and started again")
	s.Crash(nil)
	return apiproxy.Lose
}
