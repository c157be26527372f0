package fault

import (
	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Kind{Name: "standby", Needs: Needs{Standby: true}, Reads: []string{"resource", "seen"}, New: func(p *plan.Plan) Fault { return &standby{base: base{plan: p}} }})
}

// standby kills the leader at the trigger, so that a standby takes over whose view
// of one resource stopped at the event Seen. The view ends when all is quiet.
type standby struct {
	base
	held bool
}

func (f *standby) Observe(s Stage, e history.Event, n plan.Numbered) {
	if f.Phase() != Waiting || s.Standby() == nil {
		return
	}
	if !f.held && n.Fires(f.plan.Fault.Seen) {
		f.held = true
		s.Standby().Limit(f.plan.Fault.Resource, viewAt(f.plan, e))
		s.Mark("from here on the standby hears nothing new of %s", f.plan.Fault.Resource)
	}
	if f.held && n.Fires(&f.plan.Trigger) {
		f.phase.step(Waiting, Fired)
		s.Mark("the leader is killed, and the standby takes over")
		s.TakeOver()
	}
}

func (f *standby) Quiet(s Stage) bool {
	if f.Phase() != Fired || s.Active() == nil || !f.phase.step(Fired, Done) {
		return false
	}
	s.Mark("the new leader sees %s as they are now", f.plan.Fault.Resource)
	s.Active().Lift(f.plan.Fault.Resource, apiproxy.Deliver)
	return true
}
