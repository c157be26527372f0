package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

var _ = register(phase{name: "removals", order: 3, share: 25, plan: func(m *maker) { m.removals(own) }})

// removals plans one removal of each property.
func (m *maker) removals(r rank) { m.once("removals", r, func(p *property) { m.trip(p) }) }

// trip plans one removal that was not tried. What is not there is added first, and
// changed the first time; of what is there something is removed as it is.
func (m *maker) trip(p *property) bool {
	changes := 2
	if m.visited[visit{p, "trip"}] {
		changes = 1
	}
	m.visited[visit{p, "trip"}] = true
	return m.group(func() []*draft {
		from := m.now
		if v, _ := at(map[string]any(from.stored), p.place(map[string]any(from.stored))); !hollow(v) {
			all := m.switched(p)
			if d := m.chosen(p, value.Removal, p.has); d != nil {
				return append(all, d)
			}
			m.forget(all)
			m.now = from
		}
		for n := changes; n > 0; n-- {
			if all := m.there(p, n); all != nil {
				return all
			}
			m.now = from
		}
		return nil
	})
}

// there is a way of n changes and a removal; nil if there is none.
func (m *maker) there(p *property, n int) []*draft {
	all := m.switched(p)
	last := ""
	for range n {
		if d := m.chosen(p, value.Change, func(name string) bool { return name == last || name == "empty" }); d != nil {
			all, last = append(all, d), d.Case
		}
	}
	d := m.chosen(p, value.Removal, p.has)
	if d == nil || last == "" {
		if d != nil {
			all = append(all, d)
		}
		m.forget(all)
		return nil
	}
	return append(all, d)
}

// hollow tells that there is nothing in a value that could be missed.
func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == ""
}
