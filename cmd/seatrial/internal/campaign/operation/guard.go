package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

// switched are the operations that a property needs to mean something: what governs it
// is given the value with which it does, each by an operation of its own, the outermost first.
func (m *maker) switched(p *property) []*draft {
	guards := m.Definition.Guards(p.Property)
	slices.Reverse(guards)
	var all []*draft
	for _, g := range guards {
		if d := m.switchOn(p, g); d != nil {
			all = append(all, d)
		}
	}
	return all
}

// switchOn is the operation that gives what governs a property the value with which the property
// counts; nil if it has it.
func (m *maker) switchOn(p *property, guard schema.Guard) *draft {
	g := m.known[guard.Property]
	depth := slices.IndexFunc(p.chain, func(s *schema.Property) bool { return s.Parent == guard.Property.Parent })
	if g == nil || g.left == ignored || depth < 0 {
		return nil
	}
	stored := map[string]any(m.now.stored)
	path := append(slices.Clone(p.place(stored)[:depth]), guard.Property.Name)
	if now, there := at(stored, path); there && now == guard.On || !there && guard.On == false {
		return nil
	}
	name := "switched on"
	if word, is := guard.On.(string); is {
		name = "chosen: " + word
	} else if guard.On == false {
		name = "switched off"
	}
	d := m.draft(g, path, value.Case{Name: name, Value: guard.On}, m.now)
	if d == nil || d.Refused != "" {
		return nil
	}
	return m.step(d)
}
