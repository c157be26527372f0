package operation

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "in the place of another", order: 8, share: 8, plan: (*maker).exclusives})

// exclusives plans, for properties that the seed does not have and that are refused beside what it has, that each is
// set in the place of another one of the same object, and that this one comes back: a rule says that only one of both
// may be there. An operator that puts both into one object has to take the other one out.
func (m *maker) exclusives() {
	begun := false
	for _, p := range m.byDepth {
		key := visit{p, "exclusive"}
		if m.visited[key] || !p.in(own) || p.Name == "[]" || p.Name == "{}" || !ruled(p) || !m.excluded(p) {
			continue
		}
		if !begun {
			m.next()
			begun = true
		}
		for _, other := range m.byDepth {
			if other.Parent != p.Parent || other == p || other.left == ignored || other.Required || !m.present(other) {
				continue
			}
			if m.group(func() []*draft { return m.inPlaceOf(p, other) }) {
				break
			}
			if m.crowded {
				return
			}
		}
		m.visited[key] = true
	}
	if begun {
		m.next() // what comes behind it has what the seed has
	}
}

// ruled tells whether a rule of what a property is in is about it, so that it may be refused beside another one: the
// server is asked of no others.
func ruled(p *property) bool {
	for s := p.Parent; s != nil; s = s.Parent {
		if slices.ContainsFunc(s.Schema.XValidations, func(r apiextensionsv1.ValidationRule) bool { return strings.Contains(r.Rule, p.Name) }) {
			return true
		}
		if v := s.Schema.ValueValidation; v != nil && v.Not != nil {
			return true
		}
	}
	return false
}

// excluded tells whether all that can be tried of a property is refused beside what the seed has.
func (m *maker) excluded(p *property) bool {
	if m.present(p) {
		return false
	}
	path, cases := m.cases(p, m.seed)
	refused := false
	for _, c := range cases {
		if c.Class != value.Change {
			continue
		}
		if d := m.draft(p, path, c, m.seed); d != nil && d.Refused == "" {
			return false
		} else if d != nil {
			refused = true
		}
	}
	return refused
}

// inPlaceOf are the operations that set a property where another one is gone, and put that one back; nil if the first
// is not taken.
func (m *maker) inPlaceOf(p, other *property) []*draft {
	gone := m.gone(other)
	if gone == nil {
		return nil
	}
	first := []*draft{m.step(gone)}
	path, cases := m.cases(p, m.now)
	for _, c := range cases {
		if c.Class != value.Change {
			continue
		}
		if d := m.draft(p, path, c, m.now); d != nil && d.Refused == "" {
			first = append(first, m.step(d))
			break
		}
	}
	if len(first) < 2 {
		m.forget(first)
		return nil
	}
	all := m.together(first)
	if all == nil {
		return nil
	}
	out := m.gone(p)
	if out == nil {
		return all
	}
	back := []*draft{m.step(out)}
	if d := m.back(other); d != nil {
		back = append(back, m.step(d))
	}
	return append(all, m.together(back)...)
}
