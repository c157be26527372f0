package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/fault"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// ControllerError is about the controller: it cannot be started, or does nothing.
type ControllerError struct{ Text string }

// Error is one line, and what the controller said last.
func (e *ControllerError) Error() string { return e.Text }

// StepError is about a step that cannot be done in a run without a perturbation.
type StepError struct {
	Line int
	Text string
}

// Error is one line.
func (e *StepError) Error() string { return e.Text }

// play is the run: the controller is started, the steps are done, and the end is
// waited for.
func (s *Stage) play(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	for i := range s.o.Experiment.Steps {
		step := &s.o.Experiment.Steps[i]
		s.mu.Lock()
		s.begun = i + 1
		s.mu.Unlock()
		done, err := s.step(ctx, step)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.steps = i + 1
		done.Index, done.Revision, done.At = i, s.newest, s.o.Now().Sub(s.started)
		s.rec.Steps = append(s.rec.Steps, done)
		err = s.failed
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return s.finish(ctx)
}

// begin starts the controller, and a standby if one is wanted, and waits until
// they are ready.
func (s *Stage) begin(ctx context.Context) error {
	c, err := s.start(ctx, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.active = c
	s.mu.Unlock()
	go s.watchOver(ctx, c)
	if err := s.ready(ctx, c, s.o.Expect.Streams); err != nil {
		return err
	}
	defer s.noteReady()
	if !s.o.Standby {
		return nil
	}
	b, err := s.start(ctx, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.standby = b
	s.mu.Unlock()
	go s.watchOver(ctx, b)
	return s.ready(ctx, b, s.o.Expect.StandbyStreams)
}

func (s *Stage) noteReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.rec.Exchanges); n > 0 {
		s.rec.Ready = s.rec.Exchanges[n-1].Sequence
	}
}

const (
	// settled is how long a controller may not ask for anything new until it is taken
	// to be ready, as long as it is not known what it watches then.
	settled = 400 * time.Millisecond
	// withoutStreams is the same for one that watches nothing.
	withoutStreams = time.Second
	// restlessMax is the same for one that is never silent.
	restlessMax = 5 * time.Second
)

// ready waits until the controller watches what it should or, if that is not
// known, until it asks for nothing new.
func (s *Stage) ready(ctx context.Context, c *cast, streams []string) error {
	s.mu.Lock()
	begun, before := s.o.Now(), s.still.at
	s.mu.Unlock()
	for {
		s.mu.Lock()
		s.look()
		changed, rest, ended := s.changed, s.still.at-max(before, s.movedAt), c.ended
		s.mu.Unlock()
		activity := c.incarnation.Activity()
		var open []string
		pending := activity.InFlight
		for _, stream := range activity.Streams {
			open = append(open, stream.Resource)
			pending += stream.Pending
		}
		now := s.o.Now()
		wait := settled
		if len(open) == 0 {
			wait = withoutStreams
		}
		left := wait - rest
		switch {
		case ended:
			// What a flag is not understood for stands before all flags that there are.
			return &ControllerError{fmt.Sprintf("the controller %s before it was ready: %s", c.process.Exit(), excerpt(c.process.Output().Text(), 1))}
		case s.o.Expect.Known && s.asked(c) && pending == 0 && !slices.ContainsFunc(streams, func(r string) bool { return !slices.Contains(open, r) }):
			return nil
		case left <= 0 && pending == 0 && (!s.o.Expect.Known || rest > s.o.Expect.Long) && s.asked(c):
			return nil
		case !s.o.Expect.Known && now.Sub(begun) > restlessMax && s.asked(c):
			return nil // it asks or tries again and again, and is never silent
		case now.Sub(begun) > readyMax:
			if !s.asked(c) {
				return &ControllerError{fmt.Sprintf("the controller asked the API server for nothing within %s: does it read KUBECONFIG? %s", readyMax, s.lastWords(c))}
			}
			return &ControllerError{fmt.Sprintf("the controller is not ready within %s: it watches %s of %s, and waits for %d answers; %s",
				readyMax, cmp.Or(strings.Join(open, ", "), "nothing"), cmp.Or(strings.Join(streams, ", "), "what is not known"), pending, s.lastWords(c))}
		}
		if err := pause(ctx, changed, max(left, 20*time.Millisecond)); err != nil {
			return err
		}
	}
}

// asked tells whether the process has asked for a resource.
func (s *Stage) asked(c *cast) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rec.Exchanges {
		if r.Incarnation == c.name && r.Exchange != nil && r.Exchange.Resource != "" {
			return true
		}
	}
	return false
}

// lastWords is the end of what a process has said.
func (s *Stage) lastWords(c *cast) string { return excerpt(c.process.Output().Text(), 0) }

// wordsMost is how many lines of what a process has said are shown, and wordMost how much of each.
const wordsMost, wordMost = 5, 200

// excerpt is the end of a text, and so many of its first lines.
func excerpt(text string, first int) string {
	if text = strings.TrimSpace(text); text == "" {
		return "it printed nothing"
	}
	lines := strings.Split(text, "\n")
	if len(lines) > wordsMost {
		lines = append(lines[:first:first], lines[len(lines)-wordsMost+first:]...)
	}
	for i, line := range lines {
		lines[i] = last(strings.TrimSpace(line), wordMost)
	}
	return "it said: " + strings.Join(lines, " / ")
}

// pause waits until something moves, or for so long, and no longer than until it is to be looked again.
func pause(ctx context.Context, changed <-chan struct{}, d time.Duration) error {
	timer := time.NewTimer(min(d, lookEvery))
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// step does one step.
func (s *Stage) step(ctx context.Context, step *experiment.Step) (recording.Step, error) {
	if step.Wait == nil {
		s.mu.Lock()
		before := len(s.rec.Events)
		s.mu.Unlock()
		done, err := s.user.Do(ctx, step)
		if err != nil {
			return s.stepFailed(ctx, step, err.Error())
		}
		return recording.Step{}, s.seen(ctx, done, before)
	}
	begun := s.o.Now()
	why := ""
	s.waitFor(step.Wait)
	for {
		s.mu.Lock()
		came, err, changed := s.came, s.whyNot, s.changed
		s.mu.Unlock()
		if came {
			return recording.Step{}, s.rest(ctx, afterWait)
		}
		if err != nil {
			why = ": " + err.Error()
		}
		left := step.Wait.Limit() - s.o.Now().Sub(begun)
		if left <= 0 {
			return s.stepFailed(ctx, step, fmt.Sprintf("%s: that did not come within %s%s", step, step.Wait.Limit(), why))
		}
		quiet := s.untilQuiet(s.o.Expect.Long)
		if s.underway() {
			quiet = s.untilQuiet(s.o.Expect.Short)
		}
		if quiet <= 0 {
			switch {
			case s.nudgeFault():
				continue
			case s.fault != nil && s.fault.Phase() != fault.Waiting:
				return recording.Step{Soft: true}, nil
			case s.o.Expect.Usual != nil:
				return s.stepFailed(ctx, step, fmt.Sprintf("%s: that did not come, and nothing moves any more%s", step, why))
			}
			quiet = left
		}
		if err := pause(ctx, changed, min(left, quiet)); err != nil {
			return recording.Step{}, err
		}
	}
}

// seenMax bounds how long the effect of a step is waited for: what is under way is
// milliseconds.
const seenMax = 20 * time.Second

// seen waits until the effect of a step was observed, behind the first so many events,
// so that no wait behind it is about what was before.
func (s *Stage) seen(ctx context.Context, done Effect, before int) error {
	begun := s.o.Now()
	for {
		s.mu.Lock()
		is := s.saw(done.Written) && (done.Gone == nil || slices.ContainsFunc(s.rec.Events[before:], func(e history.Event) bool {
			return e.Type == history.Delete && e.Key == history.Key(*done.Gone)
		}))
		changed := s.changed
		s.stir() // what follows from it is still to come
		s.mu.Unlock()
		left := seenMax - s.o.Now().Sub(begun)
		if is || left <= 0 {
			return nil
		}
		if err := pause(ctx, changed, left); err != nil {
			return err
		}
	}
}

// saw tells whether writes, or later ones to the same objects, were observed; mu is held.
func (s *Stage) saw(written map[history.Key]int64) bool {
	for key, revision := range written {
		if s.newest < revision || s.o.Place.Unordered && !s.sawOf(key, revision) {
			return false
		}
	}
	return true
}

// sawOf is the same for one object, where a later write to another one says nothing; mu is held.
func (s *Stage) sawOf(key history.Key, revision int64) bool {
	if is, err := strconv.ParseInt(s.state[key].Text("metadata", "resourceVersion"), 10, 64); err == nil && is >= revision {
		return true
	}
	return slices.ContainsFunc(s.rec.Events, func(e history.Event) bool { return e.Key == key && e.Revision >= revision })
}

// waitFor has each state looked at from now on, until what is waited for is so.
func (s *Stage) waitFor(w *experiment.Wait) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited, s.came, s.whyNot = w, false, nil
	s.lookForIt()
}

// lookForIt looks whether what is waited for is so in this state; mu is held.
func (s *Stage) lookForIt() {
	if s.awaited == nil || s.came {
		return
	}
	s.came, s.whyNot = s.holds(s.awaited)
}

// afterWait is how long nothing may move behind a wait until users go on: so long
// do people take, at least, and runs differ less.
const afterWait = 100 * time.Millisecond

// rest waits until nothing has moved for so long, or for as long as it makes
// sense.
func (s *Stage) rest(ctx context.Context, d time.Duration) error {
	begun := s.o.Now()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		left := s.untilQuiet(d)
		if left <= 0 || s.o.Now().Sub(begun) > 20*d {
			return nil
		}
		if err := pause(ctx, changed, left); err != nil {
			return err
		}
	}
}

// stepFailed is the end of a run without a perturbation; with one it is noted.
func (s *Stage) stepFailed(ctx context.Context, step *experiment.Step, why string) (recording.Step, error) {
	if ctx.Err() != nil {
		return recording.Step{}, context.Cause(ctx)
	}
	if s.fault == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.active != nil {
			why += "; of the controller: " + s.lastWords(s.active)
		}
		return recording.Step{}, &StepError{step.Line, why}
	}
	return recording.Step{Failed: why}, nil
}

// holds tells whether what is waited for is so; mu is held.
func (s *Stage) holds(w *experiment.Wait) (bool, error) {
	var object history.Object
	if w.Object != nil {
		object = s.state[history.Key(*w.Object)]
		if w.Gone {
			return object == nil, nil
		}
		if object == nil {
			return false, errors.New("it is not there")
		}
	}
	if w.Condition() == nil {
		return true, nil
	}
	return w.Condition().Holds(object, s.state)
}

// underway tells whether a fault has fired and is not done.
func (s *Stage) underway() bool { return s.fault != nil && s.fault.Phase() == fault.Fired }

// nudgeFault tells the fault that all is quiet.
func (s *Stage) nudgeFault() bool { return s.fault != nil && s.fault.Quiet(s) }
