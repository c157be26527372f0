package temporal

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// table is a model written out: states are numbers, steps are pairs of them with marks.
type table struct {
	components *statespace.Components
	ids        []ID
	edges      [][]edge
	marks      []uint8
	number     map[ID]int
}

type edge struct {
	to    int
	marks uint8
}

func newTable(r *rand.Rand) *table {
	n := 1 + r.IntN(5)
	m := &table{components: statespace.NewComponents(), edges: make([][]edge, n), number: map[ID]int{}}
	for i := range n {
		id := m.components.Intern([]byte{byte(i)})
		m.ids, m.number[id] = append(m.ids, id), i
		m.marks = append(m.marks, uint8(r.IntN(8)))
		for range r.IntN(4) {
			m.edges[i] = append(m.edges[i], edge{r.IntN(n), uint8(r.IntN(8))})
		}
	}
	return m
}

func (m *table) Components() *statespace.Components { return m.components }
func (m *table) Width() int                         { return 1 }
func (m *table) Init(yield func([]ID) bool)         { yield(m.ids[:1]) }

func (m *table) Next(s []ID, yield func(statespace.Action, []ID) bool) {
	for i, e := range m.edges[m.number[s[0]]] {
		if !yield(statespace.Action{Label: uint32(i)}, m.ids[e.to:e.to+1]) {
			return
		}
	}
}

// step tells whether a step from one state to another, which is not itself, has a mark: of a pair of states it is the
// same for every edge.
func (m *table) step(from, to, bit int) bool {
	for _, e := range m.edges[from] {
		if e.to == to && from != to && e.marks>>bit&1 != 0 {
			return true
		}
	}
	return false
}

// tree is a formula in the oracle's terms, and what it is in those of the package.
type tree struct {
	op   byte // 's', 'b' ([A]_v), 'a' (<<A>>_v), '~', '&', '|', 'G', 'F'
	bit  int
	args []tree
}

func draw(r *rand.Rand, depth int) tree {
	if depth == 0 {
		return tree{op: "ss"[r.IntN(2)], bit: r.IntN(3)}
	}
	switch op := "s~&|GFba"[r.IntN(8)]; op {
	case 's':
		return tree{op: 's', bit: r.IntN(3)}
	case 'b': // Conditions on steps stand where TLA+ lets them: [][A]_v and <><<A>>_v.
		return tree{op: 'G', args: []tree{{op: 'b', bit: r.IntN(3)}}}
	case 'a':
		return tree{op: 'F', args: []tree{{op: 'a', bit: r.IntN(3)}}}
	case '&', '|':
		return tree{op: op, args: []tree{draw(r, depth-1), draw(r, depth-1)}}
	default:
		return tree{op: op, args: []tree{draw(r, depth-1)}}
	}
}

func (m *table) formula(t tree) *Formula {
	bit := t.bit
	switch t.op {
	case 's':
		return State(func(s []ID) bool { return m.marks[m.number[s[0]]]>>bit&1 != 0 })
	case 'b':
		return Step(func(from, to []ID) bool { return from[0] == to[0] || m.step(m.number[from[0]], m.number[to[0]], bit) })
	case 'a':
		return Step(func(from, to []ID) bool { return m.step(m.number[from[0]], m.number[to[0]], bit) })
	case '~':
		return Not(m.formula(t.args[0]))
	case '&':
		return And(m.formula(t.args[0]), m.formula(t.args[1]))
	case '|':
		return Or(m.formula(t.args[0]), m.formula(t.args[1]))
	case 'G':
		return Always(m.formula(t.args[0]))
	}
	return Eventually(m.formula(t.args[0]))
}

// lasso is a behaviour: states, and the place that follows the last.
type lasso struct {
	states []int
	loop   int
}

func (l lasso) next(i int) int {
	if i+1 < len(l.states) {
		return i + 1
	}
	return l.loop
}

// holds evaluates a formula by its definition.
func (m *table) holds(t tree, l lasso, i int) bool {
	switch t.op {
	case 's':
		return m.marks[l.states[i]]>>t.bit&1 != 0
	case 'b', 'a':
		from, to := l.states[i], l.states[l.next(i)]
		return m.step(from, to, t.bit) || t.op == 'b' && from == to
	case '~':
		return !m.holds(t.args[0], l, i)
	case '&':
		return m.holds(t.args[0], l, i) && m.holds(t.args[1], l, i)
	case '|':
		return m.holds(t.args[0], l, i) || m.holds(t.args[1], l, i)
	}
	// From i on every place up to the end comes, and those of the loop.
	for j := min(i, l.loop); j < len(l.states); j++ {
		if j >= i || j >= l.loop {
			if m.holds(t.args[0], l, j) != (t.op == 'G') {
				return t.op == 'F'
			}
		}
	}
	return t.op == 'G'
}

// fairness is a premise by a mark of steps.
type fairness struct {
	bit  int
	kind statespace.Fairness
}

func (m *table) possible(s, bit int) bool {
	for _, e := range m.edges[s] {
		if m.step(s, e.to, bit) {
			return true
		}
	}
	return false
}

func (m *table) fair(fs []fairness, l lasso) bool {
	for _, f := range fs {
		taken, always, once := false, true, false
		for i := l.loop; i < len(l.states); i++ {
			on := m.possible(l.states[i], f.bit)
			always, once = always && on, once || on
			taken = taken || m.step(l.states[i], l.states[l.next(i)], f.bit)
		}
		if !taken && (f.kind == statespace.Weak && always || f.kind == statespace.Strong && once) {
			return false
		}
	}
	return true
}

// lassos calls f with every behaviour of up to most states, staying included, until f returns false.
func (m *table) lassos(most int, f func(lasso) bool) {
	var extend func(states []int) bool
	extend = func(states []int) bool {
		last := states[len(states)-1]
		for i, s := range states {
			closes := s == last
			for _, e := range m.edges[last] {
				closes = closes || e.to == s
			}
			if closes && !f(lasso{states, i}) {
				return false
			}
		}
		if len(states) == most {
			return true
		}
		for _, e := range m.edges[last] {
			if !extend(append(states[:len(states):len(states)], e.to)) {
				return false
			}
		}
		return true
	}
	extend([]int{0})
}

// decide returns a behaviour that violates a formula, if there is one.
func (m *table) decide(t *testing.T, f *Formula, fs []fairness) (violation *lasso, direct bool) {
	direct = true
	found := func(trace *statespace.Trace[[]ID]) *lasso {
		l := &lasso{states: []int{m.number[trace.Init[0]]}, loop: trace.Loop}
		for _, s := range trace.Steps {
			l.states = append(l.states, m.number[s.State[0]])
		}
		if trace.Loop >= 0 && trace.Loop < len(trace.Steps) {
			l.states = l.states[:len(l.states)-1]
		}
		return l
	}
	for _, part := range Split("f", f) {
		switch {
		case part.Initial != nil:
			if !part.Initial(m.ids[:1]) {
				return &lasso{states: []int{0}, loop: -1}, true
			}
			continue
		case part.Formula == nil:
			properties := []statespace.Property[[]ID]{part.Property}
			for _, f := range fs {
				properties = append(properties, m.premise(f))
			}
			r, err := statespace.CheckVectors(t.Context(), m, properties, statespace.Options{Workers: 1, All: true})
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Properties[0]; p.Verdict == statespace.Violated {
				return found(p.Trace), true
			}
		default:
			direct = false
			var premises []statespace.Property[[]ID]
			for _, f := range fs {
				premises = append(premises, m.premise(f))
			}
			p, properties, err := Product(m, part.Formula, "f", premises, 1<<32-1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := statespace.CheckVectors(t.Context(), p, properties, statespace.Options{Workers: 1, All: true})
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Properties[0]; p.Verdict == statespace.Violated {
				return found(Unwrap(1, p.Trace)), false
			}
		}
	}
	return nil, direct
}

func (m *table) premise(f fairness) statespace.Property[[]ID] {
	return Premise(1, "fair", f.kind, func(s []ID) bool { return m.possible(m.number[s[0]], f.bit) },
		func(from []ID, _ statespace.Action, to []ID) bool {
			return m.step(m.number[from[0]], m.number[to[0]], f.bit)
		})
}

// TestFormulasAgreeWithTheirDefinition compares, on random models, formulas and fairness, what is decided with the
// definition of a formula on behaviours that are enumerated: one that is shown to violate it does, and
// where none is shown none of those does.
func TestFormulasAgreeWithTheirDefinition(t *testing.T) {
	var violated, held, products int
	for seed := range 20_000 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		m, formula := newTable(r), draw(r, 1+r.IntN(4))
		var fs []fairness
		for range r.IntN(3) {
			fs = append(fs, fairness{r.IntN(3), statespace.Fairness(1 + r.IntN(2))})
		}
		shown, direct := m.decide(t, m.formula(formula), fs)
		if !direct {
			products++
		}
		if shown == nil {
			held++
			m.lassos(6, func(l lasso) bool {
				if m.fair(fs, l) && !m.holds(formula, l, 0) {
					t.Errorf("seed %d: %v holds, but not of %+v", seed, m.formula(formula), l)
					return false
				}
				return true
			})
			continue
		}
		violated++
		if shown.loop >= 0 && (!m.fair(fs, *shown) || m.holds(formula, *shown, 0)) {
			t.Errorf("seed %d: %v: %+v is no fair behaviour that violates it", seed, m.formula(formula), shown)
		}
	}
	t.Logf("violated %d, held %d, by products %d", violated, held, products)
	if violated < 1000 || held < 1000 || products < 1000 {
		t.Error("the draw is one-sided")
	}
}

func TestFormsThatNeedNoProduct(t *testing.T) {
	p := State(func([]ID) bool { return true })
	a := Step(func(_, _ []ID) bool { return true })
	for _, c := range []struct {
		name  string
		f     *Formula
		parts int
	}{
		{"invariance", Always(p), 1},
		{"steps", Always(a), 1},
		{"conjunction", And(Always(p), Always(a), Always(Eventually(p))), 3},
		{"response", LeadsTo(p, p), 1},
		{"persistence", Eventually(Always(p)), 1},
		{"weak fairness", Or(Always(Eventually(p)), Always(Eventually(a))), 1},
		{"strong fairness", Or(Eventually(Always(p)), Always(Eventually(a))), 1},
		{"one implies the other", Implies(Always(Eventually(p)), Always(Eventually(p))), 1},
		{"always always", Always(Always(Eventually(Eventually(p)))), 1},
	} {
		parts := Split("f", c.f)
		if len(parts) != c.parts {
			t.Errorf("%s: %d parts, want %d", c.name, len(parts), c.parts)
		}
		for _, part := range parts {
			if part.Formula != nil {
				t.Errorf("%s needs a product: %v", c.name, part.Formula)
			}
		}
	}
	if parts := Split("f", Eventually(p)); parts[0].Formula == nil {
		t.Error("<>P is decided without a product")
	}
	if fmt.Sprint(LeadsTo(p, p)) == "" {
		t.Error("a formula has no text")
	}
}
