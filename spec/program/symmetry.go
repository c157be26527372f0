package program

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/temporal"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Model returns what is explored: the program, with the view and the symmetry of the configuration.
func (p *Program) Model() statespace.VectorModel {
	switch {
	case p.view != nil && p.view.impure:
		return &timed{viewed{p}}
	case p.view != nil:
		return &viewed{p}
	case p.orders != nil:
		return &sorted{p, p.orders}
	case p.Symmetric():
		return &symmetric{p}
	}
	return p
}

// Symmetric tells whether states that a permutation turns into each other count as one.
func (p *Program) Symmetric() bool {
	return p.view == nil && (p.orders != nil || len(p.permutations) > 1)
}

// Unmoved tells whether a value is the same under all permutations of the configuration's SYMMETRY.
func (p *Program) Unmoved(v value.Value) bool {
	if p.orders != nil {
		for _, set := range p.orders.sets {
			for i := 1; i < len(set); i++ {
				if !value.Same(v, value.Replace(v, map[value.Value]value.Value{set[i-1]: set[i], set[i]: set[i-1]})) {
					return false
				}
			}
		}
	}
	for _, permutation := range p.permutations {
		if !value.Same(v, value.Replace(v, permutation.image)) {
			return false
		}
	}
	return true
}

// viewed is a program of which states are the same if the view is.
type viewed struct{ *Program }

// View implements statespace.VectorViewer.
func (v *viewed) View(state, to []statespace.ID) []statespace.ID {
	f := v.take()
	defer v.release(f)
	f.load(state)
	f.level = v.levelFound()
	return append(to, v.store.ID(v.view.eval(f)))
}

// timed is a program with a view that TLCGet("level") may be in, as where a trace is compared: what changes nothing
// leads on.
type timed struct{ viewed }

// Passes implements statespace.VectorTimedViewer.
func (*timed) Passes(a statespace.Action) bool { return a.Label != Deadlocked }

// symmetric is a program of which states are the same if one of some permutations of model values makes one the other.
type symmetric struct{ *Program }

// permutation replaces model values by others. What it makes of a value is kept by the value's id.
type permutation struct {
	image map[value.Value]value.Value
	ids   value.Numbers
}

// mostPermutations bounds a group that is not of all permutations within some sets: each is tried for each state.
const mostPermutations = 1 << 10

// Canonical implements statespace.VectorCanonicalizer: of all images of a state it takes the one whose components come
// first by their hashes, which depend on the content alone.
func (s *symmetric) Canonical(state []statespace.ID) {
	best := make([]statespace.ID, len(state))
	copy(best, state)
	image := make([]statespace.ID, len(state))
	for i := range s.permutations {
		order := 0
		for j, id := range state {
			image[j] = s.apply(s.permutations[i], id)
			if order == 0 && image[j] != best[j] {
				a, b := s.Components().Hash(image[j]), s.Components().Hash(best[j])
				if order = bytes.Compare(a[:], b[:]); order > 0 {
					break
				}
			}
		}
		if order < 0 {
			copy(best, image)
		}
	}
	copy(state, best)
}

func (s *symmetric) apply(p *permutation, id statespace.ID) statespace.ID {
	if known := p.ids.Get(uint32(id)); known != 0 {
		return statespace.ID(known - 1)
	}
	is := s.store.ID(value.Replace(s.store.Value(id), p.image))
	p.ids.Put(uint32(id), uint32(is)+1)
	return is
}

// symmetry compiles the SYMMETRY of the configuration: sets of functions from model values to model values. The group
// that they generate is what is used.
func (c *compiler) symmetry(top env) {
	p := c.program
	var generators []map[value.Value]value.Value
	var at syntax.Position
	for _, name := range c.config.Symmetry {
		at = name.At
		if b := c.lookup(name, top); b.body != nil {
			if all, ok := c.exchanges(b.body, b.env); ok {
				generators = append(generators, all...)
				continue
			}
		}
		q := c.predicate(name, top)
		set, ok := c.valueOf(node{eval: q.eval, reads: q.reads})
		if !ok || !set.IsSet() {
			fail(name.At, "%s is no set of permutations that could be found before anything is explored", name.Text)
		}
		for _, f := range set.Members() {
			if !f.IsFunction() {
				fail(name.At, "%s has a member that is no function: %s", name.Text, value.Describe(f))
			}
			generators = append(generators, mapping(f))
		}
	}
	if len(generators) == 0 {
		return
	}
	warn := func(why string) {
		p.Warnings = append(p.Warnings, Warning{At: at, Problem: "SYMMETRY is not used, and all states are explored: " + why})
	}
	for _, q := range p.Properties {
		if !temporal.Safe(q.Formula) {
			warn("the property " + q.Name + " is about whole behaviours, and may tell symmetric ones apart")
			return
		}
	}
	if c.config.View.Text != "" {
		warn("there is a VIEW")
		return
	}
	if sets, ok := interchangeable(generators); ok {
		p.orders = newSorter(p.store, sets)
		return
	}
	group, ok := generated(generators)
	if !ok {
		warn(fmt.Sprintf("it has more than %d permutations, and they are not all that there are within some sets", mostPermutations))
		return
	}
	for _, image := range group {
		p.permutations = append(p.permutations, &permutation{image: image})
	}
}

// interchangeable returns the sets within which permutations exchange values in any way, false if they do not allow all
// ways: they do if they have exchanges of two values each that connect all that they connect.
func interchangeable(generators []map[value.Value]value.Value) (sets [][]value.Value, ok bool) {
	two, all := groups{}, groups{}
	for _, g := range generators {
		for from, to := range g {
			all.join(from, to)
			if len(g) == 2 {
				two.join(from, to)
			}
		}
	}
	sets = all.sets()
	members := 0
	for _, set := range sets {
		members += len(set)
	}
	return sets, members > 0 && members <= 1<<8 && slices.EqualFunc(sets, two.sets(), func(a, b []value.Value) bool { return slices.Equal(a, b) })
}

// groups are values that belong together: each has another one of its group, or itself if the group is named by it.
type groups map[value.Value]value.Value

func (g groups) name(v value.Value) value.Value {
	for {
		of, ok := g[v]
		if !ok {
			g[v], of = v, v
		}
		if of == v {
			return v
		}
		v = of
	}
}

func (g groups) join(a, b value.Value) {
	if a, b := g.name(a), g.name(b); a != b {
		g[b] = a
	}
}

// sets returns the groups, in the order of values.
func (g groups) sets() (all [][]value.Value) {
	at := map[value.Value]int{}
	for _, v := range slices.SortedFunc(maps.Keys(g), value.Compare) {
		name := g.name(v)
		i, ok := at[name]
		if !ok {
			i = len(all)
			at[name], all = i, append(all, nil)
		}
		all[i] = append(all[i], v)
	}
	return all
}

func mapping(f value.Value) map[value.Value]value.Value {
	m := map[value.Value]value.Value{}
	items := f.Items()
	for i, from := range value.Domain(f).Members() {
		if from != items[i] {
			m[from] = items[i]
		}
	}
	return m
}

// generated returns the group that permutations generate, false if it is too large.
func generated(generators []map[value.Value]value.Value) (group []map[value.Value]value.Value, ok bool) {
	known := map[string]bool{"": true}
	group = append(group, map[value.Value]value.Value{})
	for i := 0; i < len(group); i++ {
		for _, g := range generators {
			if composed := compose(group[i], g); !known[nameOfMapping(composed)] {
				if len(group) == mostPermutations {
					return nil, false
				}
				known[nameOfMapping(composed)] = true
				group = append(group, composed)
			}
		}
	}
	return group, true
}

// compose is first f, then g.
func compose(f, g map[value.Value]value.Value) map[value.Value]value.Value {
	composed := map[value.Value]value.Value{}
	image := func(m map[value.Value]value.Value, v value.Value) value.Value {
		if to, ok := m[v]; ok {
			return to
		}
		return v
	}
	for _, m := range []map[value.Value]value.Value{f, g} {
		for v := range m {
			if to := image(g, image(f, v)); to != v {
				composed[v] = to
			}
		}
	}
	return composed
}

// nameOfMapping is the same for the same mapping.
func nameOfMapping(m map[value.Value]value.Value) string {
	var domain, items []value.Value
	for v, to := range m {
		domain, items = append(domain, v), append(items, to)
	}
	if len(domain) == 0 {
		return ""
	}
	return value.Format(value.OfPairs(domain, items))
}
