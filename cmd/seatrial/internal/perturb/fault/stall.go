package fault

import (
	"context"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Kind{Name: "stall", New: func(p *plan.Plan) Fault {
		return &stall{afterWrite: afterWrite{base: base{plan: p}}, release: make(chan struct{})}
	}})
}

// stall holds the answer to a write back until all others have reacted: until all
// is quiet or, with Step, until the users' next step was done and all is quiet.
type stall struct {
	afterWrite
	at      int
	release chan struct{}
}

func (f *stall) Observe(s Stage, e history.Event, n plan.Numbered) {
	if f.Phase() == Waiting && f.own.observe(&f.plan.Trigger, e, n) {
		f.at = s.Begun()
		f.phase.step(Waiting, Fired)
	}
}

func (f *stall) After(ctx context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if !f.own.is(x) || f.Phase() != Fired {
		return apiproxy.Pass
	}
	s.Mark("the answer to this write is held back")
	select {
	case <-f.release:
	case <-ctx.Done(): // the controller has given up
		f.phase.step(Fired, Done)
	}
	return apiproxy.Pass
}

func (f *stall) Quiet(s Stage) bool {
	if f.Phase() != Fired {
		return false
	}
	if done, of := s.Step(); f.plan.Fault.Step && done < of && !s.Acted(f.at) {
		return false
	}
	if f.phase.step(Fired, Done) {
		s.Mark("the answer that was held back arrives")
		close(f.release)
		return true
	}
	return false
}
