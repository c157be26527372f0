package statespace

import "slices"

// Walk simulates m: choose picks one of n initial states, then again and again
// one of the n successors, numbered from 0 in the order yielded. The walk ends
// after max steps, in a state without successors, or when choose returns a
// number outside 0..n-1 (for the initial state this leaves Init nil). Canonical
// is not applied. A panic of the model reaches the caller, on whose goroutine
// it is.
func Walk(m VectorModel, choose func(n int) int, max int) Trace[[]ID] {
	t := Trace[[]ID]{Loop: -1}
	var starts [][]ID
	m.Init(func(v []ID) bool {
		starts = append(starts, slices.Clone(v))
		return true
	})
	if len(starts) == 0 {
		return t
	}
	first := choose(len(starts))
	if first < 0 || first >= len(starts) {
		return t
	}
	t.Init = starts[first]
	for state := t.Init; len(t.Steps) < max; {
		var steps []Step[[]ID]
		m.Next(slices.Clone(state), func(a Action, to []ID) bool {
			steps = append(steps, Step[[]ID]{Action: a, State: slices.Clone(to)})
			return true
		})
		if len(steps) == 0 {
			break
		}
		next := choose(len(steps))
		if next < 0 || next >= len(steps) {
			break
		}
		t.Steps = append(t.Steps, steps[next])
		state = steps[next].State
	}
	return t
}

// Violates tells whether a finite trace shows that an Always or AlwaysStep property is false, and after how many steps
// for the first time. Other properties are about behaviours without end, and are violated by no finite trace. Before
// the property is asked about a state that is reached by n steps, or about a step to it, level is called with n-1, as a
// VectorLeveler is.
func Violates[S any](p Property[S], t *Trace[S], level func(n int)) (steps int, violated bool) {
	switch p.kind {
	case kindAlways:
		for i := 0; i <= len(t.Steps); i++ {
			if level(i - 1); !p.state(t.state(i)) {
				return i, true
			}
		}
	case kindAlwaysStep:
		for i := range t.Steps {
			if level(i); !p.step(t.state(i), t.Steps[i].Action, t.state(i+1)) {
				return i + 1, true
			}
		}
	}
	return 0, false
}
