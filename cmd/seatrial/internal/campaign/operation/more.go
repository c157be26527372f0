package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

// Bounds of what is planned behind a plan: other values of one property, and the part of the plan's operations
// that all of them may be.
const (
	moreValues = 2
	moreShare  = 4
	modeShare  = 8 // of what is tried in the resource's modes, and how many these may be at least
	modeLeast  = 4
)

// More plans other values of properties than those that a plan tries of each alone, for those of which it is not
// known yet whether anything comes of them; where none of the texts beside one is there, behind operations that set
// these. To a list another item is added.
func More(o Options, p *Plan, properties []string) ([]*Sequence, error) {
	m, err := newMaker(o)
	if err != nil {
		return nil, err
	}
	m.end = m.Max / moreShare
	m.draws = p.Operations() // what was drawn stands nowhere else
	alone := map[string][]string{}
	for _, s := range p.Sequences {
		for _, op := range s.Operations {
			if len(op.All()) == 1 && !op.Misoperation && !op.Repairs {
				alone[op.Property] = append(alone[op.Property], op.Case)
			}
		}
	}
	for _, property := range m.properties {
		if !slices.Contains(properties, property.Path) {
			continue
		}
		again := func(name string) bool { return name == value.Added }
		property.tried, property.drawn = slices.DeleteFunc(alone[property.Path], again), m.draws
		if m.along(property) {
			continue
		}
		for range moreValues {
			m.one(property, value.Change)
		}
	}
	m.end = m.count + max(m.Max/modeShare, min(m.Max, modeLeast))
	m.inOtherModes(properties)
	return slices.DeleteFunc(m.sequences, func(s *Sequence) bool { return len(s.Operations) == 0 }), nil
}

// inOtherModes plans a change of each of some properties in each mode of the resource: what it means may hang on that.
func (m *maker) inOtherModes(properties []string) {
	for _, mode := range m.properties {
		for _, word := range mode.Property.Modes() {
			m.next()
			for _, p := range m.properties {
				if p == mode || mode.left == ignored || !slices.Contains(properties, p.Path) {
					continue
				}
				p.tried = nil
				m.group(func() []*draft { return m.inMode(p, mode, word) })
			}
		}
	}
}

// inMode are the operations that give the resource a mode, and change a property then; nil if one of them is not taken,
// or it has that mode from the beginning.
func (m *maker) inMode(p, mode *property, word string) (all []*draft) {
	is := func(s state) bool {
		now, _ := at(map[string]any(s.stored), mode.place(map[string]any(s.stored)))
		return now == word
	}
	if is(m.seed) {
		return nil
	}
	if d := m.switchOn(p, schema.Guard{Property: mode.Property, On: word}); d != nil {
		all = append(all, d)
	}
	if !is(m.now) {
		return nil
	}
	all = append(all, m.switched(p)...)
	d := m.chosen(p, value.Change, p.has)
	if d == nil {
		m.forget(all)
		return nil
	}
	return append(all, d)
}
