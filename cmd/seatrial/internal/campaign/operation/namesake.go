package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "namesakes", order: 10, share: 5, plan: (*maker).namesakes})

// namesakes plans that properties of one name in different objects, what two roles have of the same thing, are both set
// to something that can be told apart: where a line was copied, one of them may go to both. Pairs of properties are
// those of one object.
func (m *maker) namesakes() {
	known := map[*property]bool{}
	for i, p := range m.byDepth {
		if known[p] || !followed(p) {
			continue
		}
		before := p
		for _, other := range m.byDepth[i+1:] {
			if !followed(other) || !schema.Namesakes(p.Property, other.Property) {
				continue
			}
			known[other] = true
			if !m.visited[visit{other, "namesake"}] {
				m.group(func() []*draft { return m.bothSet(before, other) })
				if m.crowded {
					return
				}
				m.visited[visit{other, "namesake"}] = true
			}
			before = other
		}
	}
}

// followed tells whether values of a property can be followed: it is a text or a number of the operator's own.
func followed(p *property) bool {
	return p.in(own) && slices.Contains([]string{"string", "integer"}, p.Schema.Type) && p.Name != "[]" && p.Name != "{}"
}

// bothSet are the operations that set each of two properties to something that can be followed, take the first out, and
// set it again: where one takes the place of the other, that was there before, and can be seen to go. Nil if either is
// not taken.
func (m *maker) bothSet(p, other *property) []*draft {
	one := m.traced(p)
	if one == nil {
		return nil
	}
	all := []*draft{m.step(one)}
	two := m.traced(other)
	if two == nil {
		m.forget(all)
		return nil
	}
	all = append(all, m.step(two))
	gone := m.gone(p)
	if gone == nil {
		return all
	}
	all = append(all, m.step(gone))
	if again := m.traced(p); again != nil {
		all = append(all, m.step(again))
	}
	return all
}

// traced is a change of a property to a value that can be followed; nil if there is none that is taken.
func (m *maker) traced(p *property) *draft {
	path, cases := m.cases(p, m.now)
	i := slices.IndexFunc(cases, func(c value.Case) bool { return c.Class == value.Change && len(c.Sentinels) > 0 })
	if i < 0 {
		return nil
	}
	if d := m.draft(p, path, cases[i], m.now); d != nil && d.Refused == "" {
		return d
	}
	return nil
}
