package statespace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// counter counts to its limit; a fault can be planted in each of its parts.
type counter struct {
	limit uint32
	// panicAt is the state in which Next panics, classAt one whose step has a
	// class that does not exist.
	panicAt, classAt uint32
	canonicalPanic   bool
	initPanic        bool
	// flicker, if set, makes every second call of Next yield something else.
	flicker *atomic.Uint32
}

type counterState struct{ n uint32 }

var errPlanted = errors.New("planted")

func (c counter) Init(yield func(counterState) bool) {
	if c.initPanic {
		panic(errPlanted)
	}
	yield(counterState{1})
}

func (c counter) Next(s counterState, yield func(Action, counterState) bool) {
	if s.n == c.panicAt {
		panic(errPlanted)
	}
	a := Action{Label: s.n}
	if s.n == c.classAt {
		a.Class = 9
	}
	step := uint32(1)
	if c.flicker != nil && c.flicker.Add(1) > c.limit {
		step = 2
	}
	if s.n < c.limit {
		yield(a, counterState{s.n + step})
	}
}

// symmetricCounter has a canonical form that may panic.
type symmetricCounter struct{ counter }

func (c symmetricCounter) Canonical(s counterState) counterState {
	if c.canonicalPanic && s.n == 5 {
		panic(errPlanted)
	}
	return s
}

func below(n uint32) Property[counterState] {
	return Always("below", func(s counterState) bool { return s.n < n })
}

func TestAFaultOfTheModelNamesWhereItIs(t *testing.T) {
	panics := func(s counterState) bool {
		if s.n == 5 {
			panic(errPlanted)
		}
		return true
	}
	panicsAtRest := func(s counterState) bool { panic(errPlanted) }
	stepPanics := func(s counterState, _ Action, _ counterState) bool { return panics(s) }
	for _, c := range []struct {
		name     string
		model    Model[counterState]
		property Property[counterState]
		op       string
		state    string
		path     int
		panicked bool
	}{
		{"Next panics", counter{limit: 9, panicAt: 5}, below(99), "Next", "{n:5}", 4, true},
		{"Init panics", counter{limit: 9, initPanic: true}, below(99), "Init", "", 0, true},
		{"a class does not exist", counter{limit: 9, classAt: 5}, below(99), "Next", "{n:5}", 4, false},
		{"Canonical panics", symmetricCounter{counter{limit: 9, canonicalPanic: true}}, below(99), "Canonical", "{n:5}", 3, true},
		{"a state predicate panics", counter{limit: 9}, Always("p", panics), `property "p"`, "{n:5}", 4, true},
		{"a liveness predicate panics", counter{limit: 9}, EventuallyAlways("p", panics), `property "p"`, "{n:5}", 4, true},
		{"a predicate at rest panics", counter{limit: 9}, AtRest("p", panicsAtRest), `property "p"`, "{n:9}", 8, true},
		{"a step predicate panics", counter{limit: 9}, AlwaysStep("p", stepPanics), `property "p"`, "{n:5}", 4, true},
		{"a liveness step predicate panics", counter{limit: 9}, EventuallyNever("p", stepPanics), `property "p"`, "{n:5}", 4, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				r, err := Check(t.Context(), c.model, []Property[counterState]{c.property}, Options{Classes: class(Weak, "count"), Workers: workers})
				var fault *ModelError
				if !errors.As(err, &fault) {
					t.Fatalf("error %v", err)
				}
				if fault.Op != c.op || fault.State != c.state || len(fault.Path) != c.path || errors.Is(err, errPlanted) != c.panicked {
					t.Errorf("%v\n%+v", err, fault)
				}
				if p := r.Properties[0]; p.Verdict != Inconclusive || p.Reason != "the model failed" || r.Stats.Complete {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

func TestWhatWasFoundBeforeAFaultIsKept(t *testing.T) {
	r, err := Check(t.Context(), counter{limit: 9, panicAt: 5}, []Property[counterState]{below(4), below(99)}, Options{All: true})
	if err == nil || r.Properties[0].Verdict != Violated || len(r.Properties[0].Trace.Steps) != 3 || r.Properties[1].Verdict != Inconclusive {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestANondeterministicNextIsFoundOut(t *testing.T) {
	// The calls up to the violation yield one thing, those of the re-execution
	// another.
	m := counter{limit: 9, flicker: new(atomic.Uint32)}
	r, err := Check(t.Context(), m, []Property[counterState]{below(9)}, Options{Workers: 1})
	var fault *ModelError
	if !errors.As(err, &fault) || fault.Op != "Next" || fault.State != "{n:2}" || len(fault.Path) != 1 {
		t.Errorf("error %v", err)
	}
	if p := r.Properties[0]; p.Verdict != Inconclusive || p.Reason == "" || p.Trace != nil {
		t.Errorf("%+v", p)
	}
}

type noStart struct{ counter }

func (noStart) Init(func(counterState) bool) {}

func TestAModelWithoutInitialStateIsAnError(t *testing.T) {
	r, err := Check(t.Context(), noStart{}, []Property[counterState]{below(9)}, Options{})
	if err == nil || r.Properties[0].Verdict != Inconclusive {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestOptionsAndPropertiesAreChecked(t *testing.T) {
	for _, o := range []Options{{Workers: -1}, {MaxStates: -1}, {MaxMemory: -1}, {MaxDepth: -1}, {Classes: []Class{{Fairness: 7}}}, {Classes: make([]Class, 1<<15+1)}} {
		if _, err := Check(t.Context(), counter{limit: 3}, []Property[counterState]{below(9)}, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	for _, p := range []Property[counterState]{
		{}, Always[counterState]("nil", nil), AlwaysStep[counterState]("nil", nil), LeadsTo("nil", func(counterState) bool { return true }, nil),
	} {
		if _, err := Check(t.Context(), counter{limit: 3}, []Property[counterState]{p}, Options{}); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

// quitting ends the goroutine that calls it in one state.
type quitting struct{ counter }

func (q quitting) Init(yield func(counterState) bool) {
	for n := range q.limit {
		if !yield(counterState{n + 1}) {
			return
		}
	}
}

func (q quitting) Next(s counterState, yield func(Action, counterState) bool) {
	if s.n == q.panicAt {
		runtime.Goexit()
	}
	q.counter.Next(s, yield)
}

// A test's FailNow inside a model must neither hang nor pass as a result.
func TestAModelThatEndsItsGoroutineIsFoundOut(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		returned := make(chan error, 1)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, err := Check(context.Background(), quitting{counter{limit: 5_000, panicAt: 4_000}}, []Property[counterState]{below(9_999)}, Options{Workers: workers})
			returned <- err
		}()
		<-ended
		select {
		case err := <-returned:
			var fault *ModelError
			if !errors.As(err, &fault) || fault.State != "{n:4000}" {
				t.Errorf("%d workers: %v", workers, err)
			}
		default:
			// The calling goroutine itself was ended.
		}
	}
}

func TestCancellingWhenAllIsExploredLeavesLivenessOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Check(ctx, counter{limit: 9, panicAt: 99}, []Property[counterState]{
		// The state at rest is the last to be expanded.
		AtRest("cancels", func(counterState) bool { cancel(); return true }),
		EventuallyAlways("ends", func(s counterState) bool { return s.n == 9 }),
	}, Options{Classes: class(Weak, "count")})
	if err != nil || !r.Stats.Complete || !slices.Equal(verdicts(r), []Verdict{Holds, Inconclusive}) || r.Properties[1].Reason != "cancelled: context canceled" {
		t.Errorf("%+v, %v", r, err)
	}
}

// badVectors breaks the contract of the second door in one way.
type badVectors struct {
	components *Components
	width      int
	next       func(v []ID, yield func(Action, []ID) bool)
	canonical  func(v []ID)
}

func (b badVectors) Components() *Components { return b.components }

func (b badVectors) Width() int { return b.width }

func (b badVectors) Init(yield func([]ID) bool) { yield(make([]ID, b.width)) }

func (b badVectors) Next(v []ID, yield func(Action, []ID) bool) { b.next(v, yield) }

func (b badVectors) Canonical(v []ID) {
	if b.canonical != nil {
		b.canonical(v)
	}
}

func TestVectorsThatCannotBeStatesAreRefused(t *testing.T) {
	components := NewComponents()
	one := components.Intern([]byte("zero"))
	components.Intern([]byte("one"))
	step := func(v []ID, yield func(Action, []ID) bool) { yield(Action{}, []ID{1, 1}) }
	for name, m := range map[string]badVectors{
		"too long":            {components: components, width: 2, next: func(v []ID, yield func(Action, []ID) bool) { yield(Action{}, append(v, one)) }},
		"unknown id":          {components: components, width: 2, next: func(v []ID, yield func(Action, []ID) bool) { yield(Action{}, []ID{0, 7}) }},
		"changed":             {components: components, width: 2, next: func(v []ID, yield func(Action, []ID) bool) { v[0] = 1 }},
		"unknown canonical":   {components: components, width: 2, next: step, canonical: func(v []ID) { v[1] = 9 }},
		"unknown initial":     {components: NewComponents(), width: 2, next: step},
		"negative width":      {components: components, width: -1},
		"no components":       {width: 2},
		"goes on after false": {components: components, width: 2, next: func(v []ID, yield func(Action, []ID) bool) { yield(Action{}, nil); yield(Action{}, nil) }},
	} {
		if m.width < 0 {
			m.next = step
		}
		_, err := CheckVectors(t.Context(), m, nil, Options{Workers: 1})
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestModelsThatGoOnAfterFalseAreHarmless(t *testing.T) {
	m := stubborn{counter{limit: 50}}
	r, err := Check(t.Context(), m, []Property[counterState]{below(20)}, Options{MaxStates: 30})
	if err != nil || r.Properties[0].Verdict != Violated || len(r.Properties[0].Trace.Steps) != 19 {
		t.Errorf("%+v, %v", r, err)
	}
}

// stubborn ignores what yield returns.
type stubborn struct{ counter }

func (s stubborn) Init(yield func(counterState) bool) {
	for range 3 {
		yield(counterState{1})
	}
}

func (s stubborn) Next(from counterState, yield func(Action, counterState) bool) {
	for range 3 {
		s.counter.Next(from, yield)
	}
}

// With keys cut to a few bits states are lost, which is what the width of the
// real keys is for; nothing else may go wrong.
func TestKeysThatCollideLoseStatesAndNothingElse(t *testing.T) {
	m := twoPhase{5}
	for _, bits := range []int{1, 4, 8, 10, 12, 16, 24, 40} {
		t.Run(fmt.Sprintf("%d bits", bits), func(t *testing.T) {
			props := []Property[twoPhaseState]{
				Always("consistent", m.consistent),
				LeadsTo("decided", m.consistent, func(s twoPhaseState) bool { return s.rm[0] > prepared }),
			}
			r, err := Check(context.Background(), m, props, Options{All: true, hooks: hooks{keyBits: bits}})
			states := r.Stats.States
			if states > 8_832 || bits < 62 && states > 1<<bits || bits <= 16 && states == 8_832 || bits >= 40 && (states != 8_832 || err != nil) {
				t.Errorf("%d states, %v", states, err)
			}
			t.Logf("%d of 8832 states (%v)", states, err)
		})
	}
}

func TestRandomModelsWithCollidingKeysDoNotCrash(t *testing.T) {
	inParallel(5_000/slowdown, func(i, _ int) {
		r := rand.New(rand.NewPCG(uint64(i), 8))
		m := randomTable(r, 40)
		// The error may be that a trace cannot be re-executed.
		got, err := Check(context.Background(), m, properties(tableClaims(r, m)), Options{Classes: m.classes, All: true, hooks: hooks{keyBits: 1 + i%6}})
		if got.Stats.States == 0 || got.Stats.States > len(m.edges) {
			t.Errorf("seed %d: %d states, %v", i, got.Stats.States, err)
		}
	})
}
