package stage

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/metric"
)

const (
	// askAgain is how long a controller is left alone that says that it has something to do.
	askAgain = 50 * time.Millisecond
	// busyMax is how long it is waited for one that says so and of which nothing is seen: what is at work for
	// ever is never done.
	busyMax = 10 * time.Second
	// retryFirst is how long client-go's work queues put off what failed once, twice as long each time that it fails
	// again, and retryMax how long it is waited for at most to see whether it does.
	retryFirst, retryMax = 5 * time.Millisecond, 3 * time.Second
	// pauseDoubled is how often what is put off is put off for twice as long at most: that is 20 s.
	pauseDoubled = 12
)

// queues is what a controller's own metrics say while it is waited for the end of a step.
type queues struct {
	s *Stage
	// of is the process that says it, and read asks it.
	of   *cast
	read func(ctx context.Context, address string) (*metric.Reading, error)
	// base is what it said last before the step; earlier and last are the latest readings.
	base, earlier, last *metric.Reading
	// readings were taken since effective, the last write that counts.
	readings  int
	effective time.Time
	// again says of controllers that reconciles have ended since effective: with an error, and then it is true, or the
	// last of them without.
	again map[string]bool
	// before are the controllers whose reconciles went on failing before the step.
	before []string
	// rested is the first reading since effective at which it had nothing to do, or the last before that if none is,
	// and put tells that it had put something off then, and has not looked since.
	rested       *metric.Reading
	resting, put bool
	// calm tells that it has said twice that it has nothing to do, and will have nothing, and late is the longest
	// time until something was written all the same.
	calm bool
	late time.Duration
	// restless tells that it was at work for so long that it was not waited for.
	restless bool
	// deaf is why it cannot be asked; nil if it can.
	deaf error
}

// askQueues begins a step with the process that acts now; it is asked when nothing moves any more.
func (l *Live) askQueues() {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	before, active := l.queues, l.s.active
	l.queues = nil
	if active == nil || active.metrics == "" {
		return
	}
	l.queues = &queues{s: l.s, of: active, read: metric.Read, base: &metric.Reading{}, effective: l.s.effective}
	if before == nil || before.of != active {
		return
	}
	if before.last != nil {
		l.queues.base, l.queues.before = before.last, before.failing()
	}
	if timeout := net.Error(nil); errors.As(before.deaf, &timeout) && timeout.Timeout() {
		l.queues.deaf = before.deaf // one wait for an answer is enough
	}
}

// left says how long it takes until a step is over that is over in the time without the queues: longer
// where something is in them, and shorter where they say that nothing will come.
func (q *queues) left(ctx context.Context, p Patience, waits func(Patience) string, acted bool, without time.Duration) time.Duration {
	q.s.mu.Lock()
	effective, same, ended := q.s.effective, q.s.active == q.of, q.s.ended
	q.s.ended = 0
	q.s.mu.Unlock()
	if q.deaf != nil || !same || p.Sure == 0 {
		return without
	}
	if !effective.Equal(q.effective) {
		if q.calm {
			q.late = max(q.late, ended)
		}
		q.effective, q.readings, q.calm, q.again, q.resting = effective, 0, false, nil, false
	}
	enough := p.Sure
	if q.readings == 0 {
		enough /= 2
	}
	if wait := q.s.untilQuiet(enough); wait > 0 {
		return wait
	}
	if q.ask(ctx); q.deaf != nil {
		return without
	}
	switch busy := q.last.Busy() || q.readings == 1 || q.earlier.Busy() || q.earlier.Turns != q.last.Turns; {
	case busy && q.s.untilQuiet(busyMax) > 0:
		q.calm = false
		return max(q.s.untilQuiet(p.Sure), askAgain)
	case busy:
		q.calm, q.restless = false, true
	case q.retry() > 0:
		q.calm = false
		return max(q.retry(), askAgain)
	case q.back(p) > 0:
		q.calm = false
		return max(min(q.back(p), lookEvery), askAgain)
	default:
		// What was put off comes by itself, and one that has not looked at the change may still do so.
		q.calm = !q.putOff() && (acted || q.last.Turns > q.base.Turns) && waits(p) == ""
	}
	if q.calm && p.Trust {
		return 0
	}
	return without
}

// ask takes another reading.
func (q *queues) ask(ctx context.Context) {
	r, err := q.read(ctx, q.of.metrics)
	if q.deaf = err; err != nil {
		return
	}
	q.earlier, q.last = q.last, r
	if q.readings++; q.readings == 1 {
		return
	}
	for c := range r.Failed {
		works, fails := r.Done[c] > q.earlier.Done[c], r.Failed[c] > q.earlier.Failed[c]
		if !works && !fails {
			continue
		}
		if q.again == nil {
			q.again = map[string]bool{}
		}
		q.again[c] = !works
	}
}

// retry says how long it takes until it is seen whether a controller whose reconciles have failed in this step, and
// worked, fails again: it tries by itself, later each time.
func (q *queues) retry() (wait time.Duration) {
	for c, failed := range q.last.Failed {
		_, known := q.again[c]
		if n := failed - q.base.Failed[c]; n > 1 && !known && !q.always(c) {
			wait = max(wait, q.s.untilQuiet(min(retryFirst<<min(int(n)+1, 10), retryMax)))
		}
	}
	return wait
}

// back says how long it takes until the controller, which is not done, has looked again at what it has put off: one
// that waits until something is gone is told by no event that it is. Where it has looked, and written nothing, or does
// not look for long, nothing is waited for.
func (q *queues) back(p Patience) time.Duration {
	if before := q.rested; !q.resting {
		if before == nil {
			before = q.base
		}
		q.put = q.last.Again > before.Again || q.put && q.last.Turns == before.Turns
		q.rested, q.resting = q.last, true
	}
	if q.put = q.put && q.last.Turns == q.rested.Turns; p.Back == nil || !q.put {
		return 0
	}
	q.s.mu.Lock()
	long := p.Back(q.s.state)
	q.s.mu.Unlock()
	return q.s.untilQuiet(long)
}

// always tells whether reconciles of a controller have only failed in this step, and more than once.
func (q *queues) always(c string) bool {
	return q.last.Failed[c] > q.base.Failed[c]+1 && q.last.Done[c] == q.base.Done[c]
}

// putOff tells whether something comes by itself that was put off, but for reconciles that failed and are tried again:
// nothing has come of them, and nothing will, as long as nothing else changes.
func (q *queues) putOff() bool {
	failures := func(r *metric.Reading) (n float64) {
		for _, failed := range r.Failed {
			n += failed
		}
		return n
	}
	return q.last.Later-q.base.Later > failures(q.last)-failures(q.base)
}

// comesBack tells whether something comes by itself that was put off: reconciles that worked have asked for it, or,
// where they are not counted, more was put off than has failed.
func (q *queues) comesBack() bool {
	return q.last != nil && (q.last.Again > q.base.Again || len(q.last.Done) == 0 && q.putOff())
}

// failing are the controllers whose reconciles go on failing when nothing moves any more: the last of them has failed
// at rest, or they have only failed in the step, or did before and none has worked since.
func (q *queues) failing() (all []string) {
	if q.deaf != nil || q.readings < 2 {
		return nil
	}
	for _, c := range slices.Sorted(maps.Keys(q.last.Failed)) {
		if q.again[c] || q.always(c) || slices.Contains(q.before, c) && q.last.Done[c] == q.base.Done[c] {
			all = append(all, c)
		}
	}
	return all
}

// pause is how long a work queue has put off at most in the step what has failed: no more than if all of it was one
// object.
func (q *queues) pause() (longest time.Duration) {
	if q.last == nil {
		return 0
	}
	for c, failed := range q.last.Failed {
		if n := int(failed - q.base.Failed[c]); n > 0 {
			longest = max(longest, retryFirst<<min(n-1, pauseDoubled))
		}
	}
	return longest
}

// panicked are the controllers of which a reconcile has panicked in the step.
func (q *queues) panicked() (all []string) {
	if q.last == nil {
		return nil
	}
	for _, c := range slices.Sorted(maps.Keys(q.last.Panicked)) {
		if q.last.Panicked[c] > q.base.Panicked[c] {
			all = append(all, c)
		}
	}
	return all
}
