package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

var _ = register(phase{name: "numbers that are nothing", order: 10, share: 4, plan: (*maker).nothings})

// nothings plans that each number that may be 0 is set to that by itself, and back: code that takes 0 for none puts a
// default there. Beside another change it is not known what that comes of, and behind the very default it looks as if
// nothing were done; so it comes behind what the seed has, or another one where that is the default.
func (m *maker) nothings() {
	begun := false
	m.once("nothing", own, func(p *property) {
		if !value.Zero(p.Property, int64(0)) || p.Name == "[]" || p.Name == "{}" {
			return
		}
		if !begun {
			m.next()
			begun = true
		}
		m.group(func() []*draft { return m.nothing(p) })
	})
	if begun {
		m.next()
	}
}

// nothing is the operation that sets a number to 0, behind one that sets it to something if it is nothing or the
// default so far, and that which takes it back; nil if that is not taken.
func (m *maker) nothing(p *property) []*draft {
	var all []*draft
	now, there := at(map[string]any(m.now.stored), p.place(map[string]any(m.now.stored)))
	if !there || now == int64(0) || equal(now, p.Schema.Default.Object) {
		d := m.chosen(p, value.Change, func(name string) bool { return name == "0" || name == "minimum" })
		if d == nil {
			return nil
		}
		all = append(all, d)
	}
	path, cases := m.cases(p, m.now)
	for _, c := range cases {
		if len(c.Path) > 0 || !value.Zero(p.Property, c.Value) {
			continue
		}
		d := m.draft(p, path, c, m.now)
		if d == nil || d.Refused != "" {
			break
		}
		all = append(all, m.step(d))
		if back := m.repair(d); back != nil {
			back.Operation = d.undo(wasBefore, d.before.written)
			all = append(all, m.step(back))
		}
		return all
	}
	m.forget(all)
	return nil
}
