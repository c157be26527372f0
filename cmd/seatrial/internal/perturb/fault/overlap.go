package fault

import (
	"context"
	"sync"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
)

func init() {
	register(Kind{Name: "overlap", Needs: Needs{Standby: true}, Reads: []string{"verb"}, New: func(p *plan.Plan) Fault {
		return &overlap{base: base{plan: p}, release: make(chan struct{})}
	}})
}

// overlap pauses the leader when it has sent a write, for so long that a standby
// leads and has done what is to be done after the users' next step. Then the write
// arrives, and the old leader goes on or, with Ends, ends: client-go's election ends a
// process that finds its lease over, before it could put anything right.
type overlap struct {
	base
	// mu is held while the leader is paused, which has to be over when it is resumed.
	mu      sync.Mutex
	at      int
	release chan struct{}
	// held is the sequence of the request that waits.
	held int64
}

func (f *overlap) Before(ctx context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if f.Phase() != Waiting || s.Standby() == nil || !wouldBe(s, &f.plan.Trigger, f.plan.Fault.Verb, x) || !f.pause(s, x) {
		return apiproxy.Pass
	}
	select {
	case <-f.release:
	case <-ctx.Done(): // nobody waits for the answer any more
		if f.phase.step(Fired, Done) {
			s.Resume()
		}
	}
	return apiproxy.Pass
}

// pause pauses the leader; false if another write has done that.
func (f *overlap) pause(s Stage, x *apiproxy.Exchange) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.phase.step(Waiting, Fired) {
		return false
	}
	f.at, f.held = s.Begun(), x.Sequence
	s.Mark("the leader is paused with this write under way: %s %s; another becomes the leader", x.Verb, f.plan.Trigger.Object)
	s.Pause()
	return true
}

func (f *overlap) Quiet(s Stage) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Phase() != Fired {
		return false
	}
	if done, of := s.Step(); done < of && !s.Acted(f.at) {
		return false
	}
	if !f.phase.step(Fired, Done) {
		return false
	}
	if f.plan.Fault.Ends {
		s.Mark("the write of the old leader arrives")
		close(f.release)
		return true
	}
	s.Mark("the write of the old leader arrives, and it goes on")
	close(f.release)
	s.Resume()
	return true
}

func (f *overlap) After(_ context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.plan.Fault.Ends || f.Phase() != Done || f.held == 0 || x.Sequence != f.held {
		return apiproxy.Pass
	}
	f.held = 0
	s.Mark("the old leader finds that its lease is over, and ends")
	s.Retire()
	return apiproxy.Lose
}
