package operation

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "further items", order: 10, share: 5, plan: (*maker).furtherItems})

// furtherItems plans a change of each part that another item of a list, or key of a map, has than the one in which all
// else is tried: what is done for the first may not be done for those behind it.
func (m *maker) furtherItems() {
	begun := false
	m.once("further items", own, func(p *property) {
		seed := map[string]any(m.seed.stored)
		if p.Name == "[]" || p.Name == "{}" || equal(p.place(seed), p.placed(seed, last)) {
			return
		}
		if !begun {
			m.next()
			begun = true
		}
		m.group(func() []*draft {
			path := p.placed(map[string]any(m.now.stored), last)
			for _, c := range m.allAt(p, path, m.now) {
				if c.Class != value.Change || p.needless(c) {
					continue
				}
				if d := m.draft(p, path, c, m.now); d != nil && d.Refused == "" {
					return []*draft{m.step(d)}
				}
			}
			return nil
		})
	})
	if begun {
		m.next()
	}
}

// last is which of some values has all of a chain of properties, the last of several; where none has, the one with the
// most.
func last(values []any, chain []*schema.Property) int {
	for i := len(values) - 1; i > 0; i-- {
		if reaches(values[i], chain) == len(chain) {
			return i
		}
	}
	return most(values, chain)
}
