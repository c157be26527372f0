package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

var _ = register(phase{name: "breadth", order: 1, share: 30, plan: func(m *maker) { m.breadth(own) }})

var _ = register(phase{name: "parts of types of Kubernetes", order: 9, share: 10, plan: func(m *maker) {
	m.breadth(part)
	m.removals(part)
	m.misoperations(part)
}})

var _ = register(phase{name: "what else there is", order: 13, plan: func(m *maker) {
	for _, r := range []rank{own, part} {
		for more := true; more && !m.full(); {
			more = m.round(r, func(p *property) bool { return m.one(p, value.Change) })
			more = m.round(r, m.trip) || more
			more = m.round(r, func(p *property) bool { return m.one(p, value.Misoperation) }) || more
		}
	}
}})

var _ = register(phase{name: "details of types of Kubernetes", order: 14, plan: func(m *maker) {
	m.breadth(detail)
	m.removals(detail)
	m.misoperations(detail)
}})

// breadth plans one change of each property. Nothing else comes behind them in their sequence: at its end the
// operator is started again and the resource deleted, with each property once as the seed does not have it.
func (m *maker) breadth(r rank) {
	before := m.count
	m.once("breadth", r, func(p *property) { m.one(p, value.Change) })
	if m.count > before {
		m.next()
	}
}

// once does something once for each property, those high in the resource first, as long as
// there is room: where what one needs has none, its turn comes when there is more.
func (m *maker) once(phase string, r rank, do func(p *property)) {
	m.crowded = false
	for _, p := range m.byDepth {
		key := visit{p, phase}
		if !p.in(r) || m.visited[key] {
			continue
		}
		do(p)
		if m.crowded {
			return
		}
		m.visited[key] = true
	}
}

// in tells that a property is tried, and of a rank.
func (p *property) in(r rank) bool { return p.left == "" && p.rank == r }

// visit is that a property had its turn in a phase.
type visit struct {
	*property
	phase string
}

// round does something for each property; false if there was nothing to do for any.
func (m *maker) round(r rank, do func(p *property) bool) bool {
	any := false
	for _, p := range m.byDepth {
		if m.full() {
			return false
		}
		if p.in(r) {
			any = do(p) || any
		}
	}
	return any
}

// one plans a case of a property that was not tried, a misoperation with its repair. Where that is refused nothing
// takes the misoperation back, and nothing comes behind it.
func (m *maker) one(p *property, class value.Class) bool {
	last := false
	planned := m.group(func() []*draft {
		all := m.switched(p)
		d := m.chosen(p, class, p.has)
		if d == nil {
			m.forget(all)
			return nil
		}
		all = append(all, d)
		if class == value.Misoperation {
			repair := m.repair(d)
			if last = repair == nil; !last {
				all = append(all, m.step(repair))
			}
		}
		return all
	})
	if planned && last {
		m.next()
	}
	return planned
}
