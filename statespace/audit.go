package statespace

// Under a canonical form only one state of each orbit is looked at. That is
// sound for a property only if it cannot tell the states of an orbit apart, and
// for liveness only if fairness cannot either. The audit compares states as
// they were yielded with their canonical form on a fixed sample; what it finds
// turns a Holds into Inconclusive. It can miss, but it raises no false alarm
// for a model whose properties and classes are invariant.

const (
	// The state predicates are compared for the successors of the first
	// auditStates states, and for later ones when auditStatesMask of their key
	// is zero; what a step does likewise for fewer, and of the first ones for one
	// successor each, because the model is called.
	auditStates, auditStatesMask = 512, 1<<6 - 1
	auditSteps, auditStepsMask   = 64, 1<<10 - 1
)

// audit is what one block found.
type audit struct {
	// samples are pairs of records: as yielded, canonical.
	samples []uint64
	// deep tells for each pair whether their steps are compared too.
	deep []bool
	// claims that tell a state from its canonical form.
	claims []int
	// classes: the fair classes enabled differ; rest: whether any is.
	classes, rest bool
}

func (a *audit) reset() {
	a.samples, a.deep, a.claims = a.samples[:0], a.deep[:0], a.claims[:0]
	a.classes, a.rest = false, false
}

// sample keeps a pair for the audit.
func (w *worker) sample(raw, canonical []uint64, k key) {
	at := int64(w.id)
	if w.id == noState {
		at = int64(len(w.b.audit.deep))
	}
	if (at < auditStates || k.lo&auditStatesMask == 0) && !equalWords(raw, canonical) {
		a := &w.b.audit
		a.samples = append(append(a.samples, raw...), canonical...)
		first := w.id == noState || w.id+1 != w.audited
		a.deep = append(a.deep, at < auditSteps && first || k.lo&auditStepsMask == 0)
		w.audited = w.id + 1
	}
}

// profile is what must agree between a state and its canonical form.
type profile struct {
	states []bool
	// steps holds for each step predicate whether some successor has it and
	// whether some has not.
	steps   [][2]bool
	enabled []bool
	rest    bool
}

// auditor compares samples; it uses a stepper of its own.
type auditor struct {
	model stepper
	pair  [2]profile
}

// auditSamples compares the samples of a block.
func (w *worker) auditSamples(b *block) {
	words := w.s.queue.words
	a := &w.auditor
	w.id = noState
	for n, deep := range b.audit.deep {
		at := 2 * n * words
		if a.model == nil {
			a.model = w.s.door.stepper()
		}
		raw, canonical := b.audit.samples[at:at+words], b.audit.samples[at+words:at+2*words]
		for i, record := range [][]uint64{raw, canonical} {
			if err := w.profile(&a.pair[i], record, deep); err != nil {
				w.op, w.at = "Next", record
				w.blame(err)
				return
			}
		}
		w.compare(&b.audit, &a.pair[0], &a.pair[1])
		again := append([]uint64(nil), canonical...)
		w.op, w.at = "Canonical", canonical
		if err := a.model.canonical(again); err != nil {
			w.blame(err)
			return
		}
		if !equalWords(again, canonical) {
			w.b.err = w.fault("the canonical form of a canonical form is another state, "+w.s.door.format(again), nil)
			return
		}
	}
}

// profile fills p for one state, what its steps do only if deep.
func (w *worker) profile(p *profile, record []uint64, deep bool) error {
	s, m := w.s, w.auditor.model
	p.states = sized(p.states, len(s.plan.stateOwner))
	p.steps = sized(p.steps, len(s.plan.stepOwner))
	p.enabled = sized(p.enabled, s.fair.classes)
	clear(p.steps)
	clear(p.enabled)
	p.rest = true
	w.at = record
	for i := range p.states {
		w.op = s.opOf(s.plan.stateOwner[i])
		p.states[i] = m.state(i, record)
	}
	if !deep {
		return nil
	}
	w.op = "Next"
	return m.next(record, func(a Action, to []uint64) bool {
		if s.fair.isFair(a.Class) && !equalWords(record, to) {
			p.enabled[a.Class], p.rest = true, false
		}
		for i := range p.steps {
			w.op = s.opOf(s.plan.stepOwner[i])
			if m.step(i, record, a, to) {
				p.steps[i][0] = true
			} else {
				p.steps[i][1] = true
			}
		}
		w.op = "Next"
		return true
	})
}

func (w *worker) compare(a *audit, x, y *profile) {
	for i := range x.states {
		if x.states[i] != y.states[i] {
			a.claims = append(a.claims, w.s.plan.stateOwner[i])
		}
	}
	for i := range x.steps {
		if x.steps[i] != y.steps[i] {
			a.claims = append(a.claims, w.s.plan.stepOwner[i])
		}
	}
	for i := range x.enabled {
		a.classes = a.classes || x.enabled[i] != y.enabled[i]
	}
	a.rest = a.rest || x.rest != y.rest
}
