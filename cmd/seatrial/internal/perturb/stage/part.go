package stage

import (
	"context"
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/fault"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// What follows is what faults do to a run: it implements fault.Stage.

// Active is the incarnation that acts.
func (s *Stage) Active() fault.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil {
		return nil
	}
	return s.active.incarnation
}

// Standby is the incarnation that waits to act.
func (s *Stage) Standby() fault.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.standby == nil {
		return nil
	}
	return s.standby.incarnation
}

// Crash kills the active process and starts it again.
func (s *Stage) Crash(limits map[string]int64) { s.crash(limits, nil) }

func (s *Stage) crash(limits map[string]int64, meanwhile func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active != nil {
		s.active.incarnation.Kill() // no write of it passes any more
		s.again(s.context, s.active, limits, meanwhile)
	}
}

// TakeOver kills the active process, so that the standby takes its part.
func (s *Stage) TakeOver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.active
	if old == nil || s.standby == nil {
		return
	}
	old.incarnation.Kill()
	s.active, s.standby = s.standby, nil
	s.active.since, s.active.takesOver = s.o.Now(), len(s.rec.Events)
	s.beside(func(ctx context.Context) error {
		s.kill(old)
		return s.freeLocks(ctx)
	})
}

// Pause stops the active process, so that the standby leads.
func (s *Stage) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.active
	if old == nil || s.standby == nil {
		return
	}
	old.paused = true
	s.paused = old
	s.active, s.standby = s.standby, nil
	s.active.since, s.active.takesOver = s.o.Now(), len(s.rec.Events)
	s.beside(func(ctx context.Context) error {
		if err := old.process.Pause(); err != nil {
			return err
		}
		return s.freeLocks(ctx)
	})
}

// Resume lets a process go on that was paused.
func (s *Stage) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.paused
	if old == nil {
		return
	}
	s.beside(func(context.Context) error { return old.process.Resume() })
}

// Retire ends a process that was paused, as one does that finds its lease over.
func (s *Stage) Retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.paused
	if old == nil {
		return
	}
	old.incarnation.Kill()
	s.beside(func(context.Context) error {
		s.kill(old)
		return nil
	})
}

// beside does something that blocks beside the caller; mu is held.
func (s *Stage) beside(do func(context.Context) error) {
	s.starting++
	s.work.Go(func() {
		err := do(s.context)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.starting--
		if err != nil && s.context.Err() == nil {
			s.failed = fmt.Errorf("the perturbation: %w", err)
		}
		s.move()
	})
}

// Mark notes a moment of the perturbation.
func (s *Stage) Mark(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.rec.Marks = append(s.rec.Marks, recording.Mark{Revision: s.newest, At: s.o.Now().Sub(s.started), Text: fmt.Sprintf(format, args...)})
	s.stir() // all that follows from it is still to come
	s.move()
}

// Seen counts the events that fire a trigger without its occurrence.
func (s *Stage) Seen(t *plan.Trigger) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[t.Signature()]
}

// Object is the object of a key; nil if there is none.
func (s *Stage) Object(key history.Key) history.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state[key]
}

// Step is how many steps are done, of so many.
func (s *Stage) Step() (done, of int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.steps, len(s.o.Experiment.Steps)
}

// Begun is how many steps were begun.
func (s *Stage) Begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// Acted tells whether a step that is no wait was done behind the first ones.
func (s *Stage) Acted(since int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := since; i < s.steps; i++ {
		if s.o.Experiment.Steps[i].Wait == nil {
			return true
		}
	}
	return false
}
