package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/fault"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Options are one run.
type Options struct {
	Experiment *experiment.Experiment
	Place      Place
	// Plan is what is done to the controller; nil for nothing.
	Plan *plan.Plan
	// OldLists and Standby ask for what a fault may need, without one.
	OldLists, Standby bool
	// Expect is what is usual; nil as long as that is not known.
	Expect *Expectation
	// Mask is what does not count.
	Mask history.Mask
	// Now is the clock.
	Now func() time.Time
	// Fill says how a process of the controller is started that has this kubeconfig, and at which
	// address it serves metrics, if that is known; nil for as the experiment says.
	Fill func(kubeconfig string) (c experiment.Controller, metrics string, err error)
}

// Expectation is what a run is held to while it runs, to know when it is over.
type Expectation struct {
	// Known: it is known what is watched by a controller that is ready. Streams are the
	// resources that the controller watches when it is ready, and
	// StandbyStreams those of one that waits to lead.
	Known                   bool
	Streams, StandbyStreams []string
	// Short is how long nothing may move in a run before it is taken to be at its end
	// if it ends as usual; Long, if it does not, or if it is waited for what does not
	// come.
	Short, Long time.Duration
	// NoNudge: a run that ends otherwise is over after Long.
	NoNudge bool
	// Usual tells whether a run that ends now ends as usual.
	Usual func(*recording.Recording) bool
}

const (
	// shortUsual and longUsual are used as long as nothing is known.
	shortUsual = time.Second
	longUsual  = 4 * time.Second
	// readyMax is how long a controller may take until it asks for something.
	readyMax = 30 * time.Second
	// restartsMax is how often a controller that ends by itself is started again.
	restartsMax = 5
	// runMax bounds a run behind its last step.
	runMax = 60 * time.Second
)

// Stage is one run under way.
type Stage struct {
	o       Options
	user    *Driver
	tool    *Driver
	engine  *apiproxy.Engine
	started time.Time

	mu      sync.Mutex
	changed chan struct{} // closed when something moves
	rec     *recording.Recording
	state   history.State
	touched map[history.Key]bool // what any event was about, but for what is the cluster's own affair
	numbers *plan.Numbering
	counts  map[string]int // of Seen, by signature
	cycles  *history.Quiescence
	fault   fault.Fault
	// newest is the revision of the last event, and looked of the last one that the
	// fault was told of.
	newest, looked int64
	// effective is when the last event came that counts.
	effective time.Time
	// still is how long the run was at rest, stirred what it was then, and gap the longest rest between two of those
	// that count, since that was asked.
	still        still
	stirred, gap time.Duration
	// movedAt is what still was when anything moved last.
	movedAt time.Duration
	// ended is the longest rest that ended since the queues were asked.
	ended time.Duration
	// owed are the newest events.
	owed owed
	// others says what others than the controller have to bring about; nil where that is not asked.
	others func(history.State) string
	// cycleSince is when a circle of writes was first seen, and cycleRevision that of its last write then.
	cycleSince    time.Time
	cycleRevision int64
	// repeated counts the writes behind the last step, by object and fields; streak is how many of those of the
	// controller that come again and again came without a pause. acted is what still was when the controller was given
	// something last, or asked for something, and longest the longest rest before that, since the last of those writes.
	repeated        map[string]int
	streak          int
	endless         *endless // behind the last step
	acted, longest  time.Duration
	active, standby *cast
	casts           []*cast
	restarts        int
	begun, steps    int // how many steps were begun, and done
	// awaited is what is waited for: came if it was so in any state, and else whyNot is
	// the error of the last one.
	awaited *experiment.Wait
	came    bool
	whyNot  error
	paused  *cast
	context context.Context
	failed  error
	// over: the run has its end, and what comes now is none of it.
	over bool
	// starting counts processes that are being started or ended.
	starting int
	work     sync.WaitGroup
}

// Run runs an experiment once, in a place that was just reset. An error is the
// place's or the experiment's; what the controller does is recorded.
func Run(ctx context.Context, o Options) (*recording.Recording, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newStage(o)
	if err != nil {
		return nil, err
	}
	defer s.end()
	s.context = ctx
	go s.follow(ctx)
	err = s.play(ctx)
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	err = errors.Join(err, s.failed)
	s.rec.Took = s.o.Now().Sub(s.started)
	s.rec.Final = s.final()
	s.rec.Fired, s.rec.Done = true, true
	if s.fault != nil {
		phase := s.fault.Phase()
		s.rec.Fired, s.rec.Done = phase != fault.Waiting, phase == fault.Done
		s.rec.Infeasible = s.fault.Infeasible()
	}
	return s.rec, err
}

func newStage(o Options) (*Stage, error) {
	if o.Expect == nil {
		o.Expect = &Expectation{Short: shortUsual, Long: longUsual}
	}
	now := o.Now()
	s := &Stage{
		o: o, started: now, changed: make(chan struct{}), state: history.State{}, touched: map[history.Key]bool{}, numbers: plan.NewNumbering(o.Mask), counts: map[string]int{}, repeated: map[string]int{}, endless: newEndless(o.Mask), owed: owed{},
		cycles: history.NewQuiescence(o.Mask, time.Hour, now), newest: o.Place.Revision, effective: now, still: still{looked: now, strain: strain{read: o.Place.Strain}},
		rec: &recording.Recording{Revision: o.Place.Revision, Start: history.State{}},
	}
	options := apiproxy.EngineOptions{Actor: plan.Controller, OldLists: o.OldLists, Record: s.record, Now: o.Now}
	if o.Plan != nil {
		f, needs, err := fault.New(o.Plan)
		if err != nil {
			return nil, err
		}
		s.fault = f
		s.o.OldLists, s.o.Standby = o.OldLists || needs.OldLists, o.Standby || needs.Standby
		options.OldLists, options.Before, options.After = s.o.OldLists, s.before, s.after
	}
	maps.Copy(s.state, o.Place.Base)
	maps.Copy(s.rec.Start, o.Place.Base)
	s.engine = apiproxy.NewEngine(options)
	s.reached(o.Place.Revision)
	var err error
	if s.user, err = NewDriver(o.Place, plan.User); err != nil {
		return nil, err
	}
	if s.tool, err = NewDriver(o.Place, plan.Tool); err != nil {
		return nil, err
	}
	return s, os.MkdirAll(filepath.Join(o.Place.Folder, "home"), 0o700)
}

// internal tells whether an event is the cluster's own affair: what belonged to it from the beginning is written by
// itself, as a role is that it gathers from others. One plane may still be at that when its runs begin, and another one
// is not.
func (s *Stage) internal(e history.Event) bool {
	_, given := s.o.Place.Base[e.Key]
	return given && clusters(e.Key) && e.Actor != plan.Controller && e.Actor != plan.User && e.Actor != plan.Tool
}

// final is the state of the objects that were touched; mu is held.
func (s *Stage) final() history.State {
	final := history.State{}
	for key, o := range s.state {
		if s.touched[key] {
			final[key] = o
		}
	}
	return final
}

// follow looks at each event of the history, and then lets the engine deliver it.
func (s *Stage) follow(ctx context.Context) {
	for e, err := range s.o.Place.History(ctx) {
		if err != nil {
			if ctx.Err() == nil {
				s.fail(fmt.Errorf("the history: %w", err))
			}
			return
		}
		s.observe(e)
	}
}

func (s *Stage) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = errors.Join(s.failed, err)
	s.move()
}

// observe takes the next event.
func (s *Stage) observe(e history.Event) {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		s.reached(e.Revision)
		return
	}
	now := s.o.Now()
	s.rec.Events = append(s.rec.Events, e)
	s.rec.Times = append(s.rec.Times, now.Sub(s.started))
	if _, there := s.state[e.Key]; !there && e.Previous != nil && !s.touched[e.Key] {
		s.rec.Start[e.Key] = e.Previous
	}
	if !s.internal(e) {
		s.touched[e.Key] = true
	}
	silence := s.silence()
	s.owed.add(e, now)
	s.state.Apply(e)
	s.lookForIt()
	s.cycles.Add(e, now)
	s.newest = max(s.newest, e.Revision)
	n, counts := s.numbers.Next(e)
	if counts {
		s.endless.add(e)
		switch {
		case !s.repeats(n):
			s.streak = 0
			s.gap = max(s.gap, silence)
			s.stir()
		case e.Actor == plan.Controller:
			s.restate()
		}
		s.counts[n.Ordinal.Signature()] = n.Ordinal.Occurrence
		s.counts[n.Exact.Signature()] = n.Exact.Occurrence
	}
	f := s.fault
	s.mu.Unlock()
	if f != nil && counts {
		f.Observe(s, e, n)
	}
	s.reached(e.Revision)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = e.Revision
	if counts {
		s.movedAt = s.still.at // leases that are renewed are no movement
	}
	s.wake()
}

// silence is how long the controller has left things as they are: none where others had to bring something about. mu
// is held.
func (s *Stage) silence() time.Duration {
	long := s.rested() + s.still.since(s.o.Now())
	if long > s.gap && s.others != nil && s.others(s.state) != "" {
		return 0
	}
	return long
}

// reached lets the engine deliver what was looked at. Where the history has no order it
// waits for nothing.
func (s *Stage) reached(revision int64) {
	if !s.o.Place.Unordered {
		s.engine.Reached(revision)
	}
}

// repeatsMax is how often the same fields of an object are written behind the last
// step until that is taken to go on for ever.
const repeatsMax = 3

// repeats tells whether an event is one of those that come again and again when all
// is over, such as a heartbeat: nothing has to be waited for then. mu is held.
func (s *Stage) repeats(n plan.Numbered) bool {
	if s.steps < len(s.o.Experiment.Steps) || n.Exact.Type != history.Update || s.underway() {
		return false
	}
	key := n.Exact.Key()
	s.repeated[key]++
	return s.repeated[key] > repeatsMax
}

const (
	// streakMost is how often the controller writes the same fields again until that is taken to go on for ever,
	// streakLeast the same where there was no time for more, and streakLull how long it rests between two writes at
	// least if it does so by the clock: that is a heartbeat.
	streakMost, streakLeast = 30, 10
	streakLull              = 500 * time.Millisecond
)

// lull is the longest rest since the controller has written the same fields again; mu is held.
func (s *Stage) lull() time.Duration { return max(s.longest, s.still.at-s.acted) }

// act notes that the controller was given something, or asked for something; mu is held.
func (s *Stage) act() { s.longest, s.acted = s.lull(), s.still.at }

// restate notes that the controller has written the same fields of an object once more; mu is held.
func (s *Stage) restate() {
	if s.lull() >= streakLull {
		s.streak = 0
	}
	s.streak++
	s.longest, s.acted = 0, s.still.at
}

// move wakes whoever waits for something to change; mu is held.
func (s *Stage) move() {
	s.movedAt = s.still.at
	s.wake()
}

// wake wakes whoever waits, for what need not be a movement; mu is held.
func (s *Stage) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// record is told by the engine what the controller asked for and was given.
func (s *Stage) record(r apiproxy.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.rec.Exchanges = append(s.rec.Exchanges, r)
	if r.Kind == apiproxy.RecordDelivery && r.Frame != "BOOKMARK" || r.Exchange != nil && r.Exchange.Resource != "leases.coordination.k8s.io" {
		s.act()
	}
	if r.Kind == apiproxy.RecordStreamBegin || r.Kind == apiproxy.RecordDelivery && r.Frame != "BOOKMARK" ||
		r.Exchange != nil && r.Kind == apiproxy.RecordRequest && r.Exchange.Writes() && r.Exchange.Steered() {
		s.move()
	}
}

func (s *Stage) before(ctx context.Context, x *apiproxy.Exchange) apiproxy.Answer {
	return s.fault.Before(ctx, s, x)
}

// after waits until the write was observed, so that the fault knows whether it is
// the one.
func (s *Stage) after(ctx context.Context, x *apiproxy.Exchange) apiproxy.Answer {
	if x.Code < 200 || x.Code > 299 || !s.observed(ctx, x) {
		return apiproxy.Pass
	}
	return s.fault.After(ctx, s, x)
}

func (s *Stage) observed(ctx context.Context, x *apiproxy.Exchange) bool {
	for {
		s.mu.Lock()
		seen, changed := s.sees(x), s.changed
		s.mu.Unlock()
		if seen {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// sees tells whether the fault was told of the effect of a write; mu is held. The
// answer to a delete may have no revision, and that to the update that takes the last
// finalizer away has an old one: the object is gone then.
func (s *Stage) sees(x *apiproxy.Exchange) bool {
	if x.Revision != 0 && !x.Removed {
		return s.looked >= x.Revision
	}
	if x.Verb != "delete" && !x.Removed || x.UID == "" {
		return true
	}
	for i := len(s.rec.Events) - 1; i >= 0; i-- {
		if e := s.rec.Events[i]; e.UID == x.UID {
			return e.Type == history.Delete && e.Revision <= s.looked
		}
	}
	return s.looked > s.rec.Revision
}
