package operation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "modes", order: 12, plan: (*maker).modesEntered})

// Bounds of modes: how many there are, how deep in the resource, and at how many properties it is looked for each; how
// many are entered by one operation, and how many operations follow in them; and the part of all operations that these
// may be, in percent.
const (
	modesMost    = 32
	modeDepth    = 3
	modeWidth    = 64
	modesAtOnce  = 4
	modeRows     = 2
	modesPercent = 10
)

// mode is a property that has a few values only, a boolean, an enumeration, or a number that may be 0, which is then
// the value, high in the resource. With another value of it an operator often does other things with other properties:
// a mistake there shows only if one of those is changed meanwhile.
type mode struct {
	*property
	// values are those that are tried, but for the seed's and those that are not taken.
	values []any
	// beside are the properties that it may matter to: those of the same object first.
	beside []*property
}

// inMode is that a property is changed while a mode has a value.
type inMode struct {
	mode, property *property
	value          string
}

// modes are those of a schema, and what is planned in them.
type modes struct {
	all  []*mode
	of   map[*property]*mode
	done map[inMode]bool
	// set are those with another value than the seed's in the sequence that is planned now.
	set map[*mode]string
}

// allModes are the modes of the schema.
func (m *maker) allModes() *modes {
	s := &modes{of: map[*property]*mode{}, done: map[inMode]bool{}, set: map[*mode]string{}}
	numbers := slices.DeleteFunc(slices.Clone(m.byDepth), func(p *property) bool { return !off(p) })
	words := slices.DeleteFunc(slices.Clone(m.byDepth), off)
	for _, p := range slices.Concat(words, numbers) {
		if kind := value.Type(p.Property); len(s.all) == modesMost || !p.in(own) || p.depth() > modeDepth || kind != "boolean" && kind != "enum" && !off(p) || strings.ContainsAny(p.Path, "[{") {
			continue
		}
		one := &mode{property: p}
		path, cases := m.cases(p, m.seed)
		seeds, _ := at(map[string]any(m.seed.stored), path)
		for _, c := range cases {
			if c.Class == value.Change && len(c.Path) == 0 && !equal(c.Value, seeds) && (!off(p) || equal(c.Value, int64(0))) {
				one.values = append(one.values, c.Value)
			}
		}
		if off(p) && len(one.values) == 0 {
			continue
		}
		for _, same := range []bool{true, false} {
			for _, other := range m.byDepth {
				if len(one.beside) < modeWidth && (other.Parent == p.Parent) == same && one.matters(other) {
					one.beside = append(one.beside, other)
				}
			}
		}
		s.all = append(s.all, one)
		s.of[p] = one
	}
	return s
}

// off tells whether a property is a number that may be 0, as its schema says: none of something, for which an operator
// mostly has a way of its own.
func off(p *property) bool { return value.Zero(p.Property, int64(0)) }

// matters tells whether a mode may matter to a property: to one of the same object, and, if the mode is one of the
// whole resource, to any that is as high as modes are.
func (o *mode) matters(p *property) bool {
	if !p.in(own) || p == o.property || value.Type(p.Property) == "object" && p.Kind == "" {
		return false // what is in an object is changed by itself
	}
	return p.Parent == o.Parent || o.depth() < modeDepth && p.depth() <= modeDepth
}

// open tells whether a property was not changed yet while a mode had a value.
func (s *modes) open(o *mode, v string, p *property) bool { return !s.done[inMode{o.property, p, v}] }

// left is how much was not changed yet while a mode had a value; what is in the same object counts twice.
func (s *modes) left(o *mode, v any) (n int) {
	for _, p := range o.beside {
		if s.open(o, fmt.Sprint(v), p) {
			n++
			if p.Parent == o.Parent {
				n++
			}
		}
	}
	return n
}

// most is the value of a mode with which most is left, and how much.
func (s *modes) most(o *mode) (best any, most int) {
	for _, v := range o.values {
		if n := s.left(o, v); n > most {
			best, most = v, n
		}
	}
	return best, most
}

// note remembers what an operation that is planned changes in which modes, and which it sets.
func (s *modes) note(d *draft, seed state) {
	parts := d.parts
	if len(parts) == 0 {
		parts = []*draft{d}
	}
	is := func(o *mode) bool {
		return slices.ContainsFunc(parts, func(part *draft) bool { return part.property == o.property })
	}
	for o, v := range s.set {
		for _, part := range parts {
			if !is(o) && !d.Misoperation && !d.Repairs {
				s.done[inMode{o.property, part.property, v}] = true
			}
		}
	}
	for _, part := range parts {
		o := s.of[part.property]
		if o == nil {
			continue
		}
		delete(s.set, o)
		place := o.place(map[string]any(d.after.stored))
		now, _ := at(map[string]any(d.after.stored), place)
		if before, _ := at(map[string]any(seed.stored), place); !equal(now, before) && !d.Misoperation {
			s.set[o] = fmt.Sprint(now)
		}
	}
}

// modesEntered plans operations that set modes, those first in which most is left, and in them operations that change
// what is left, several properties at once. Most of that the pairs have done, so that it is behind them.
func (m *maker) modesEntered() {
	defer func(end int) { m.end = end }(m.end)
	m.end = min(m.end, m.count+m.Max*modesPercent/100)
	for !m.full() {
		var in *mode
		var v any
		most := 0
		for _, o := range m.modes.all {
			if best, n := m.modes.most(o); n > most {
				in, v, most = o, best, n
			}
		}
		if in == nil {
			return
		}
		planned := m.group(func() []*draft { return m.inside(in) })
		if m.crowded {
			return
		}
		if !planned || m.modes.left(in, v) == most {
			in.values = slices.DeleteFunc(in.values, func(other any) bool { return equal(other, v) })
		}
	}
}

// inside is a way into a mode and others of its object, and then what was not changed in them; nil if there is none.
func (m *maker) inside(in *mode) []*draft {
	set, way := m.enter(in)
	if set[in] == "" {
		m.forget(way)
		return nil
	}
	all := m.together(way)
	if len(way) > 0 && all == nil {
		return nil
	}
	changed, rows := map[*property]bool{}, 0
	for range modeRows {
		from := m.now
		if row := m.together(m.openIn(in, set, changed)); row != nil {
			all = append(all, row...)
			rows++
		} else {
			m.now = from
		}
	}
	if rows == 0 {
		m.forget(all)
		return nil
	}
	return all
}

// enter gives a mode the value with which most is left, and others of its object, as far as they are taken.
func (m *maker) enter(in *mode) (set map[*mode]string, way []*draft) {
	set = map[*mode]string{}
	for _, o := range append([]*mode{in}, m.modes.all...) {
		v, n := m.modes.most(o)
		if set[o] != "" || n == 0 || o.Parent != in.Parent || len(set) == modesAtOnce {
			continue
		}
		stored := map[string]any(m.now.stored)
		if now, _ := at(stored, o.place(stored)); equal(now, v) {
			set[o] = fmt.Sprint(v)
		} else if d := m.valued(o, v); d != nil {
			way = append(way, d)
			set[o] = fmt.Sprint(v)
		}
	}
	return set, way
}

// valued is the operation that gives a mode a value; nil if it is not taken, or changes nothing.
func (m *maker) valued(o *mode, v any) *draft {
	path, cases := m.cases(o.property, m.now)
	i := slices.IndexFunc(cases, func(c value.Case) bool { return c.Class == value.Change && len(c.Path) == 0 && equal(c.Value, v) })
	if i < 0 {
		return nil
	}
	d := m.draft(o.property, path, cases[i], m.now)
	if d == nil || d.Refused != "" {
		return nil
	}
	return m.step(d)
}

// openIn are changes of properties that were not changed yet while one of some modes had its value; those that changed
// has are left out, and what is tried is noted there.
func (m *maker) openIn(in *mode, set map[*mode]string, changed map[*property]bool) (parts []*draft) {
	for _, p := range in.beside {
		some := false
		for o, v := range set {
			some = some || m.modes.open(o, v, p) && o.matters(p)
		}
		if _, is := set[m.modes.of[p]]; is || !some || changed[p] || len(parts) == pairWidth {
			continue
		}
		changed[p] = true
		if d := m.chosen(p, value.Change, nil); d != nil {
			parts = append(parts, d)
		}
	}
	return parts
}
