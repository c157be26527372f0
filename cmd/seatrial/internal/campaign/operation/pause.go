package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "what is changed in a pause", order: 7, share: 5, plan: (*maker).pauses})

// pauses plans, for each property that tells an operator to do nothing, changes of others while it does nothing, and
// that it goes on: it has to do then what it has not done meanwhile.
func (m *maker) pauses() {
	m.once("pauses", own, func(p *property) {
		if value.Pauses(p.Property) {
			m.group(func() []*draft { return m.pause(p) })
		}
	})
}

// pause is a property that is turned on, changes of others, and that it is as before; nil if that is not taken. Behind
// the changes nothing is compared, as behind a misoperation.
func (m *maker) pause(p *property) []*draft {
	all := m.switched(p)
	on := m.chosen(p, value.Misoperation, nil)
	if on == nil {
		m.forget(all)
		return nil
	}
	all = append(all, on)
	var parts []*draft
	for _, other := range m.byDepth {
		if len(parts) == pairWidth || !(&mode{property: p}).matters(other) || value.Pauses(other.Property) {
			continue
		}
		if d := m.chosen(other, value.Change, nil); d != nil {
			parts = append(parts, d)
		}
	}
	changed := m.together(parts)
	if changed == nil {
		m.forget(all)
		return nil
	}
	changed[0].Misoperation, changed[0].Paused = true, true
	off := m.again(on)
	if off == nil {
		m.forget(slices.Concat(all, changed))
		return nil
	}
	return slices.Concat(all, changed, []*draft{off})
}

// again takes back what a draft did, and leaves what was changed since; nil if that is not taken.
func (m *maker) again(d *draft) *draft {
	o := Operation{Property: d.Property, Case: "off", Kind: d.Kind, Changes: d.undone(d.before.written)}
	if o.Changes[0].Remove {
		o.Case = "removed"
	}
	written, err := o.Apply(m.now.written)
	if err != nil || m.refuses(written, m.now.stored) != "" {
		return nil
	}
	back := &draft{property: d.property, before: m.now, after: state{written, m.Server.Complete(written)}, Operation: &o}
	if equal(back.after.stored, m.now.stored) {
		return nil
	}
	o.Name = title(&o, &o.Changes[0], m.now.stored)
	return m.step(back)
}
