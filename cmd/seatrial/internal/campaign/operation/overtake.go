package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "what is changed while a change is on its way", order: 7, share: 4, plan: (*maker).overtakings})

// less is the case of a number with which there is one less of something.
const less = "one less"

// overtakings plans changes of several properties at once, of which each is changed again as soon as the operator has
// begun with them, where that is taken: an operator that notes what it is about, and goes on with that, or takes for
// done what there is when it comes to the end, misses what is asked for meanwhile. What takes longest is mostly that
// there is less of something.
func (m *maker) overtakings() {
	var all []*property
	for _, p := range m.byDepth {
		if p.in(own) {
			all = append(all, p)
		}
	}
	for _, name := range []string{less, ""} {
		for some := range slices.Chunk(all, pairWidth) {
			here := visit{some[0], "overtaken " + name}
			if m.visited[here] {
				continue
			}
			m.group(func() []*draft { return m.overtake(some, name) })
			if m.crowded {
				return // there may be more room when the others had theirs
			}
			m.visited[here] = true
		}
	}
}

// overtake is one change of each property at once, where there is one of that name that, and another of each that
// follows; nil if one is not taken, or all is as it was behind them.
func (m *maker) overtake(some []*property, name string) []*draft {
	from := m.now
	first := m.together(m.each(some, name))
	if first == nil {
		return nil
	}
	then := m.together(m.each(some, ""))
	if then == nil || equal(m.now.stored, from.stored) {
		m.forget(slices.Concat(single(first), single(then)))
		return nil
	}
	o := *then[0].Operation
	o.Overtakes = first[0].Changes
	o.Objects = slices.Concat(first[0].Objects, o.Objects)
	o.Sentinels = slices.Concat(first[0].Sentinels, o.Sentinels)
	o.Name = titles([]*Operation{&o}, o.around())
	// What was only on its way is not tried by that.
	return []*draft{{property: then[0].property, before: from, after: m.now, parts: single(then), Operation: &o}}
}

// single are the drafts that others are made of.
func single(drafts []*draft) (all []*draft) {
	for _, d := range drafts {
		if len(d.parts) == 0 {
			all = append(all, d)
		}
		all = append(all, d.parts...)
	}
	return all
}

// each is one change of each property, one after another. What may be a slip, or ends all that runs, is left out.
func (m *maker) each(some []*property, name string) (parts []*draft) {
	for _, p := range some {
		from := m.now
		d := m.chosen(p, value.Change, func(other string) bool { return name != "" && other != name })
		if d == nil && name != "" {
			d = m.chosen(p, value.Change, nil)
		}
		switch {
		case d == nil:
		case d.Slip || d.Zero || d.Pauses || d.Default:
			m.forget([]*draft{d})
			m.now = from
		default:
			parts = append(parts, d)
		}
	}
	return parts
}
