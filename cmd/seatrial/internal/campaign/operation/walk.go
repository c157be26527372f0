package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

var _ = register(phase{name: "walks", order: 15, plan: (*maker).walk})

const (
	// walkMisses is how often nothing is found before a walk gives up.
	walkMisses = 200
	// walkEach is how many operations walks have for each property: where the focus is on few, more of
	// them would only do the same again.
	walkEach = 50
)

// walk plans random operations until there are enough: mostly changes, some removals, few
// misoperations with their repairs. Each sequence goes on where the one before it was left.
func (m *maker) walk() {
	var some []*property
	for _, p := range m.properties {
		if p.in(own) || p.in(part) {
			some = append(some, p)
		}
	}
	if len(some) == 0 {
		return
	}
	m.next()
	defer func(end int) { m.end = end }(m.end)
	m.end = min(m.end, m.count+walkEach*len(some))
	for misses := 0; misses < walkMisses && !m.full(); {
		p := some[m.random.IntN(len(some))]
		class := value.Change
		switch n := m.random.IntN(10); {
		case n < 2:
			class = value.Removal
		case n < 3:
			class = value.Misoperation
		}
		if m.any(p, class, m.random.Uint64()) {
			misses = 0
		} else {
			misses++
		}
	}
}

// any plans a random case of a property; the same for the same number and state.
func (m *maker) any(p *property, class value.Class, number uint64) bool {
	return m.group(func() []*draft {
		path, cases := m.cases(p, m.now)
		var some []value.Case
		for _, c := range cases {
			if c.Class == class {
				some = append(some, c)
			}
		}
		if len(some) == 0 {
			return nil
		}
		d := m.draft(p, path, some[number%uint64(len(some))], m.now)
		if d == nil || d.Refused != "" {
			return nil
		}
		m.step(d)
		if class != value.Misoperation {
			return []*draft{d}
		}
		repair := m.repair(d)
		if repair == nil {
			m.forget([]*draft{d})
			return nil
		}
		return []*draft{d, m.step(repair)}
	})
}
