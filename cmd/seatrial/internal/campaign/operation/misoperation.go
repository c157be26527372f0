package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/trace"
)

var _ = register(phase{name: "misoperations", order: 3, share: 20, plan: func(m *maker) { m.misoperations(own) }})

// misoperations plans one misoperation of each property.
func (m *maker) misoperations(r rank) {
	m.once("misoperations", r, func(p *property) { m.one(p, value.Misoperation) })
}

// repair takes back what a draft did.
func (m *maker) repair(d *draft) *draft {
	var changes []Change
	before := any(map[string]any(d.before.written))
	for _, c := range d.Changes {
		changes = append(changes, c.undo(before))
		if next, err := c.edit(before); err == nil {
			before = next
		}
	}
	slices.Reverse(changes)
	return &draft{property: d.property, before: d.after, after: d.before, Operation: &Operation{
		Property: d.Property, Case: "repaired", Kind: d.Kind, Changes: changes, Repairs: true,
		Name: trace.Printable(d.Property+": repaired, after "+d.Case, false),
	}}
}

var _ = register(phase{name: "what the schema refuses", order: 10, plan: (*maker).refused})

// Bounds of what is planned although the schema refuses it: to see that it does. To find out costs
// more the more properties there are, so it is done only so often.
const (
	refusedTries        = 1000
	refusedMost         = 300
	refusedMostProperty = 4
	refusedLength       = 50
)

// refused plans operations that the schema refuses, one for each property and
// constraint, each on the seed.
func (m *maker) refused() {
	n, tries := 0, 0
	for _, p := range m.properties {
		if !p.in(own) {
			continue
		}
		some := 0
		for i := 0; n < refusedMost && some < refusedMostProperty && tries < refusedTries; i++ {
			// Anew for each, for another draw.
			path, cases := m.cases(p, m.seed)
			if i >= len(cases) {
				break
			}
			c := cases[i]
			if c.Class != value.Misoperation {
				continue
			}
			tries++
			d := m.draft(p, path, c, m.seed)
			if d == nil || d.Refused == "" {
				continue
			}
			if n%refusedLength == 0 {
				m.refusals = append(m.refusals, &Sequence{})
			}
			s := m.refusals[len(m.refusals)-1]
			s.Operations = append(s.Operations, d.Operation)
			p.refused[c.Name] = d.Refused
			m.step(d)
			some++
			n++
		}
	}
	m.now = m.seed
}
