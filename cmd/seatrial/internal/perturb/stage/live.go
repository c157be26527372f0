package stage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Live is a run whose steps come one at a time, from whoever has opened it. It is for
// one goroutine.
type Live struct {
	s      *Stage
	cancel context.CancelFunc
	// begun is when the last step was, from how many events there were, and restarts how
	// often the controller had been started again.
	begun    time.Time
	from     int
	restarts int
	// queues are those of the last step.
	queues *queues
	// wait is [pause]; tests have a clock of their own.
	wait func(ctx context.Context, changed <-chan struct{}, d time.Duration) error
}

// Open starts a run in a place that was just reset, and returns when the controller is
// ready. The steps of its experiment are not done. Beside an error that is about the controller (a
// [ControllerError]) it returns the run, too, which has to be closed.
func Open(ctx context.Context, o Options) (*Live, error) {
	ctx, cancel := context.WithCancel(ctx)
	s, err := newStage(o)
	if err != nil {
		cancel()
		return nil, err
	}
	s.context = ctx
	go s.follow(ctx)
	l := &Live{s: s, cancel: cancel, begun: o.Now(), wait: pause}
	return l, s.begin(ctx)
}

// Close ends the controller. What was seen stays.
func (l *Live) Close() {
	l.s.end()
	l.cancel()
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.s.over = true
	l.s.rec.Took = l.s.o.Now().Sub(l.s.started)
	l.s.rec.Final = l.s.final()
}

// Recording is what was seen. It is whole when the run is closed, and may be read only then.
func (l *Live) Recording() *recording.Recording { return l.s.rec }

// Begin begins a step: what comes from now on belongs to it.
func (l *Live) Begin() {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	l.begun, l.from, l.restarts = now, len(s.rec.Events), s.restarts
	s.gap = 0
	l.turn(now)
	s.stir()
}

// turn forgets what was seen to come again: users may go back to what they had, which is no circle.
func (l *Live) turn(now time.Time) {
	s := l.s
	s.cycles, s.cycleSince, s.repeated = history.NewQuiescence(s.o.Mask, time.Hour, now), time.Time{}, map[string]int{}
	s.streak, s.endless = 0, newEndless(s.o.Mask)
}

// Do does what users do, and returns when its effect is seen. An error of the API server is
// as it comes, so that it can be asked what it is.
func (l *Live) Do(ctx context.Context, step *experiment.Step) error {
	done, err := l.s.user.Do(ctx, step)
	if err != nil {
		return err
	}
	return l.s.seen(ctx, done, l.from)
}

// Setup applies what is no step, and waits until CRDs are served.
func (l *Live) Setup(ctx context.Context, objects []history.Object) error {
	return l.s.user.Setup(ctx, objects)
}

// Provide applies what was there before the run as far as it is concerned, and waits until it is seen.
func (l *Live) Provide(ctx context.Context, objects []history.Object) error {
	if len(objects) == 0 {
		return nil
	}
	if err := l.Setup(ctx, objects); err != nil {
		return err
	}
	var keys []history.Key
	for _, o := range objects {
		_, key, err := l.s.user.ofObject(ctx, &unstructured.Unstructured{Object: o})
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	begun := l.s.o.Now()
	for {
		l.s.mu.Lock()
		changed, failed := l.s.changed, l.s.failed
		lacks := slices.ContainsFunc(keys, func(key history.Key) bool { return l.s.state[key] == nil })
		l.s.mu.Unlock()
		if failed != nil || !lacks || l.s.o.Now().Sub(begun) > seenMost { // somebody may have deleted it
			return failed
		}
		if err := l.wait(ctx, changed, lookEvery); err != nil {
			return err
		}
	}
}

// seenMost is how long what is provided is waited for at most until it is seen.
const seenMost = 5 * time.Second

// Try asks the API server whether it would take an object, and changes nothing.
func (l *Live) Try(ctx context.Context, o history.Object) error { return l.s.user.Try(ctx, o) }

// Poke gives the controller an event: an object gets an annotation that nobody reads.
func (l *Live) Poke(ctx context.Context, r experiment.Reference, value string) error {
	l.s.mu.Lock()
	l.s.stir()
	l.s.mu.Unlock()
	return l.s.tool.Annotate(ctx, r, NudgeAnnotation, &value)
}

// Restart kills the controller and starts it again; it returns when that is ready. What is to be done meanwhile is done
// while there is no controller; nil for nothing.
func (l *Live) Restart(ctx context.Context, meanwhile func()) error {
	s, done := l.s, meanwhile == nil
	s.crash(nil, func() {
		if !done {
			done = true
			meanwhile()
		}
	})
	for {
		s.mu.Lock()
		starting, active, changed, failed := s.starting, s.active, s.changed, s.failed
		s.mu.Unlock()
		switch {
		case failed != nil:
			return failed
		case starting == 0 && !done: // it had ended by itself
			done = true
			meanwhile()
			continue
		case starting == 0 && active == nil:
			return &ControllerError{"the controller could not be started again"}
		case starting == 0:
			return s.ready(ctx, active, s.o.Expect.Streams)
		}
		if err := pause(ctx, changed, lookEvery); err != nil {
			return err
		}
	}
}

// Patience is how long a step is waited for.
type Patience struct {
	// Quiet is how long nothing may move, Idle the same as long as the controller has written
	// nothing, Long as long as something is waited for, and Max how long it may take in all, but for what others are
	// still at.
	Quiet, Idle, Long, Max time.Duration
	// Sure is how long nothing may move where the controller's own metrics say that it has nothing to
	// do. Without Trust it is only looked whether that would have been long enough.
	Sure  time.Duration
	Trust bool
	// Waits says what is still waited for in a state; empty for nothing. It must not
	// keep it.
	Waits func(history.State) string
	// Passes tells whether something in a state goes by itself before long, such as a pod that is being deleted: it is
	// waited for as long as that may be, and nothing is held against anybody if it stays. Nil for nothing.
	Passes func(history.State) bool
	// Others says what others than the controller have to bring about in a state, such as kubelets; empty for nothing.
	// Silence until they do is no gap of the controller's. It is nil where all silence is.
	Others func(history.State) string
	// LongFor is how long nothing may move as long as something is waited for in a state, where that says how long it
	// may take; 0 where Long counts, and nil where it always does.
	LongFor func(history.State) time.Duration
	// Back is how long nothing may move in a state until the controller has looked again at what it has put off, as its
	// metrics say; nil or 0 where that is not waited for.
	Back func(history.State) time.Duration
}

// Rest is how a step came to its end.
type Rest struct {
	// Quiet tells that nothing moved any more, and nothing is waited for; Still that nothing moved any more, whatever
	// is waited for.
	Quiet, Still bool
	// Why says what was waited for, or that writes went on.
	Why string
	// Cycle is the circle in which writes go.
	Cycle *history.Cycle
	// Restates tells that the controller writes the same fields again and again without a pause, with other values.
	Restates bool
	// Endless is what the controller does again and again; zero for nothing.
	Endless Endless
	// Took is until the last write that counts, and Gap the longest time without one before it.
	Took, Gap time.Duration
	// Pause is how long reconciles that failed may have been put off at most until they were tried again; 0 for none,
	// or where that is not known.
	Pause time.Duration
	// Restarts is how often the controller ended by itself and was started again.
	Restarts int
	// Asked tells that the controller's metrics were read until the end, and Deaf why not; nil if it is not
	// known where they are.
	Asked bool
	Deaf  error
	// Late is the longest time until something was written though they said that nothing would be, and Restless
	// tells that they said for so long that it was at work that this was not waited for.
	Late     time.Duration
	Restless bool
	// ComesBack tells that the controller looks again by itself, in its time, at what it is done with, as its metrics
	// say.
	ComesBack bool
	// Failing are the controllers whose reconciles go on failing though nothing moves, and Panicked those
	// of which one has panicked.
	Failing, Panicked []string
}

// Settle waits until all is quiet.
func (l *Live) Settle(ctx context.Context, p Patience) (Rest, error) {
	l.askQueues()
	return l.settle(ctx, p)
}

func (l *Live) settle(ctx context.Context, p Patience) (Rest, error) {
	s := l.s
	s.mu.Lock()
	s.others = p.Others
	begun := s.still.passed
	s.mu.Unlock()
	for {
		s.mu.Lock()
		changed, failed, passed := s.changed, s.failed, s.still.passed-begun
		s.mu.Unlock()
		if failed != nil {
			return Rest{}, failed
		}
		why, quiet, acted := "", p.Quiet, l.acted()
		if !acted {
			quiet = max(quiet, p.Idle)
		}
		left := s.untilQuiet(quiet)
		if l.queues != nil {
			left = l.queues.left(ctx, p, l.lacks, acted, left)
		}
		if left <= 0 {
			if why = l.waits(p); why == "" && l.alive() {
				if !l.restates() && (!l.passes(p) || s.untilQuiet(p.Long) <= 0) {
					return l.rest(""), nil
				}
				left = lookEvery
			} else if left = s.untilQuiet(l.long(p)); left <= 0 {
				if why == "" {
					why = "the controller has ended, and is not started again"
				}
				rest := l.rest(why)
				rest.Still = true
				return rest, nil
			}
		}
		if l.loops() {
			return l.rest(l.waits(p)), nil
		}
		if e := l.endless(); e.Is() {
			return l.rest(fmt.Sprintf("the controller %s", e)), nil
		}
		if s.circlesFor(p.Long) {
			return l.rest("the same writes come again and again"), nil
		}
		if passed > p.Max && !l.underWay(p, passed) {
			if why = l.waits(p); why == "" {
				why = fmt.Sprintf("writes went on for %s", p.Max)
			}
			return l.rest(why), nil
		}
		if err := l.wait(ctx, changed, min(left, lookEvery)); err != nil {
			return Rest{}, err
		}
	}
}

// underWayMost is how many times as long a step may take as otherwise at most, as long as others are at it.
const underWayMost = 3

// underWay tells whether others than the controller, of whom something is waited for, still do something: a thousand
// pods are not gone in a minute on a busy machine.
func (l *Live) underWay(p Patience, passed time.Duration) bool {
	if p.Others == nil || passed > underWayMost*p.Max || l.s.untilQuiet(p.Quiet) <= 0 {
		return false
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return p.Others(l.s.state) != ""
}

// long is how long nothing may move as long as something is waited for.
func (l *Live) long(p Patience) time.Duration {
	if p.LongFor == nil {
		return p.Long
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return cmp.Or(p.LongFor(l.s.state), p.Long)
}

// alive tells whether there is a process of the controller.
func (l *Live) alive() bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.active != nil || l.s.starting > 0
}

// restates tells whether the controller writes the same again and again, and it is not known yet whether that
// ends.
func (l *Live) restates() bool {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streak > 0 && s.lull() < streakLull
}

// loops tells whether it is known that it does not end: it may never be at rest.
func (l *Live) loops() bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.streak >= streakMost
}

// UntilActed waits until the controller has written anything in this step, to another object than one, or nothing moves
// for as long as it may be idle, or it does not come to an end. What users do then is of the same step, and what they
// go back to is no circle.
func (l *Live) UntilActed(ctx context.Context, p Patience, apart history.Key) error {
	s := l.s
	s.mu.Lock()
	begun := s.still.passed
	s.mu.Unlock()
	for {
		s.mu.Lock()
		changed, failed, passed := s.changed, s.failed, s.still.passed-begun
		s.mu.Unlock()
		if failed != nil {
			return failed
		}
		left := s.untilQuiet(max(p.Quiet, p.Idle))
		if left <= 0 || passed > p.Max || l.loops() || l.endless().Is() || l.actedOn(func(key history.Key) bool { return key != apart }) {
			break
		}
		if err := l.wait(ctx, changed, min(left, lookEvery)); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.turn(s.o.Now())
	s.stir() // that it was silent is no gap of the controller's
	return nil
}

// acted tells whether the controller has written anything in this step.
func (l *Live) acted() bool { return l.actedOn(func(history.Key) bool { return true }) }

func (l *Live) actedOn(counts func(history.Key) bool) bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return slices.ContainsFunc(l.s.rec.Events[l.from:], func(e history.Event) bool {
		return e.Actor == plan.Controller && counts(e.Key) && !l.s.o.Mask.IgnoresEvent(e)
	})
}

// lacks says what is still to come, be it waited for or only passing.
func (l *Live) lacks(p Patience) string {
	if why := l.waits(p); why != "" || !l.passes(p) {
		return why
	}
	return "something passes"
}

func (l *Live) passes(p Patience) bool {
	if p.Passes == nil {
		return false
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return p.Passes(l.s.state)
}

func (l *Live) waits(p Patience) string {
	if p.Waits == nil {
		return ""
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return p.Waits(l.s.state)
}

func (l *Live) rest(why string) Rest {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	r := Rest{Quiet: why == "", Still: why == "", Why: why, Gap: s.gap, Endless: s.endless.found, Restarts: s.restarts - l.restarts, Restates: s.streak >= streakMost || why != "" && s.streak >= streakLeast}
	if s.effective.After(l.begun) {
		r.Took = s.effective.Sub(l.begun)
	}
	if circle := s.cycles.At(s.o.Now()); s.goesOn(circle) {
		r.Cycle = circle.Cycle
	}
	if q := l.queues; q != nil {
		r.Asked, r.Deaf, r.Late, r.Restless, r.Failing, r.Panicked = q.deaf == nil && q.last != nil && q.of == s.active, q.deaf, q.late, q.restless, q.failing(), q.panicked()
		r.ComesBack = q.deaf == nil && q.comesBack()
		r.Pause = q.pause()
	}
	return r
}

// Events are those since the last Begin, in the order of their revisions.
func (l *Live) Events() []history.Event {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	events := slices.Clone(l.s.rec.Events[l.from:])
	slices.SortStableFunc(events, func(a, b history.Event) int { return cmp.Compare(a.Revision, b.Revision) })
	return events
}

// State is what there is now: the objects that any event of the run was about, but for those that were the cluster's
// and that only it has written, and those of users' namespaces that were there before it. Its objects are to be read
// only.
func (l *Live) State() history.State {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return users(l.s.state, l.s.touched)
}

// Untouched are the objects that State leaves out: the cluster's, and the user's that are in no namespace, as long as
// the run leaves them alone. They are to be read only.
func (l *Live) Untouched() history.State {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	out := history.State{}
	for key, o := range l.s.state {
		if !l.s.touched[key] && clusters(key) {
			out[key] = o
		}
	}
	return out
}

// users leaves out of a state what belongs to the cluster, unless it was touched. Of what does not, one run may touch
// what another leaves alone, and it is there in both.
func users(all history.State, touched map[history.Key]bool) history.State {
	out := history.State{}
	for key, o := range all {
		if touched[key] || !clusters(key) {
			out[key] = o
		}
	}
	return out
}

// clusters tells whether an object is where those are that belong to the cluster.
func clusters(key history.Key) bool {
	return key.Namespace == "" || strings.HasPrefix(key.Namespace, "kube-") || itself(key)
}

// itself tells whether an object is where the API server says how it is reached, which is another port on each plane.
func itself(key history.Key) bool {
	switch key.Resource {
	case "services", "endpoints", "endpointslices.discovery.k8s.io":
		return key.Namespace == "default" && key.Name == "kubernetes"
	}
	return false
}

// Lives are the processes that have ended so far.
func (l *Live) Lives() []recording.Life {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return slices.Clone(l.s.rec.Lives)
}

// Output is what the process that runs has printed since it had printed so many bytes, as
// far as it is kept, and how many there are now.
func (l *Live) Output(since int64) (text string, bytes int64) {
	l.s.mu.Lock()
	active := l.s.active
	l.s.mu.Unlock()
	if active == nil || active.process == nil {
		return "", since
	}
	o := active.process.Output()
	if since > o.Bytes { // another process
		since = 0
	}
	kept := o.Text()
	if n := int64(len(kept)); o.Bytes-since < n {
		kept = kept[n-(o.Bytes-since):]
	}
	return kept, o.Bytes
}

// Streams are the resources that the controller watches now.
func (l *Live) Streams() []string {
	l.s.mu.Lock()
	active := l.s.active
	l.s.mu.Unlock()
	if active == nil {
		return nil
	}
	var all []string
	for _, stream := range active.incarnation.Activity().Streams {
		all = append(all, stream.Resource)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
