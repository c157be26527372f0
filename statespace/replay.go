package statespace

import (
	"errors"
	"fmt"
	"slices"
)

// States are not stored: a trace is rebuilt by running the model again from an
// initial state. The run follows concrete states, so that under symmetry the
// trace is still a path of the model and not of its quotient.

// errLost says that a stored step was not yielded again.
var errLost = errors.New("a step found by the search was not yielded again")

// errNotConcrete is errLost under a canonical form, where the reason may be
// that Canonical does not map an orbit to one state.
var errNotConcrete = errors.New("the trace could not be made concrete: Canonical does not map every state of an orbit to the same state, or the property tells them apart")

// errNotAlike is errLost under a view, where states that look the same may have other successors.
var errNotAlike = errors.New("the trace could not be made of whole states: of two that look the same in the view one has successors that the other has not, or the property tells them apart")

// hop is a stored step to follow: the state it leads to and, if marked, which
// of the edges that lead there.
type hop struct {
	to     uint32
	marked bool
	edge   edge
	bits   []uint8
}

// path is a trace of records.
type path struct {
	init  []uint64
	steps []pathStep
	loop  int
}

type pathStep struct {
	action Action
	record []uint64
}

// last returns the state at the end of p.
func (p *path) last() []uint64 {
	if n := len(p.steps); n > 0 {
		return p.steps[n-1].record
	}
	return p.init
}

// follower re-executes the model.
type follower struct {
	s     *search
	model stepper
	canon []uint64
	path  path
}

// chain returns the states of the shortest path to a state, initial one first.
func (s *search) chain(id uint32) []uint32 {
	var ids []uint32
	for ; id != noState; id = s.parents.at(int(id)) {
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	return ids
}

// follow starts a re-execution along the states ids.
func (s *search) follow(ids []uint32) (*follower, error) {
	f := &follower{s: s, model: s.door.stepper(), canon: make([]uint64, s.queue.words), path: path{loop: -1}}
	var failure error
	s.door.level(-1)
	err := f.model.init(func(raw []uint64) bool {
		id, err := f.identify(raw)
		if err == nil && id != ids[0] {
			return true
		}
		if failure = err; err == nil {
			f.path.init = slices.Clone(raw)
		}
		return false
	})
	if err = errors.Join(err, failure); err != nil {
		return nil, err
	}
	if f.path.init == nil {
		return nil, &ModelError{Op: "Init", Problem: "not deterministic: an initial state was not yielded again", id: noState}
	}
	for _, id := range ids[1:] {
		if err := f.hop(hop{to: id}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// identify returns the id of a concrete state, noState if the table has none.
func (f *follower) identify(raw []uint64) (uint32, error) {
	copy(f.canon, raw)
	if err := f.model.canonical(f.canon); err != nil {
		return noState, err
	}
	if id, ok := f.s.table.find(f.s.truncate(f.model.key(f.canon))); ok {
		return id, nil
	}
	return noState, nil
}

// hop takes the first step that fits h.
func (f *follower) hop(h hop) error {
	return f.advance(func(a Action, to []uint64) (bool, error) {
		if h.marked && (f.s.graph.classed && a.Class != h.edge.class || equalWords(f.path.last(), to) != h.edge.stutter) {
			return false, nil
		}
		if id, err := f.identify(to); err != nil || id != h.to {
			return false, err
		}
		for i := 0; h.marked && i < f.s.plan.liveSteps; i++ {
			if f.model.step(i, f.path.last(), a, to) != (h.bits[i>>3]&(1<<(i&7)) != 0) {
				return false, nil
			}
		}
		return true, nil
	})
}

// claimStep takes the first step that decides a claim about steps.
func (f *follower) claimStep(c *claim) error {
	return f.advance(func(a Action, to []uint64) (bool, error) {
		return f.model.step(c.pred, f.path.last(), a, to) == c.witness(), nil
	})
}

// advance takes the first step that is wanted.
func (f *follower) advance(want func(Action, []uint64) (bool, error)) error {
	var failure error
	from, found := f.path.last(), false
	f.s.door.level(len(f.path.steps))
	err := f.model.next(from, func(a Action, to []uint64) bool {
		if found || failure != nil {
			return false
		}
		found, failure = want(a, to)
		if found {
			f.path.steps = append(f.path.steps, pathStep{a, slices.Clone(to)})
		}
		return !found && failure == nil
	})
	switch err = errors.Join(err, failure); {
	case err != nil:
		return &ModelError{Op: "Next", Problem: err.Error(), State: f.s.door.format(from), Path: f.path.actions(), id: noState}
	case found:
		return nil
	case f.s.symmetric:
		return errNotConcrete
	case f.s.viewed:
		return errNotAlike
	}
	return &ModelError{
		Op: "Next", Problem: "not deterministic: " + errLost.Error(), State: f.s.door.format(from),
		Path: f.path.actions(), id: noState,
	}
}

func (p *path) actions() []Action {
	actions := make([]Action, len(p.steps))
	for i := range p.steps {
		actions[i] = p.steps[i].action
	}
	return actions
}

// actionsTo returns the actions of the shortest path to a state, nil if it
// cannot be re-executed. The model has just failed: anything may happen.
func (s *search) actionsTo(id uint32) (actions []Action) {
	defer func() {
		if recover() != nil {
			actions = nil
		}
	}()
	if int64(id) >= int64(s.states) {
		return nil
	}
	f, err := s.follow(s.chain(id))
	if err != nil {
		return nil
	}
	return f.path.actions()
}

// tracePath rebuilds the trace of a claim decided while exploring.
func (s *search) tracePath(h hit) (*path, error) {
	f, err := s.follow(s.chain(h.id))
	if err != nil {
		return nil, err
	}
	if c := &s.plan.claims[h.claim]; c.kind == kindAlwaysStep || c.kind == kindSometimesStep {
		if err := f.claimStep(c); err != nil {
			return nil, err
		}
	}
	return &f.path, nil
}

// guard calls f, which executes the model again, and turns a panic of the model into an error.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &ModelError{Op: "re-execution", Problem: fmt.Sprintf("panic: %v", p), Panic: p, id: noState}
		}
	}()
	return f()
}
