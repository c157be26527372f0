package statespace

import (
	"testing"
)

// clocked counts to 3 and back to 0, with a clock beside it that counts all steps up to a bound: of the states only the
// counter is seen.
type clocked struct {
	components *Components
	most       byte
}

func (m clocked) Components() *Components { return m.components }
func (m clocked) Width() int              { return 2 }

func (m clocked) state(counter, clock byte) []ID {
	return []ID{m.components.Intern([]byte{'n', counter}), m.components.Intern([]byte{'t', clock})}
}

func (m clocked) Init(yield func([]ID) bool) { yield(m.state(0, 0)) }

func (m clocked) Next(v []ID, yield func(Action, []ID) bool) {
	counter, clock := m.components.Bytes(v[0])[1], m.components.Bytes(v[1])[1]
	if clock < m.most {
		yield(Action{Label: uint32(counter)}, m.state((counter+1)%4, clock+1))
	}
}

// viewed is clocked with a view.
type viewed struct{ clocked }

func (m viewed) View(v, to []ID) []ID { return append(to, v[0]) }

func TestStatesThatLookTheSameAreOne(t *testing.T) {
	m := clocked{components: NewComponents(), most: 100}
	never := func(counter byte) Property[[]ID] {
		return Always("below", func(v []ID) bool { return m.components.Bytes(v[0])[1] != counter })
	}
	for workers := 1; workers <= 3; workers++ {
		o := Options{Workers: workers, All: true}
		whole, err := CheckVectors(t.Context(), m, []Property[[]ID]{never(9)}, o)
		if err != nil || whole.Stats.States != 101 {
			t.Errorf("without a view: %d states, %v; want 101", whole.Stats.States, err)
		}
		r, err := CheckVectors(t.Context(), viewed{m}, []Property[[]ID]{never(3), never(9)}, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Stats.States != 4 || r.Stats.Levels != 4 || !r.Stats.Complete {
			t.Errorf("with a view: %+v; want 4 states on 4 levels", r.Stats)
		}
		if p := r.Properties[0]; p.Verdict != Violated || len(p.Trace.Steps) != 3 {
			t.Errorf("what the view shows: %+v; want violated after 3 steps", p)
		}
		if p := r.Properties[1]; p.Verdict != Holds {
			t.Errorf("what is not so: %+v", p)
		}
	}
}

// TestCyclesThatLookClosed: where what the view hides runs on, a cycle ends in a state that looks like the one in which
// it began.
func TestCyclesThatLookClosed(t *testing.T) {
	m := viewed{clocked{components: NewComponents(), most: 100}}
	never := AlwaysEventually("nine", func(v []ID) bool { return m.components.Bytes(v[0])[1] == 9 })
	o := Options{Classes: []Class{{Name: "clock", Fairness: Weak}}}
	r, err := CheckVectors(t.Context(), m, []Property[[]ID]{never}, o)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Properties[0]
	if p.Verdict != Violated || p.Trace.Loop < 0 || p.Trace.Loop+4 != len(p.Trace.Steps) {
		t.Errorf("%+v; want violated by a cycle of 4 steps", p)
	}
	m.most = 6 // the cycle cannot be gone through often enough: what the view shows is not so
	if r, err = CheckVectors(t.Context(), m, []Property[[]ID]{never}, o); err != nil || r.Properties[0].Verdict != Inconclusive {
		t.Errorf("%+v, %v; want inconclusive", r.Properties, err)
	}
}

// waiting is one state that stays, by a step that passes time and by one that stands for there being none. Its level is
// seen, up to a bound.
type waiting struct {
	clocked
	level *int
}

func (m waiting) Level(n int) { *m.level = n + 1 }

func (m waiting) Next(v []ID, yield func(Action, []ID) bool) {
	if *m.level < 5 && !yield(Action{Label: 1}, v) {
		return
	}
	yield(Action{Label: 2}, v)
}

func (m waiting) View(v, to []ID) []ID {
	return append(to, v[0], m.components.Intern([]byte{'l', byte(*m.level)}))
}

func (m waiting) Passes(a Action) bool { return a.Label == 1 }

// TestStepsThatPassTime: where the level is seen, a state is another one later.
func TestStepsThatPassTime(t *testing.T) {
	m := waiting{clocked{components: NewComponents()}, new(int)}
	late := Always("early", func([]ID) bool { return *m.level < 3 })
	r, err := CheckVectors(t.Context(), m, nil, Options{})
	if err != nil || r.Stats.States != 5 || r.Stats.Levels != 5 || !r.Stats.Complete {
		t.Errorf("%+v, %v; want 5 states on 5 levels", r.Stats, err)
	}
	r, err = CheckVectors(t.Context(), m, []Property[[]ID]{late}, Options{})
	if err != nil || r.Properties[0].Verdict != Violated || len(r.Properties[0].Trace.Steps) != 3 {
		t.Errorf("%+v, %v; want violated after 3 steps", r.Properties, err)
	}
	// With the graph of a property about whole behaviours, too.
	r, err = CheckVectors(t.Context(), m, []Property[[]ID]{AlwaysEventually("zero", func(v []ID) bool { return m.components.Bytes(v[0])[1] == 0 })}, Options{})
	if err != nil || r.Stats.States != 5 || r.Properties[0].Verdict != Holds {
		t.Errorf("%+v, %v; want 5 states, and that it holds", r, err)
	}
}
