package statespace

import (
	"bytes"
	"errors"
	"fmt"
)

// worker is one goroutine's access to the model.
type worker struct {
	s       *search
	model   stepper
	auditor auditor
	emit    func(Action, []uint64) bool

	// The call in progress.
	b    *block
	op   string
	at   []uint64
	id   uint32
	from []uint64
	// moved: some successor is another state; resting: none by a fair action.
	moved, resting bool
	count          uint32
	err            error
	// label is that of an edge, bits its part for predicates on steps.
	label, bits []uint8
	canon       []uint64
	// audited is 1 + the last state of which a successor was sampled, or 0.
	audited uint32
	// recent holds, by their keys, states that this worker has entered before.
	// They are in the table or open at a lower rank: it takes blocks in order.
	// Steps that commute lead to the same states soon after one another, so that
	// most successors are found here.
	recent []place
	blocks uint32
	_      lines
}

// place is where a state was entered: in the worker's so many-th block, at
// that place of its open list.
type place struct {
	key       key
	block, at uint32
}

const recentLeast, recentMost = 1 << 6, 1 << 12

func (s *search) newWorker() *worker {
	w := &worker{s: s, model: s.door.stepper(), canon: own[uint64](s.queue.words), recent: make([]place, recentLeast)}
	if s.graph != nil {
		w.label = own[uint8](s.graph.labelBytes)
		w.bits = w.label[s.graph.classBytes:]
	}
	w.emit = w.successor
	return w
}

// protect turns a panic of the model into an error of the block, and also that
// it ended the goroutine, as a test's FailNow does: not done, yet no panic.
func (w *worker) protect(b *block, done *bool) {
	switch p := recover(); {
	case p != nil:
		b.err = w.fault(fmt.Sprintf("panic: %v", p), p)
	case !*done:
		b.err = w.fault("the goroutine was ended", nil)
	}
}

func (w *worker) fault(problem string, panicked any) *ModelError {
	e := &ModelError{Op: w.op, Problem: problem, Panic: panicked, id: w.id}
	if w.at != nil {
		e.State = w.s.door.format(w.at)
	}
	return e
}

// expand generates the successors of a block's states.
func (w *worker) expand(b *block) {
	done := false
	defer w.protect(b, &done)
	w.expandStates(b)
	done = true
}

func (w *worker) expandStates(b *block) {
	w.b = b
	w.blocks++
	s := w.s
	if len(w.recent) < recentMost && len(w.recent) < s.states {
		w.recent = make([]place, recentMost)
	}
	for id := b.first; id < b.last; id++ {
		if s.cancelled() {
			b.cancelled = true
			return
		}
		w.id, w.from = uint32(id), s.queue.record(id)
		w.moved, w.resting, w.count, w.err = false, true, 0, nil
		w.op, w.at = "Next", w.from
		err := w.model.next(w.from, w.emit)
		if w.err != nil {
			err = w.err
		}
		if err != nil {
			w.blame(err)
			return
		}
		b.counts, b.rows = append(b.counts, w.count), append(b.rows, uint32(len(b.ids)))
		if w.resting {
			w.judgeRest(b)
		}
		if !w.moved && s.keepResting {
			b.resting = append(b.resting, uint32(id))
		}
	}
	b.resolve(&s.table, s.queue.words)
	w.auditSamples(b)
}

func (w *worker) blame(err error) {
	var fault *ModelError
	if !errors.As(err, &fault) {
		fault = w.fault(err.Error(), nil)
	}
	w.b.err = fault
}

// successor takes one successor from the model.
func (w *worker) successor(a Action, raw []uint64) bool {
	if w.err != nil {
		return false
	}
	s, b := w.s, w.b
	if int(a.Class) >= s.classesMax {
		w.err = fmt.Errorf("an action of class %d was yielded, there are %d classes", a.Class, s.fair.classes)
		return false
	}
	stutter := equalWords(raw, w.from)
	if !stutter {
		w.moved = true
		if int(a.Class) < len(b.enabled) {
			b.enabled[a.Class] = true
		}
		if s.fair.isFair(a.Class) {
			w.resting = false
		}
	}
	if s.steps {
		w.judgeStep(b, a, raw)
	}
	w.count++
	if len(s.labels) > 0 {
		b.taken = append(b.taken, a.Label)
	}
	if stutter {
		if s.graph != nil && s.graph.stutters {
			w.link(w.id, a, true)
		}
		if !s.door.passes(a) {
			return true
		}
	}
	at, ok := w.enter(raw, w.id, a.Label)
	if s.graph != nil {
		w.link(statesMost+at, a, false)
	}
	return ok
}

// link adds an edge to the block, unless it is the last one again.
func (w *worker) link(to uint32, a Action, stutter bool) {
	b := w.b
	w.s.graph.label(w.label, a.Class, stutter)
	first := 0
	if len(b.rows) > 0 {
		first = int(b.rows[len(b.rows)-1])
	}
	if n := len(b.ids); n > first && b.ids[n-1] == to && bytes.Equal(b.labels[len(b.labels)-len(w.label):], w.label) {
		return
	}
	b.ids = append(b.ids, to)
	b.labels = append(b.labels, w.label...)
}

// enter adds a state to the block's open successors in canonical form, unless
// it is a recent one, and returns its place there if edges are kept.
func (w *worker) enter(raw []uint64, from, label uint32) (at uint32, ok bool) {
	o := &w.b.open
	record := raw
	if w.s.symmetric {
		record = w.canon
		copy(record, raw)
		w.op, w.at = "Canonical", raw
		if w.err = w.model.canonical(record); w.err != nil {
			w.blame(w.err)
			w.err = w.b.err
			return 0, false
		}
	}
	k := w.s.truncate(w.model.key(record))
	if w.s.symmetric && len(w.s.plan.claims) > 0 { // or else nothing is concluded
		w.sample(raw, record, k)
		w.op, w.at = "Next", w.from
	}
	w.b.entered++
	recent := &w.recent[k.hi&uint64(len(w.recent)-1)]
	if recent.key == k && (w.s.graph == nil || recent.block == w.blocks) {
		return recent.at, true
	}
	at = uint32(len(o.keys))
	*recent = place{k, w.blocks, at}
	o.keys = append(o.keys, k)
	o.records = append(o.records, record...)
	o.from = append(o.from, from)
	if len(w.s.labels) > 0 {
		o.label = append(o.label, label)
	}
	return at, true
}

// initial collects the initial states in one block, n at a time: full is
// called when there are that many, and stops the enumeration with false.
func (w *worker) initial(b *block, n int, full func() bool) {
	done := false
	defer w.protect(b, &done)
	w.b, w.op, w.at, w.id = b, "Init", nil, noState
	w.err = nil
	stopped := false
	err := w.model.init(func(raw []uint64) bool {
		if stopped || b.err != nil {
			return false
		}
		b.generated++
		if _, ok := w.enter(raw, noState, noState); !ok {
			return false
		}
		w.op, w.at = "Init", nil
		if len(b.open.keys) < n {
			return true
		}
		b.resolve(&w.s.table, w.s.queue.words)
		if w.auditSamples(b); b.err != nil {
			return false
		}
		w.id = noState
		stopped = !full()
		return !stopped
	})
	if w.err != nil {
		err = w.err
	}
	if err != nil && b.err == nil {
		w.blame(err)
	}
	b.resolve(&w.s.table, w.s.queue.words)
	if b.err == nil {
		w.auditSamples(b)
	}
	done = true
}

// judgeState evaluates the state predicates on a new state.
func (w *worker) judgeState(b *block, id uint32, record []uint64) {
	done := false
	defer w.protect(b, &done)
	s := w.s
	w.at, w.id = record, id
	if g := s.graph; g != nil {
		for p := range s.plan.liveStates {
			w.op = s.opOf(s.plan.stateOwner[p])
			if w.model.state(p, record) {
				at := int(id)*g.stateBytes + p>>3
				g.stateBits.set(at, g.stateBits.at(at)|1<<(p&7))
				b.everTrue.add(p)
			}
		}
	}
	for _, c := range s.plan.onState {
		if s.found[c].ok || b.has(c) {
			continue
		}
		w.op = s.opOf(c)
		if claim := &s.plan.claims[c]; w.model.state(claim.pred, record) == claim.witness() {
			b.hits = append(b.hits, hit{claim: c, id: id, ok: true})
		}
	}
	done = true
}

// judgeRest evaluates the at-rest predicates on the state being expanded.
func (w *worker) judgeRest(b *block) {
	b.atRest = true
	for _, c := range w.s.plan.onRest {
		if w.s.found[c].ok || b.has(c) {
			continue
		}
		w.op = w.s.opOf(c)
		if !w.model.state(w.s.plan.claims[c].pred, w.from) {
			b.hits = append(b.hits, hit{claim: c, id: w.id, ok: true})
		}
	}
}

// judgeStep evaluates the step predicates on a step of the model; those of
// liveness properties go to w.bits.
func (w *worker) judgeStep(b *block, a Action, to []uint64) {
	p := w.s.plan
	if w.s.graph != nil {
		clear(w.bits)
		for i := range p.liveSteps {
			w.op = w.s.opOf(p.stepOwner[i])
			if w.model.step(i, w.from, a, to) {
				w.bits[i>>3] |= 1 << (i & 7)
			}
		}
	}
	for _, c := range p.onStep {
		if w.s.found[c].ok || b.has(c) {
			continue
		}
		w.op = w.s.opOf(c)
		if claim := &p.claims[c]; w.model.step(claim.pred, w.from, a, to) == claim.witness() {
			b.hits = append(b.hits, hit{claim: c, id: w.id, ok: true})
		}
	}
	w.op = "Next"
}

// has reports whether the block decides a claim already.
func (b *block) has(claim int) bool {
	for _, h := range b.hits {
		if h.claim == claim {
			return true
		}
	}
	return false
}

// opOf names a claim's predicate in errors. The names are made once, because
// this is called for every evaluation.
func (s *search) opOf(claim int) string { return s.ops[claim] }
