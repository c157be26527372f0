package fault

import (
	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Kind{Name: "hold", Reads: []string{"resource"}, New: func(p *plan.Plan) Fault { return &hold{base: base{plan: p}} }})
}

// hold keeps the trigger's event, and what comes after it, of one resource from
// the controller: until the event Until, or until all is quiet. With Relist the
// controller then lists anew and never sees what was between.
type hold struct {
	base
	at int
}

func (f *hold) Observe(s Stage, e history.Event, n plan.Numbered) {
	switch {
	case f.Phase() == Waiting && n.Fires(&f.plan.Trigger) && s.Active() != nil:
		f.at = s.Begun()
		f.phase.step(Waiting, Fired)
		s.Mark("from here on the controller hears nothing new of %s", f.resources())
		s.Active().Limit(f.resource(), e.Revision-1)
	case f.Phase() == Fired && f.plan.Fault.Until != nil && n.Fires(f.plan.Fault.Until):
		f.lift(s)
	}
}

func (f *hold) resource() string {
	if f.plan.Fault.Resource == "*" {
		return ""
	}
	return f.plan.Fault.Resource
}

func (f *hold) resources() string {
	if f.plan.Fault.Resource == "*" {
		return "anything"
	}
	return f.plan.Fault.Resource
}

func (f *hold) lift(s Stage) bool {
	if s.Active() == nil || !f.phase.step(Fired, Done) {
		return false
	}
	how := apiproxy.Deliver
	if f.plan.Fault.Relist {
		how = apiproxy.Relist
		s.Mark("the controller's watch breaks off; it lists anew and sees what is there now")
	} else {
		s.Mark("the controller hears what was held back")
	}
	s.Active().Lift(f.resource(), how)
	return true
}

func (f *hold) Quiet(s Stage) bool {
	if f.Phase() != Fired {
		return false
	}
	done, of := s.Step()
	switch {
	case f.plan.Fault.Until == nil && (!f.plan.Fault.Step || done == of || s.Acted(f.at)):
		return f.lift(s)
	case f.plan.Fault.Until != nil && done == of:
		if !f.lift(s) { // it has come just now
			return false
		}
		f.why = "what should overwrite the event that is held back does not come as long as it is"
		return true
	}
	return false
}
