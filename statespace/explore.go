package statespace

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seatrial/seatrial/internal/invariant"
)

// search explores a model breadth-first. It knows records, not state types.
type search struct {
	ctx       context.Context
	done      <-chan struct{}
	door      door
	symmetric bool
	viewed    bool
	plan      *plan
	steps     bool // some predicate is about steps
	ops       []string
	fair      fairness
	options   Options
	workers   []*worker
	// classesMax and statesMax are the options' values or the engine's limits.
	classesMax, statesMax int
	keepResting           bool

	table   table
	open    openTable
	queue   queue
	parents pages[uint32]
	graph   *graph
	// levels holds the first id of each level.
	levels              []int
	states, transitions int
	expanded, edges     int
	// initials is the number of initial states generated.
	initials int

	// labels counts the steps by their labels.
	labels   []LabelCount
	enabled  []bool
	everTrue bitset
	atRest   bool
	found    []hit
	// unequal marks claims that tell a state from its canonical form.
	unequal                     []bool
	unequalClasses, unequalRest bool
	resting                     []uint64
	reason                      string
	buffers                     int64

	blocks, chunk []*block
	final         []uint32
	begun, told   time.Time

	hooks hooks
	// look, if set, searches what is explored so far for violations of
	// liveness and reports whether there is one; nextLook is how many expanded
	// states it waits for.
	look     func() bool
	nextLook int
}

// hooks change the engine for its own tests. The zero value changes nothing.
type hooks struct {
	// keyBits, if not zero, is how many bits of a key are kept.
	keyBits int
	mutant  mutant
	// looks, if set, takes an early look at liveness after every level.
	looks bool
}

// mutant is a defect to plant.
type mutant uint8

const (
	sound mutant = iota
	ignoresWeak
	skipsRefinement
	enabledInside
	forgetsStuttering
	truncatedIsTerminal
)

// truncate shortens a key for tests that want keys to collide.
func (s *search) truncate(k key) key {
	if s.hooks.keyBits == 0 {
		return k
	}
	return key{lo: k.lo << (64 - s.hooks.keyBits)}.nonzero()
}

// The first look at liveness is taken when lookFirst states are expanded, the
// next when there are lookFactor times as many: all looks together cost a
// third of the last one.
const (
	lookFirst  = 512
	lookFactor = 4
)

// newSearch prepares a run.
func newSearch(ctx context.Context, d door, p *plan, o Options) (*search, error) {
	f, err := newFairness(o.Classes)
	if err != nil {
		return nil, err
	}
	if o.Workers < 0 || o.MaxStates < 0 || o.MaxMemory < 0 || o.MaxDepth < 0 {
		return nil, errors.New("statespace: an option is negative")
	}
	f.with(p)
	s := &search{
		ctx: ctx, done: ctx.Done(), door: d, symmetric: d.symmetric(), viewed: d.viewed(), plan: p, steps: len(p.stepOwner) > 0, fair: f, options: o, hooks: o.hooks,
		classesMax: stutterBit, statesMax: statesMost,
		enabled: make([]bool, f.classes), everTrue: newBitset(p.liveStates),
		found: make([]hit, len(p.claims)), unequal: make([]bool, len(p.claims)),
		begun: time.Now(), labels: make([]LabelCount, max(0, o.Labels)),
	}
	if f.classes > 0 {
		s.classesMax = f.classes
	}
	if o.MaxStates > 0 && o.MaxStates < s.statesMax {
		s.statesMax = o.MaxStates
	}
	for _, c := range p.claims {
		s.ops = append(s.ops, fmt.Sprintf("property %q", c.name))
	}
	s.queue.words = d.words()
	s.table.v = newArray[bucket](1)
	if p.live {
		s.graph = newGraph(p, &f)
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s.table.shared = workers > 1
	for range workers {
		s.workers = append(s.workers, s.newWorker())
	}
	return s, nil
}

func (s *search) cancelled() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// stop ends the exploration for a reason; the first one counts.
func (s *search) stop(reason string) {
	if s.reason == "" {
		s.reason = reason
	}
}

// run explores until everything is expanded or a reason to stop comes up. The
// error is the model's fault; what was found before it remains valid.
func (s *search) run() error {
	s.door.level(-1)
	if err := s.initial(); err != nil || s.reason != "" {
		return err
	}
	s.initials = s.transitions
	if s.states == 0 {
		return &ModelError{Op: "Init", Problem: "no initial state was yielded"}
	}
	for depth := 0; ; depth++ {
		from, to := s.levels[depth], s.states
		if s.decided() {
			s.stop(EndedAtViolation)
			return nil
		}
		if s.look != nil && s.expanded >= s.nextLook {
			if !s.hooks.looks {
				s.nextLook = lookFactor * s.expanded
			}
			if s.look() {
				s.stop(EndedAtViolation)
				return nil
			}
		}
		if s.options.MaxDepth > 0 && depth >= s.options.MaxDepth {
			s.stop(fmt.Sprintf("the depth bound of %d steps was reached", s.options.MaxDepth))
			return nil
		}
		s.door.level(depth)
		err := s.expandLevel(from, to)
		if s.states > to {
			s.levels = append(s.levels, to)
		}
		if err != nil || s.reason != "" || s.states == to {
			return err
		}
	}
}

// expandLevel expands the states from..to-1 chunk by chunk.
func (s *search) expandLevel(from, to int) error {
	for from < to {
		next := min(to, from+s.chunkStates())
		if err := s.expandChunk(from, next); err != nil || s.reason != "" {
			return err
		}
		s.queue.release(next)
		from = next
	}
	return nil
}

// decided reports whether going on cannot change what is reported.
func (s *search) decided() bool {
	violated, open := false, false
	for i := range s.found {
		switch {
		case !s.found[i].ok:
			open = true
		case !s.plan.claims[i].witness():
			violated = true
		}
	}
	return violated && (!s.options.All || !open)
}

// chunkStates is the number of states to expand together, by the successors
// that a state has had on average.
func (s *search) chunkStates() int {
	return chunkBlocks * s.blockStates()
}

func (s *search) blockStates() int {
	average := 1 + s.transitions/max(1, s.expanded)
	return min(max(1, s.chunkSuccessors()/chunkBlocks/average), blockMost)
}

// take returns n blocks.
func (s *search) take(n int) []*block {
	for len(s.blocks) < n {
		s.blocks = append(s.blocks, &block{enabled: make([]bool, s.fair.classes), everTrue: newBitset(s.plan.liveStates)})
	}
	return s.blocks[:n]
}

// initial enters the initial states.
func (s *search) initial() error {
	const portion = 1 << 14
	s.levels = []int{0}
	b := s.take(1)[0]
	b.reset(0, 0)
	s.chunk = s.blocks[:1]
	stopped := false
	var failure error
	settle := func() bool {
		failure = s.settleChunk(0)
		stopped = failure != nil || s.reason != ""
		b.reset(0, 0)
		return !stopped && !s.cancelled()
	}
	s.workers[0].initial(b, portion, settle)
	if failure != nil || stopped {
		return failure
	}
	if b.err != nil {
		return b.err
	}
	if s.cancelled() {
		s.stop(s.cancelReason())
	}
	return s.settleChunk(0)
}

func (s *search) cancelReason() string { return "cancelled: " + context.Cause(s.ctx).Error() }

// expandChunk expands the states from..to-1, which are in one level.
func (s *search) expandChunk(from, to int) error {
	// The blocks must not depend on the number of workers, or what they count
	// would.
	size := min(s.blockStates(), (to-from+blocksLeast-1)/blocksLeast)
	count := (to - from + size - 1) / size
	s.chunk = s.take(count)
	for i, b := range s.chunk {
		b.reset(from+i*size, min(to, from+(i+1)*size))
	}
	s.parallel(count, to-from, func(w *worker, i int) { w.expand(s.chunk[i]) })
	for _, b := range s.chunk {
		if b.err != nil {
			return b.err
		}
	}
	for _, b := range s.chunk {
		if b.cancelled {
			s.stop(s.cancelReason())
			return nil
		}
	}
	return s.settleChunk(to)
}

// settleChunk enters what the chunk's blocks have yielded; to is the end of
// the states expanded.
func (s *search) settleChunk(to int) error {
	open, entered, edges := 0, 0, s.edges
	for _, b := range s.chunk {
		b.base, b.edges = open, edges
		open += len(b.open.keys)
		entered += b.entered
		edges += len(b.ids)
	}
	s.open.reset(open)
	s.parallel(len(s.chunk), open/sharedWork, func(_ *worker, i int) { s.open.match(s.chunk[i]) })
	states, refused, cut := s.number(open)
	if s.graph != nil && s.graph.full(s.edges, edges) {
		s.stop("some states have more successors than the graph can hold")
		return nil
	}
	if !s.fits(states, entered, edges) {
		s.stop(fmt.Sprintf("the memory budget of %d bytes was reached", s.options.MaxMemory))
		return nil
	}
	if refused {
		s.stop(fmt.Sprintf("the budget of %d states was reached", s.statesMax))
	}
	s.reserve(states - s.states)
	if cut != noState {
		to = int(cut)
	}
	s.queue.extend(states)
	s.parents.extend(states)
	if s.graph != nil {
		s.graph.extend(states, to, s.edges, edges)
		s.graph.expanded = to
	}
	s.parallel(len(s.chunk), open/sharedWork, func(w *worker, i int) { s.commit(w, s.chunk[i], to) })
	before := s.states
	s.table.used += states - before
	s.states, s.expanded, s.edges = states, to, edges
	if invariant.Enabled {
		s.checkChunk(before)
	}
	return s.merge(to)
}

// merge adds what the blocks found, in order. What was found while expanding
// the states from cut on is left out, so that the size of a chunk, which is no
// business of the user's, has no influence.
func (s *search) merge(cut int) error {
	var failure error
	for _, b := range s.chunk {
		if b.initial() {
			s.transitions += b.generated
		}
		successors := 0
		for i, n := range b.counts {
			if b.first+i < cut {
				successors += int(n)
			}
		}
		s.transitions += successors
		s.countTaken(b.taken[:min(successors, len(b.taken))])
		for _, h := range b.hits {
			if s.found[h.claim].ok || s.plan.claims[h.claim].whileExpanding() && int(h.id) >= cut {
				continue
			}
			s.found[h.claim] = h
		}
		for i, on := range b.enabled {
			s.enabled[i] = s.enabled[i] || on
		}
		s.everTrue.union(b.everTrue)
		s.atRest = s.atRest || b.atRest
		for _, id := range b.resting {
			s.resting = append(s.resting, s.queue.record(int(id))...)
		}
		for _, c := range b.audit.claims {
			s.unequal[c] = true
		}
		s.unequalClasses = s.unequalClasses || b.audit.classes
		s.unequalRest = s.unequalRest || b.audit.rest
		if failure == nil {
			failure = b.err
		}
	}
	return failure
}

// countNew counts a state that a step with a label reached first.
func (s *search) countNew(label uint32) {
	if int(label) < len(s.labels) {
		s.labels[label].States++
	}
}

// countTaken counts steps by their labels.
func (s *search) countTaken(labels []uint32) {
	for _, label := range labels {
		if int(label) < len(s.labels) {
			s.labels[label].Transitions++
		}
	}
}

// sharedWork is how many open successors are worth a second goroutine.
const sharedWork = 256

// parallel calls f for 0..n-1, each index once, on at most most workers but at
// least one. The calling goroutine is one of them and reports progress.
func (s *search) parallel(n, most int, f func(w *worker, i int)) {
	var next atomic.Int64
	work := func(w *worker) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(w, i)
			if w == s.workers[0] {
				s.progress()
			}
		}
	}
	var group sync.WaitGroup
	for _, w := range s.workers[1:max(1, min(len(s.workers), n, most))] {
		group.Go(func() { work(w) })
	}
	work(s.workers[0])
	group.Wait()
}

// progress calls Options.Progress at most once a second.
func (s *search) progress() {
	if s.options.Progress == nil {
		return
	}
	now := time.Now()
	if now.Sub(s.begun) < time.Second || now.Sub(s.told) < time.Second {
		return
	}
	s.told = now
	s.options.Progress(Progress{
		States: s.states, Transitions: s.transitions,
		Frontier: s.states - s.expanded, Depth: len(s.levels) - 1, Elapsed: now.Sub(s.begun),
	})
}
