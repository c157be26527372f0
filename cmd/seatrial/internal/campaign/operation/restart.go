package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "what is taken back while the operator is down", order: 2, share: 5, plan: (*maker).restarts})

// restarts plans changes of several properties at once, and that they are taken back while there is no operator: a
// process that goes by what it remembers does not know then what it has to undo.
func (m *maker) restarts() {
	var all []*property
	for _, p := range m.byDepth {
		if p.in(own) {
			all = append(all, p)
		}
	}
	for some := range slices.Chunk(all, pairWidth) {
		here := visit{some[0], "restarts"}
		if m.visited[here] {
			continue
		}
		m.group(func() []*draft { return m.restart(some) })
		if m.crowded {
			return // there may be more room when the others had theirs
		}
		m.visited[here] = true
	}
}

// restart is one change of each property at once, and the way back; nil if either is not taken.
func (m *maker) restart(some []*property) []*draft {
	var parts []*draft
	for _, p := range some {
		from := m.now
		d := m.chosen(p, value.Change, nil)
		switch {
		case d == nil:
		case m.repair(d) == nil: // once it is so it stays so
			m.forget([]*draft{d})
			m.now = from
		default:
			parts = append(parts, d)
		}
	}
	changed := m.together(parts)
	if changed == nil {
		return nil
	}
	d := changed[0]
	repair := m.repair(d)
	if repair == nil {
		m.forget(parts)
		return nil
	}
	back := *d.Operation
	back.Changes, back.Objects, back.Sentinels, back.Restarts = repair.Changes, nil, nil, true
	back.Case, back.Slip, back.Zero, back.Default = wasBefore, false, false, false
	back.Name = titles([]*Operation{&back}, back.around())
	return append(changed, m.step(&draft{property: d.property, before: d.after, after: d.before, parts: parts, Operation: &back}))
}

// wasBefore is the case of what is taken back.
const wasBefore = "as it was"
