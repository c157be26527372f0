package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

var _ = register(phase{name: "all but one", order: 4, share: 10, plan: (*maker).without})

// without plans, for properties that one object of the seed has beside each other, that each is gone while all others
// are there. Behind other removals those before are gone as well: an operator that looks at the second to do the first
// fails just where it still does the first.
func (m *maker) without() {
	begun := false
	defer func() {
		if begun {
			m.next() // what comes behind it is not to lack anything
		}
	}()
	var last *property
	for _, p := range m.neighbours() {
		key := visit{p, "without"}
		if m.visited[key] {
			continue
		}
		if !begun {
			m.next()
			begun = true
		}
		if m.group(func() []*draft { return m.instead(p, last) }) {
			last = p
		}
		if m.crowded {
			return
		}
		m.visited[key] = true
	}
}

// neighbours are the properties that the seed has beside others of the same object.
func (m *maker) neighbours() (all []*property) {
	var group []*property
	flush := func() {
		if len(group) > 1 {
			all = append(all, group...)
		}
		group = nil
	}
	for _, p := range m.byDepth {
		if !p.in(own) || p.Name == "[]" || p.Name == "{}" {
			continue
		}
		if !m.present(p) {
			continue
		}
		if len(group) > 0 && group[0].Parent != p.Parent {
			flush()
		}
		group = append(group, p)
	}
	flush()
	return all
}

// instead is the operation that takes a property away, with all that is in it, and puts another one back as the seed
// has it; nil if the first is not taken. last is nil for none.
func (m *maker) instead(p, last *property) []*draft {
	d := m.gone(p)
	if d == nil || d.Refused != "" {
		return nil
	}
	parts := []*draft{m.step(d)}
	if back := m.back(last); back != nil {
		parts = append(parts, m.step(back))
	}
	return m.together(parts)
}

// back is the operation that puts a property back as the seed has it; nil if it is there, or for none.
func (m *maker) back(p *property) *draft {
	if p == nil {
		return nil
	}
	path := p.place(map[string]any(m.seed.stored))
	v, _ := at(map[string]any(m.seed.written), path)
	return m.draft(p, path, value.Case{Name: "as it was", Class: value.Change, Value: v}, m.now)
}

// gone is the operation that takes a property away, with all that is in it, whether or not that is taken by itself; nil
// if there is none.
func (m *maker) gone(p *property) *draft {
	path, cases := m.cases(p, m.now)
	for _, c := range cases {
		if c.Class == value.Removal && c.Remove && len(c.Path) == 0 {
			return m.draft(p, path, c, m.now)
		}
	}
	return nil
}

// present tells whether the seed, as it was written, says anything of a property: a default comes back.
func (m *maker) present(p *property) bool {
	seed := map[string]any(m.seed.written)
	v, _ := at(seed, p.place(seed))
	return !hollow(v)
}
