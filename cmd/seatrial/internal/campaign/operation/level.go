package operation

import (
	"regexp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "levels", order: 10, share: 3, plan: (*maker).levels})

// timed is a time as Go and others write it.
var timed = regexp.MustCompile(`^(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|ms|s|m|h|d|w))+$`)

// levels plans that a time of the seed is as long as another one beside it: what one of both has to be below, such as a
// lease and what renews it, is no more then. Each is valid by itself, so that only a rule that compares them refuses
// it.
func (m *maker) levels() {
	begun := false
	for _, p := range m.byDepth {
		if !p.in(own) || p.Schema.Type != "string" || p.Name == "[]" || p.Name == "{}" {
			continue
		}
		for _, other := range m.byDepth {
			if other == p || other.Parent != p.Parent || m.visited[visit{p, "level " + other.Path}] {
				continue
			}
			if text := m.level(p, other); text != "" {
				if !begun {
					m.next()
					begun = true
				}
				if !m.group(func() []*draft { return m.leveled(p, other, text) }) && m.crowded {
					return
				}
			}
			m.visited[visit{p, "level " + other.Path}] = true
		}
	}
}

// level is what a property gets that is to be as another one of the seed is; empty if both are no times, or the same.
func (m *maker) level(p, other *property) string {
	stored := map[string]any(m.seed.stored)
	of := func(p *property) string {
		v, _ := at(stored, p.place(stored))
		text, _ := v.(string)
		return text
	}
	now, text := of(p), of(other)
	if now == text || !timed.MatchString(now) || !timed.MatchString(text) {
		return ""
	}
	return text
}

// leveled is the operation that gives a property such a value; nil if it is not taken. Behind that of the other one
// both have changed places.
func (m *maker) leveled(p, other *property, text string) []*draft {
	d := m.draft(p, p.place(map[string]any(m.now.stored)), value.Case{Name: "as " + other.Name + " was", Class: value.Change, Value: text}, m.now)
	if d == nil || d.Refused != "" {
		return nil
	}
	return []*draft{m.step(d)}
}
