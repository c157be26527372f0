package fault

import (
	"context"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
)

func init() {
	register(Kind{Name: "overlap", Needs: Needs{Standby: true}, New: func(p *plan.Plan) Fault {
		return &overlap{base: base{plan: p}, release: make(chan struct{})}
	}})
}

// overlap pauses the leader when it has sent a write, for so long that a standby
// leads and has done what is to be done after the users' next step. Then the write
// arrives, and the old leader goes on.
type overlap struct {
	base
	at      int
	release chan struct{}
}

func (f *overlap) Before(ctx context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if f.Phase() != Waiting || s.Standby() == nil || !wouldBe(s, &f.plan.Trigger, f.plan.Fault.Verb, x) || !f.phase.step(Waiting, Fired) {
		return apiproxy.Pass
	}
	f.at = s.Begun()
	s.Mark("the leader is paused with this write under way: %s %s; another becomes the leader", x.Verb, f.plan.Trigger.Object)
	s.Pause()
	select {
	case <-f.release:
	case <-ctx.Done():
		f.phase.step(Fired, Done)
	}
	return apiproxy.Pass
}

func (f *overlap) Quiet(s Stage) bool {
	if f.Phase() != Fired {
		return false
	}
	if done, of := s.Step(); done < of && !s.Acted(f.at) {
		return false
	}
	if !f.phase.step(Fired, Done) {
		return false
	}
	s.Mark("the write of the old leader arrives, and it goes on")
	close(f.release)
	s.Resume()
	return true
}
