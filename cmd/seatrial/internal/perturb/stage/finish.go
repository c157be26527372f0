package stage

import (
	"context"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// untilQuiet is how long it takes until nothing has moved for d, if nothing more
// does; 0 or less if that is so.
func (s *Stage) untilQuiet(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.look() {
		return max(d/4, time.Millisecond)
	}
	return d - s.rested()
}

// idle tells whether a process has nothing under way, or is not there; mu is held. One
// that was started is not idle until it watches what it watches when it leads, and one
// that takes over not until it has the lock.
func (s *Stage) idle(c *cast) bool {
	if c.ended || c.incarnation == nil {
		return true
	}
	activity := c.incarnation.Activity()
	if activity.InFlight > activity.Parked {
		return false
	}
	open := map[string]bool{}
	for _, stream := range activity.Streams {
		open[stream.Resource] = true
		if stream.Pending > 0 && !stream.Held || stream.Pending == 0 && s.owed.to(stream, s.o.Now()) {
			return false
		}
	}
	if c.process != nil && !c.paused && c.process.Busy() {
		return false
	}
	if c != s.active || c.leads || s.o.Now().Sub(c.since) > readyMax {
		return true
	}
	if !s.locked(c) || slices.ContainsFunc(s.o.Expect.Streams, func(r string) bool { return !open[r] }) {
		return false
	}
	c.leads = true
	s.stir() // what it makes of what it sees is still to come
	return false
}

// finish waits for the end of a run, in two stages: one that ends as usual is
// over soon; in another it is waited for what may still come, and then the
// controller is given an event, to see whether any would have helped.
func (s *Stage) finish(ctx context.Context) error {
	begun := s.o.Now()
	for {
		s.mu.Lock()
		changed, failed := s.changed, s.failed
		s.mu.Unlock()
		if failed != nil {
			return failed
		}
		left := s.untilQuiet(s.o.Expect.Short)
		switch {
		case s.o.Now().Sub(begun) > runMax:
			s.conclude()
			return nil
		case left > 0:
		case s.nudgeFault():
			continue
		case s.o.Expect.Usual == nil || s.usual():
			s.conclude()
			return nil
		default:
			if left = s.untilQuiet(s.o.Expect.Long); left > 0 {
				break
			}
			if !s.nudged() && !s.o.Expect.NoNudge {
				if err := s.nudge(ctx); err != nil {
					return err
				}
				continue
			}
			s.conclude()
			return nil
		}
		if s.circles() {
			s.conclude()
			return nil
		}
		if err := pause(ctx, changed, left); err != nil {
			return err
		}
	}
}

// usual tells whether a run that ends now ends as usual.
func (s *Stage) usual() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rec.Final = s.final()
	usual := s.o.Expect.Usual(s.rec)
	if s.rec.Nudged && usual {
		s.rec.Healed = true
	}
	return usual
}

func (s *Stage) nudged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rec.Nudged
}

// conclude ends the recording.
func (s *Stage) conclude() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if len(s.repeated) > 0 {
		s.rec.Cycle = s.cycles.At(s.o.Now()).Cycle
	}
}

// circles tells whether writes go round in a circle, and notes it.
func (s *Stage) circles() bool { return s.circlesFor(s.o.Expect.Long) }

// circlesFor tells whether they have done so for so long, and go on: what was written once for a change and once more
// for an event that nobody knows how to tell from it is no circle yet.
func (s *Stage) circlesFor(d time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.cycles.At(s.o.Now())
	if rest.Cycle == nil {
		return false
	}
	if s.cycleSince.IsZero() {
		s.cycleSince, s.cycleRevision = s.o.Now(), rest.Revision
	}
	s.rec.Cycle = rest.Cycle
	return s.o.Now().Sub(s.cycleSince) > d && s.goesOn(rest)
}

// goesOn tells whether a circle has gone on since it was seen, or so long that its writes do not count any more; mu is
// held.
func (s *Stage) goesOn(rest history.Rest) bool {
	if !s.cycleSince.IsZero() && rest.Revision > s.cycleRevision {
		return true
	}
	for _, times := range s.repeated {
		if times > repeatsMax {
			return true
		}
	}
	return false
}

// nudge gives the controller an event: what users have applied gets an annotation
// that nobody reads. A difference that goes away then would have gone away with
// any event.
func (s *Stage) nudge(ctx context.Context) error {
	s.mu.Lock()
	s.rec.Nudged = true
	s.rec.Final = s.final()
	s.rec.BeforeNudge = &recording.End{State: s.rec.Final, Events: len(s.rec.Events)}
	var roots []experiment.Reference
	seen := map[history.Key]bool{}
	for _, e := range s.rec.Events {
		if e.Actor == plan.User && s.state[e.Key] != nil && !seen[e.Key] {
			seen[e.Key] = true
			roots = append(roots, experiment.Reference(e.Key))
		}
	}
	s.stir()
	s.mu.Unlock()
	value := "1"
	for _, r := range roots {
		if err := s.tool.Annotate(ctx, r, NudgeAnnotation, &value); err != nil {
			return err
		}
	}
	return nil
}

// NudgeAnnotation is what a nudge sets; it never counts.
const NudgeAnnotation = "seatrial.dev/nudge"
