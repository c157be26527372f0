package statespace

import (
	"errors"
	"fmt"
	"slices"
)

// judge decides on its own whether a trace shows what it is said to show. It
// shares nothing with the search but the model: it knows no graph, no hash, no
// canonical form.
type judge[S any] struct {
	init  func(yield func(S) bool)
	next  func(s S, yield func(Action, S) bool)
	equal func(a, b S) bool
	// alike tells whether states look the same in the view of the model, nil if it has none.
	alike func(a, b S) bool
	// level tells a model that wants to know it how far the states are that next gets; see VectorLeveler.
	level   func(n int)
	classes []Class
	// premises are the properties that are constraints.
	premises []Property[S]
}

// JudgeVectors returns nil if t is a behaviour of m that violates p: it begins in
// an initial state, each step is one of m's, a cycle closes and is fair to the
// classes, and the predicates say so; otherwise what is wrong. It takes
// behaviours that were not found by a search, and shares nothing with it.
func JudgeVectors(m VectorModel, classes []Class, p Property[[]ID], t *Trace[[]ID]) error {
	j := judge[[]ID]{init: m.Init, next: m.Next, equal: slices.Equal[[]ID], alike: alike(m), level: levelOf(m), classes: classes}
	return j.judge(p, t)
}

// alike returns what tells whether states look the same in the view of m, nil if it has none.
func alike(m VectorModel) func(v, w []ID) bool {
	viewer, ok := m.(VectorViewer)
	if !ok {
		return nil
	}
	return func(v, w []ID) bool { return slices.Equal(viewer.View(v, nil), viewer.View(w, nil)) }
}

// judge returns nil if t is a behaviour of the model that violates p, or is a
// witness of it.
func (j *judge[S]) judge(p Property[S], t *Trace[S]) error {
	if err := j.isPath(t); err != nil {
		return err
	}
	j.at(len(t.Steps) - 1)
	switch last := t.state(len(t.Steps)); p.kind {
	case kindAlways, kindSometimes:
		return j.finite(t, p.state(last) == (p.kind == kindSometimes))
	case kindAlwaysStep, kindSometimesStep:
		n := len(t.Steps)
		shown := n > 0 && p.step(t.state(n-1), t.Steps[n-1].Action, last) == (p.kind == kindSometimesStep)
		return j.finite(t, shown)
	case kindAtRest:
		_, moving := j.enabled(last)
		return j.finite(t, !moving && !p.state(last))
	}
	if t.Loop < 0 || t.Loop > len(t.Steps) {
		return fmt.Errorf("a behaviour without end has Loop %d", t.Loop)
	}
	if from, to := t.state(t.Loop), t.state(len(t.Steps)); !j.equal(from, to) && (j.alike == nil || !j.alike(from, to)) {
		return errors.New("the cycle does not close")
	}
	if err := j.isFair(t); err != nil {
		return err
	}
	if !t.violates(p) {
		return errors.New("the behaviour does not violate the property")
	}
	return nil
}

// levelOf is how a model is told how far states are; nil if it does not want to know.
func levelOf(m VectorModel) func(n int) {
	if l, ok := m.(VectorLeveler); ok {
		return l.Level
	}
	return nil
}

func (j *judge[S]) at(n int) {
	if j.level != nil {
		j.level(n)
	}
}

func (j *judge[S]) finite(t *Trace[S], shown bool) error {
	if t.Loop != -1 {
		return fmt.Errorf("a finite trace has Loop %d", t.Loop)
	}
	if !shown {
		return errors.New("the end of the trace does not decide the property")
	}
	return nil
}

// state returns the state before step i, the last one for i == len(Steps).
func (t *Trace[S]) state(i int) S {
	if i == 0 {
		return t.Init
	}
	return t.Steps[i-1].State
}

func (j *judge[S]) isPath(t *Trace[S]) error {
	found := false
	j.at(-1)
	j.init(func(s S) bool {
		found = found || j.equal(s, t.Init)
		return !found
	})
	if !found {
		return errors.New("the trace does not begin in an initial state")
	}
	for i, step := range t.Steps {
		found = false
		j.at(i)
		j.next(t.state(i), func(a Action, to S) bool {
			found = found || a == step.Action && j.equal(to, step.State)
			return !found
		})
		if !found {
			return fmt.Errorf("step %d is not a step of the model", i)
		}
	}
	return nil
}

// enabled returns which classes lead from s to another state, and whether a
// fair one does.
func (j *judge[S]) enabled(s S) (on []bool, fair bool) {
	on = make([]bool, len(j.classes))
	j.next(s, func(a Action, to S) bool {
		if int(a.Class) < len(on) && !j.equal(s, to) {
			on[a.Class] = true
			fair = fair || j.classes[a.Class].Fairness != Unfair
		}
		return true
	})
	return on, fair
}

func (j *judge[S]) isFair(t *Trace[S]) error {
	taken := make([]bool, len(j.classes))
	for i := t.Loop; i < len(t.Steps); i++ {
		if c := int(t.Steps[i].Action.Class); c < len(taken) && !j.equal(t.state(i), t.state(i+1)) {
			taken[c] = true
		}
	}
	always, once := make([]bool, len(j.classes)), make([]bool, len(j.classes))
	for c := range always {
		always[c] = true
	}
	for i := t.Loop; i <= len(t.Steps); i++ {
		on, _ := j.enabled(t.state(i))
		for c := range on {
			always[c], once[c] = always[c] && on[c], once[c] || on[c]
		}
	}
	if err := j.keepsPremises(t); err != nil {
		return err
	}
	for c, class := range j.classes {
		if taken[c] {
			continue
		}
		if class.Fairness == Weak && always[c] || class.Fairness == Strong && once[c] {
			return fmt.Errorf("the cycle is not fair to class %d (%q)", c, class.Name)
		}
	}
	return nil
}

// keepsPremises tells whether the cycle is fair to the constraints that predicates give.
func (j *judge[S]) keepsPremises(t *Trace[S]) error {
	for _, p := range j.premises {
		taken, always, once := false, true, false
		for i := t.Loop; i <= len(t.Steps); i++ {
			on := p.state(t.state(i))
			always, once = always && on, once || on
			if i < len(t.Steps) && !j.equal(t.state(i), t.state(i+1)) {
				taken = taken || p.step(t.state(i), t.Steps[i].Action, t.state(i+1))
			}
		}
		if !taken && (p.fairness == Weak && always || p.fairness == Strong && once) {
			return fmt.Errorf("the cycle is not fair to %q", p.name)
		}
	}
	return nil
}

// violates evaluates the property's own predicates on a behaviour.
func (t *Trace[S]) violates(p Property[S]) bool {
	states := func(from int, pred func(S) bool) (some, all bool) {
		all = true
		for i := from; i <= len(t.Steps); i++ {
			on := pred(t.state(i))
			some, all = some || on, all && on
		}
		return some, all
	}
	someStep := func(pred func(S, Action, S) bool) bool {
		for i := t.Loop; i < len(t.Steps); i++ {
			if pred(t.state(i), t.Steps[i].Action, t.state(i+1)) {
				return true
			}
		}
		return false
	}
	switch p.kind {
	case kindEventuallyAlways:
		_, all := states(t.Loop, p.state)
		return !all
	case kindAlwaysEventually:
		some, _ := states(t.Loop, p.state)
		return !some
	case kindEventuallyNever:
		return someStep(p.step)
	case kindLeadsTo:
		for i := 0; i <= len(t.Steps); i++ {
			// What follows a state of the cycle is the whole cycle.
			answered, _ := states(min(i, t.Loop), p.other)
			if p.state(t.state(i)) && !answered {
				return true
			}
		}
		return false
	case kindNever:
		b := p.behaviour
		if b.Within != nil {
			if _, all := states(t.Loop, b.Within); !all {
				return false
			}
		}
		if b.Visit != nil {
			if some, _ := states(t.Loop, b.Visit); !some {
				return false
			}
		}
		return (b.Avoid == nil || !someStep(b.Avoid)) && (b.Take == nil || someStep(b.Take))
	}
	return false
}
