package statespace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"
)

func TestBothDoorsGiveTheSameResult(t *testing.T) {
	inParallel(6_000/slowdown, func(i, _ int) {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		m := randomTable(r, 40)
		props := properties(tableClaims(r, m))
		o := Options{Classes: m.classes, Workers: 1 + i%3, All: i%2 == 0, MaxDepth: r.IntN(2) * r.IntN(6)}
		structs, err := Check(context.Background(), m, props, o)
		if err != nil {
			t.Errorf("seed %d: %v", i, err)
		}
		v := newTableVectors(m, r)
		var vectorProps []Property[[]ID]
		for _, p := range props {
			vectorProps = append(vectorProps, v.property(p))
		}
		vectors, err := CheckVectors(context.Background(), v, vectorProps, o)
		if err != nil {
			t.Errorf("seed %d: %v", i, err)
		}
		structs.Stats.BytesPerState = 0
		if got := v.translate(vectors); !reflect.DeepEqual(got, structs) {
			t.Errorf("seed %d: vectors\n%+v\nstructs\n%+v", i, got, structs)
		}
	})
}

// wide has levels that are many chunks wide, violations of every kind and
// cycles.
type wide struct{ twoPhase }

func (m wide) Next(s twoPhaseState, yield func(Action, twoPhaseState) bool) {
	m.twoPhase.Next(s, func(a Action, t twoPhaseState) bool {
		a.Class = uint16(a.Label >> 8 % 3)
		return yield(a, t)
	})
	// Once all are done they start again.
	for _, r := range s.rm[:m.managers] {
		if r != aborted {
			return
		}
	}
	yield(Action{Class: 3}, twoPhaseState{})
}

func (m wide) properties() []Property[twoPhaseState] {
	several := func(kind uint8, n int) func(twoPhaseState) bool {
		return func(s twoPhaseState) bool {
			found := 0
			for _, r := range s.rm[:m.managers] {
				if r == kind {
					found++
				}
			}
			return found >= n
		}
	}
	return []Property[twoPhaseState]{
		Always("consistent", m.consistent),
		Always("never three aborted", func(s twoPhaseState) bool { return !several(aborted, 3)(s) }),
		AtRest("committed", several(committed, m.managers)),
		AlwaysStep("no late receipt", func(s twoPhaseState, a Action, _ twoPhaseState) bool { return a.Label>>8 != 2 || s.received == 0 }),
		Sometimes("all committed", several(committed, m.managers)),
		SometimesStep("abort received", func(_ twoPhaseState, a Action, _ twoPhaseState) bool { return a.Label>>8 == 6 }),
		LeadsTo("prepared are decided", several(prepared, m.managers), several(committed, m.managers)),
		AlwaysEventually("committed", several(committed, 1)),
		EventuallyAlways("aborted", several(aborted, m.managers)),
		EventuallyNever("commits", func(_ twoPhaseState, a Action, _ twoPhaseState) bool { return a.Label>>8 == 5 }),
	}
}

func TestAnyNumberOfWorkersGivesTheSameResult(t *testing.T) {
	m := wide{twoPhase{6 - min(1, slowdown/2)}}
	classes := append(class(Weak, "decide", "prepare"), class(Strong, "receive")...)
	classes = append(classes, class(Unfair, "again")...)
	for _, o := range []Options{
		{All: true, Labels: 1 << 11}, {}, {All: true, MaxStates: 20_011, Labels: 1 << 11}, {All: true, MaxMemory: 2 << 20}, {All: true, MaxDepth: 11}, {MaxStates: 777, All: true},
	} {
		t.Run(fmt.Sprintf("states %d memory %d depth %d all %v", o.MaxStates, o.MaxMemory, o.MaxDepth, o.All), func(t *testing.T) {
			o.Classes = classes
			var first Result[twoPhaseState]
			for i, workers := range []int{1, 2, 3, 8} {
				o.Workers = workers
				r, err := Check(t.Context(), m, m.properties(), o)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = r
					t.Logf("%+v", r.Stats)
					continue
				}
				if !reflect.DeepEqual(r, first) {
					t.Errorf("%d workers:\n%+v\n1 worker:\n%+v", workers, r, first)
				}
			}
		})
	}
}

func TestRandomModelsGiveTheSameResultWithAnyNumberOfWorkers(t *testing.T) {
	for i := range 1_500 / slowdown {
		r := rand.New(rand.NewPCG(uint64(i), 6))
		m := randomTable(r, 300)
		props := properties(tableClaims(r, m))
		o := Options{Classes: m.classes, All: i%2 == 0, MaxStates: r.IntN(2) * r.IntN(200), Workers: 1, Labels: r.IntN(9)}
		first, err := Check(t.Context(), m, props, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, o.Workers = range []int{2, 8} {
			again, err := Check(t.Context(), m, props, o)
			if err != nil || !reflect.DeepEqual(first, again) {
				t.Errorf("seed %d: %d workers: %v\n%+v\n1 worker:\n%+v", i, o.Workers, err, again, first)
			}
		}
	}
}

// cancelling cancels its context at the n-th call of Next.
type cancelling struct {
	twoPhase
	calls  chan struct{}
	cancel context.CancelFunc
}

func (m cancelling) Next(s twoPhaseState, yield func(Action, twoPhaseState) bool) {
	select {
	case <-m.calls:
	default:
		m.cancel()
	}
	m.twoPhase.Next(s, yield)
}

func TestCancellingAtAnyPointIsAPartialResult(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	before := runtime.NumGoroutine()
	for i := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		m := cancelling{twoPhase{5}, make(chan struct{}, 9000), cancel}
		for range r.IntN(8_800) {
			m.calls <- struct{}{}
		}
		props := []Property[twoPhaseState]{
			Always("consistent", m.consistent),
			Always("none aborted", func(s twoPhaseState) bool { return s.rm[0] != aborted }),
			LeadsTo("decided", func(s twoPhaseState) bool { return s.rm[0] == working }, func(s twoPhaseState) bool { return s.rm[0] != working }),
			Sometimes("never", func(twoPhaseState) bool { return false }),
		}
		got, err := Check(ctx, m, props, Options{Workers: 1 + i%4, All: true})
		cancel()
		if err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
		if got.Stats.Complete || got.Stats.Reason != "cancelled: context canceled" {
			t.Errorf("run %d: complete %v, reason %q", i, got.Stats.Complete, got.Stats.Reason)
		}
		for j, p := range got.Properties {
			if p.Verdict == Holds || p.Verdict == Violated && (j != 1 || p.Trace == nil) || p.Verdict == Inconclusive && p.Reason == "" {
				t.Errorf("run %d: %+v", i, p)
			}
		}
	}
	// A goroutine whose work is done may take a moment to go.
	after := runtime.NumGoroutine()
	for range 5_000_000 {
		if after <= before {
			break
		}
		runtime.Gosched()
		after = runtime.NumGoroutine()
	}
	if after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

func TestADeadlineThatHasPassed(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	m := twoPhase{3}
	r, err := Check(ctx, m, []Property[twoPhaseState]{Always("consistent", m.consistent)}, Options{})
	if err != nil || r.Properties[0].Verdict != Inconclusive || r.Stats.Reason != "cancelled: context deadline exceeded" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBudgetsAreKept(t *testing.T) {
	m := twoPhase{6}
	property := Always("consistent", m.consistent)
	live := LeadsTo("decided", m.consistent, func(s twoPhaseState) bool { return s.rm[0] > prepared })
	for _, o := range []Options{
		{MaxMemory: 1}, {MaxMemory: 1 << 10}, {MaxMemory: 1 << 15}, {MaxMemory: 1 << 20}, {MaxStates: 1}, {MaxStates: 50_815}, {MaxDepth: 1}, {MaxDepth: 19},
	} {
		for _, props := range [][]Property[twoPhaseState]{{property}, {live}} {
			r, err := Check(t.Context(), m, props, o)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Stats
			if s.Complete || s.Reason == "" || r.Properties[0].Verdict != Inconclusive || r.Properties[0].Reason != s.Reason {
				// The state at rest in which nobody decides is found early.
				if r.Properties[0].Verdict != Violated || props[0].Name() != "decided" {
					t.Errorf("%+v: %+v", o, r)
				}
			}
			if o.MaxStates > 0 && s.States > o.MaxStates || o.MaxDepth > 0 && s.Levels > o.MaxDepth+1 {
				t.Errorf("%+v: %+v", o, s)
			}
			if used := s.BytesPerState * float64(s.States); o.MaxMemory > 0 && used > float64(o.MaxMemory) {
				t.Errorf("%d bytes allowed, %.0f used", o.MaxMemory, used)
			}
		}
	}
	r, err := Check(t.Context(), m, []Property[twoPhaseState]{property}, Options{MaxMemory: 64 << 20, MaxStates: 50_816, MaxDepth: 20})
	if err != nil || r.Properties[0].Verdict != Holds {
		t.Errorf("budgets that suffice: %+v, %v", r, err)
	}
}
