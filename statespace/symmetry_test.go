package statespace

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// crowd is a model of interchangeable members beside a shared variable. Each
// member acts by the same table, so that permuting members changes nothing.
type crowd struct {
	members int
	initial crowdState
	moves   []crowdMove
	classes []Class
}

const crowdMost = 4

type crowdState struct {
	shared uint8
	local  [crowdMost]uint8
}

// crowdMove lets a member in local state from go to to, when the shared
// variable is as given, and set it.
type crowdMove struct {
	from, to, when, set uint8
	action              Action
}

func (c *crowd) Init(yield func(crowdState) bool) { yield(c.initial) }

func (c *crowd) Next(s crowdState, yield func(Action, crowdState) bool) {
	for i := range c.members {
		for _, m := range c.moves {
			if s.local[i] != m.from || s.shared != m.when {
				continue
			}
			t := s
			t.local[i], t.shared = m.to, m.set
			if !yield(m.action, t) {
				return
			}
		}
	}
}

func (c *crowd) count(local uint8) func(crowdState) int {
	return func(s crowdState) (n int) {
		for _, l := range s.local[:c.members] {
			if l == local {
				n++
			}
		}
		return n
	}
}

// sortedCrowd is crowd with its symmetry.
type sortedCrowd struct{ *crowd }

func (c sortedCrowd) Canonical(s crowdState) crowdState {
	slices.Sort(s.local[:c.members])
	return s
}

func randomCrowd(r *rand.Rand) *crowd {
	c := &crowd{members: 2 + r.IntN(crowdMost-1)}
	for i := range c.members {
		c.initial.local[i] = uint8(r.IntN(2))
	}
	for range 1 + r.IntN(3) {
		c.classes = append(c.classes, Class{Fairness: Fairness(r.IntN(3))})
	}
	for range 2 + r.IntN(8) {
		c.moves = append(c.moves, crowdMove{
			from: uint8(r.IntN(3)), to: uint8(r.IntN(3)), when: uint8(r.IntN(2)), set: uint8(r.IntN(2)),
			action: Action{Class: uint16(r.IntN(len(c.classes))), Label: uint32(r.IntN(3))},
		})
	}
	return c
}

func crowdProperties(r *rand.Rand, c *crowd) []Property[crowdState] {
	few := func() func(crowdState) bool {
		local, bound := c.count(uint8(r.IntN(3))), r.IntN(c.members)
		shared := uint8(r.IntN(3))
		return func(s crowdState) bool { return local(s) <= bound || s.shared == shared }
	}
	step := func(want uint32) func(crowdState, Action, crowdState) bool {
		return func(_ crowdState, a Action, _ crowdState) bool { return a.Label == want }
	}
	return []Property[crowdState]{
		Always("always", few()),
		AtRest("at rest", few()),
		AlwaysStep("always step", func(_ crowdState, a Action, _ crowdState) bool { return a.Label != 1 }),
		Sometimes("sometimes", few()),
		EventuallyAlways("eventually always", few()),
		AlwaysEventually("always eventually", few()),
		EventuallyNever("eventually never", step(2)),
		LeadsTo("leads to", few(), few()),
		Never("never", Behaviour[crowdState]{Within: few(), Avoid: step(0), Visit: few(), Take: step(1)}),
	}
}

func TestSymmetryOnAndOffAgree(t *testing.T) {
	var verdicts [3]int
	for i := range 10_000 / slowdown {
		r := rand.New(rand.NewPCG(uint64(i), 4))
		c := randomCrowd(r)
		props := crowdProperties(r, c)
		o := Options{Classes: c.classes, Workers: 1 + i%2, All: true}
		full, err := Check(t.Context(), c, props, o)
		if err != nil {
			t.Fatalf("seed %d: %v", i, err)
		}
		quotient, err := Check(t.Context(), sortedCrowd{c}, props, o)
		if err != nil {
			t.Fatalf("seed %d: %v", i, err)
		}
		if want := orbits(sortedCrowd{c}); quotient.Stats.States != want {
			t.Errorf("seed %d: %d states, there are %d orbits", i, quotient.Stats.States, want)
		}
		for j, p := range full.Properties {
			q := quotient.Properties[j]
			verdicts[p.Verdict]++
			if p.Verdict != q.Verdict || p.Vacuous != q.Vacuous {
				t.Errorf("seed %d: %s: verdict %d (%s), without symmetry %d", i, p.Name, q.Verdict, q.Reason, p.Verdict)
			}
			if p.Trace != nil && q.Trace != nil && p.Trace.Loop < 0 && len(p.Trace.Steps) != len(q.Trace.Steps) {
				t.Errorf("seed %d: %s: %d steps, without symmetry %d", i, p.Name, len(q.Trace.Steps), len(p.Trace.Steps))
			}
		}
	}
	if verdicts[Holds] < 1000/slowdown || verdicts[Violated] < 1000/slowdown {
		t.Errorf("verdicts are one-sided: %v", verdicts)
	}
}

// orbits counts the canonical forms of what is reachable without symmetry.
func orbits(c sortedCrowd) int {
	seen, forms := map[crowdState]bool{c.initial: true}, map[crowdState]bool{}
	for todo := []crowdState{c.initial}; len(todo) > 0; todo = todo[1:] {
		forms[c.Canonical(todo[0])] = true
		c.Next(todo[0], func(_ Action, s crowdState) bool {
			if !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
			return true
		})
	}
	return len(forms)
}

func TestAPropertyThatTellsMembersApartIsNotDecidedUnderSymmetry(t *testing.T) {
	c := sortedCrowd{&crowd{members: 3, moves: []crowdMove{{from: 0, to: 1}}}}
	for _, p := range []Property[crowdState]{
		// True of canonical forms alone: members are sorted.
		Always("the first is last to move", func(s crowdState) bool { return s.local[0] == 0 || s.local[2] == 1 }),
		AtRest("the first has moved first", func(s crowdState) bool { return s.local[0] >= s.local[1] }),
		AlwaysEventually("the first is not ahead", func(s crowdState) bool { return s.local[0] <= s.local[2] }),
		AlwaysStep("the first is not ahead afterwards", func(from crowdState, _ Action, to crowdState) bool {
			return from.local[0] <= from.local[1] || to.local[0] > 1
		}),
	} {
		r, err := Check(context.Background(), c, []Property[crowdState]{p}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Properties[0]; got.Verdict != Inconclusive || !strings.Contains(got.Reason, "canonical form") {
			t.Errorf("%s: verdict %d with reason %q", p.Name(), got.Verdict, got.Reason)
		}
	}
}

// namedCrowd gives each member a class of its own: fairness to each member is
// not visible in the quotient.
type namedCrowd struct{ sortedCrowd }

func (c namedCrowd) Next(s crowdState, yield func(Action, crowdState) bool) {
	for i := range c.members {
		t := s
		t.local[i] = (s.local[i] + 1) % 3
		if s.local[i] > 0 && s.shared == 0 && !yield(Action{Class: uint16(i)}, t) {
			return
		}
		t = s
		t.local[i] = 1
		if s.local[i] == 0 && !yield(Action{Class: uint16(c.members)}, t) {
			return
		}
	}
}

func TestFairnessToEachMemberIsNotDecidedUnderSymmetry(t *testing.T) {
	c := namedCrowd{sortedCrowd{&crowd{members: 3}}}
	o := Options{Classes: append(class(Weak, "a", "b", "c"), class(Unfair, "start")...)}
	p := LeadsTo("done", func(s crowdState) bool { return s.local[2] > 0 || s.local[1] > 0 || s.local[0] > 0 },
		func(s crowdState) bool { return s.local[0] != 1 && s.local[1] != 1 && s.local[2] != 1 })
	r, err := Check(t.Context(), c, []Property[crowdState]{p}, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Properties[0]; got.Verdict == Holds || got.Verdict == Inconclusive && !strings.Contains(got.Reason, "fairness class") {
		t.Errorf("verdict %d with reason %q", got.Verdict, got.Reason)
	}
}

// ring passes a token round; all positions are one orbit.
type ring struct{ positions uint8 }

type ringState struct{ token, lap uint8 }

func (r ring) Init(yield func(ringState) bool) { yield(ringState{}) }

func (r ring) Next(s ringState, yield func(Action, ringState) bool) {
	yield(Action{}, ringState{(s.token + 1) % r.positions, s.lap})
}

func (r ring) Canonical(s ringState) ringState { return ringState{lap: s.lap} }

// The quotient is one state with a step to itself; the lasso must go round.
func TestALassoOfTheQuotientIsAPathOfTheModel(t *testing.T) {
	m := ring{5}
	moves := func(from ringState, _ Action, to ringState) bool { return from != to }
	for _, f := range []Fairness{Unfair, Weak, Strong} {
		r, err := Check(t.Context(), m, []Property[ringState]{
			EventuallyNever("the token rests", moves),
			Never("stays", Behaviour[ringState]{Avoid: moves}),
			AtRest("rests", func(ringState) bool { return false }),
		}, Options{Classes: []Class{{Fairness: f}}, All: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Stats.States != 1 {
			t.Errorf("%d states, want 1", r.Stats.States)
		}
		tr := r.Properties[0].Trace
		if r.Properties[0].Verdict != Violated || tr.Loop != 0 || len(tr.Steps) != int(m.positions) {
			t.Fatalf("verdict %d (%s), trace %v", r.Properties[0].Verdict, r.Properties[0].Reason, tr)
		}
		for i, s := range tr.Steps {
			if want := uint8(i+1) % m.positions; s.State.token != want {
				t.Errorf("step %d has the token at %d, want %d", i, s.State.token, want)
			}
		}
		// A token that moves on is not at rest, although its orbit stays.
		want := Holds
		if f == Unfair {
			want = Violated
		}
		for _, i := range []int{1, 2} {
			if got := r.Properties[i]; got.Verdict != want {
				t.Errorf("fairness %d: %s: verdict %d (%s), want %d", f, got.Name, got.Verdict, got.Reason, want)
			}
		}
	}
}

// restless has a canonical form whose canonical form is another state.
type restless struct{ ring }

func (r restless) Canonical(s ringState) ringState {
	return ringState{token: (s.token + 1) % r.positions, lap: s.lap}
}

func TestACanonicalFormMustBeItsOwn(t *testing.T) {
	_, err := Check(t.Context(), restless{ring{3}}, []Property[ringState]{Always("true", func(ringState) bool { return true })}, Options{})
	if err == nil || !strings.Contains(err.Error(), "Canonical") {
		t.Errorf("error %v", err)
	}
}

func TestTwoPhaseCommitTraceUnderSymmetryNamesRealManagers(t *testing.T) {
	m := symmetricTwoPhase{twoPhase{4}}
	r, err := Check(t.Context(), m, []Property[twoPhaseState]{
		Always("manager never commits", func(s twoPhaseState) bool { return !slices.Contains(s.rm[:4], committed) }),
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Four prepare, four messages are received, the decision, one commits.
	if got := r.Properties[0]; got.Verdict != Violated || len(got.Trace.Steps) != 10 {
		t.Errorf("verdict %d, %s", got.Verdict, fmt.Sprint(got.Trace))
	}
}

// crowdVectors is sortedCrowd behind the second door: one component for the
// shared variable and one for each member.
type crowdVectors struct {
	sortedCrowd
	components *Components
}

func (c crowdVectors) Components() *Components { return c.components }

func (c crowdVectors) Width() int { return 1 + c.members }

func (c crowdVectors) encode(s crowdState) []ID {
	ids := []ID{c.components.Intern([]byte{'s', s.shared})}
	for _, l := range s.local[:c.members] {
		ids = append(ids, c.components.Intern([]byte{l}))
	}
	return ids
}

func (c crowdVectors) decode(ids []ID) (s crowdState) {
	s.shared = c.components.Bytes(ids[0])[1]
	for i, id := range ids[1:] {
		s.local[i] = c.components.Bytes(id)[0]
	}
	return s
}

func (c crowdVectors) Init(yield func([]ID) bool) {
	c.sortedCrowd.Init(func(s crowdState) bool { return yield(c.encode(s)) })
}

func (c crowdVectors) Next(ids []ID, yield func(Action, []ID) bool) {
	c.sortedCrowd.Next(c.decode(ids), func(a Action, s crowdState) bool { return yield(a, c.encode(s)) })
}

// Canonical sorts by content: ids have no order.
func (c crowdVectors) Canonical(ids []ID) {
	slices.SortFunc(ids[1:], func(a, b ID) int { return bytes.Compare(c.components.Bytes(a), c.components.Bytes(b)) })
}

func (c crowdVectors) property(p Property[crowdState]) Property[[]ID] {
	state := func(f func(crowdState) bool) func([]ID) bool {
		if f == nil {
			return nil
		}
		return func(ids []ID) bool { return f(c.decode(ids)) }
	}
	step := func(f func(crowdState, Action, crowdState) bool) func([]ID, Action, []ID) bool {
		if f == nil {
			return nil
		}
		return func(from []ID, a Action, to []ID) bool { return f(c.decode(from), a, c.decode(to)) }
	}
	b := p.behaviour
	return Property[[]ID]{
		name: p.name, kind: p.kind, state: state(p.state), other: state(p.other), step: step(p.step),
		behaviour: Behaviour[[]ID]{Within: state(b.Within), Avoid: step(b.Avoid), Visit: state(b.Visit), Take: step(b.Take)},
	}
}

func TestBothDoorsAgreeUnderSymmetry(t *testing.T) {
	for i := range 2_000 / slowdown {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		v := crowdVectors{sortedCrowd{randomCrowd(r)}, NewComponents()}
		for range r.IntN(6) {
			v.components.Intern([]byte{byte(r.IntN(3))})
		}
		props := crowdProperties(r, v.crowd)
		var vectorProps []Property[[]ID]
		for _, p := range props {
			vectorProps = append(vectorProps, v.property(p))
		}
		o := Options{Classes: v.classes, Workers: 1 + i%3, All: true}
		structs, err := Check(t.Context(), v.sortedCrowd, props, o)
		if err != nil {
			t.Fatalf("seed %d: %v", i, err)
		}
		vectors, err := CheckVectors(t.Context(), v, vectorProps, o)
		if err != nil {
			t.Fatalf("seed %d: %v", i, err)
		}
		for j, p := range structs.Properties {
			q := vectors.Properties[j]
			var text []crowdState
			if q.Trace != nil {
				text = append(text, v.decode(q.Trace.Init))
				for _, s := range q.Trace.Steps {
					text = append(text, v.decode(s.State))
				}
			}
			var want []crowdState
			if p.Trace != nil {
				want = append(want, p.Trace.Init)
				for _, s := range p.Trace.Steps {
					want = append(want, s.State)
				}
			}
			if p.Verdict != q.Verdict || !slices.Equal(text, want) {
				t.Errorf("seed %d: %s: verdict %d by %v, structs %d by %v", i, p.Name, q.Verdict, text, p.Verdict, want)
			}
		}
		ends, stats, err := TerminalVectors(t.Context(), v, o)
		if err != nil || stats.States != structs.Stats.States {
			t.Fatalf("seed %d: %+v, %v", i, stats, err)
		}
		for _, e := range ends {
			s := v.decode(e)
			if v.Canonical(e); v.decode(e) != s {
				t.Errorf("seed %d: %v is not canonical", i, s)
			}
			v.sortedCrowd.Next(s, func(_ Action, to crowdState) bool {
				if to != s {
					t.Errorf("seed %d: %v is not terminal: it leads to %v", i, s, to)
				}
				return true
			})
		}
	}
}
