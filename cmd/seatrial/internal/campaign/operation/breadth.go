package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

var _ = register(phase{name: "breadth", order: 1, share: 35, plan: func(m *maker) {
	m.once("breadth", (*property).main, func(p *property) { m.one(p, value.Change) })
}})

var _ = register(phase{name: "what else there is", order: 4, plan: func(m *maker) {
	for more := true; more && !m.full(); {
		more = m.round((*property).main, value.Change)
		more = m.round((*property).main, value.Misoperation) || more
	}
}})

var _ = register(phase{name: "inside of types of Kubernetes", order: 6, plan: func(m *maker) {
	m.once("breadth", (*property).part, func(p *property) { m.one(p, value.Change) })
	m.once("removals", (*property).part, func(p *property) { m.removed(p) })
	m.once("misoperations", (*property).part, func(p *property) { m.one(p, value.Misoperation) })
}})

// main tells that a property is tried for itself, and part that it is a part of a type of
// Kubernetes that is.
func (p *property) main() bool { return p.left == "" && (!p.inside || p.special) }
func (p *property) part() bool { return p.left == "" && p.inside && !p.special }

// once does something once for each property, those high in the resource first.
func (m *maker) once(phase string, which func(p *property) bool, do func(p *property)) {
	for _, p := range m.byDepth {
		if m.full() {
			return
		}
		if key := (visit{p, phase}); which(p) && !m.visited[key] {
			m.visited[key] = true
			do(p)
		}
	}
}

// visit is that a property had its turn in a phase.
type visit struct {
	*property
	phase string
}

// round plans one case of a class for each property that has one which was not
// tried; false if none has.
func (m *maker) round(which func(p *property) bool, class value.Class) bool {
	any := false
	for _, p := range m.byDepth {
		if m.full() {
			return false
		}
		if which(p) {
			any = m.one(p, class) || any
		}
	}
	return any
}

// one plans a case of a property that was not tried, a misoperation with its repair.
func (m *maker) one(p *property, class value.Class) bool {
	return m.group(func() []*draft {
		all := m.switched(p)
		d := m.chosen(p, class, p.has)
		if d == nil {
			m.forget(all)
			return nil
		}
		all = append(all, d)
		if class == value.Misoperation {
			all = append(all, m.step(m.repair(d)))
		}
		return all
	})
}
