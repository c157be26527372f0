package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

var _ = register(phase{name: "what is referred to says something else", order: 5, share: 5, plan: (*maker).contents})

// contents plans, for each property that can refer to a Secret or ConfigMap, that it does, and that this says something else then: an
// operator that only looks at its resources does not hear of that.
func (m *maker) contents() {
	m.once("contents", own, func(p *property) {
		m.group(func() []*draft { return m.content(p) })
	})
}

// content is the operation that has a property refer to another object, and the one that changes what that says; nil if there is none.
func (m *maker) content(p *property) []*draft {
	path, cases := m.cases(p, m.now)
	for _, c := range cases {
		if c.Class != value.Change || len(rewritten(c.Objects, c.Sentinels, "")) == 0 {
			continue
		}
		d := m.draft(p, path, c, m.now)
		if d == nil || d.Refused != "" {
			continue
		}
		referred := m.step(d)
		text := m.at(p, p.Property, m.now).Draw.Text()
		o := &Operation{
			Property: p.Path, Case: "what it refers to says something else", Kind: p.Kind, Content: true,
			Changes: d.Changes, Objects: rewritten(d.Objects, d.Sentinels, text),
		}
		o.Name = o.Property + ": " + o.Case
		return []*draft{referred, m.step(&draft{property: p, before: d.after, after: d.after, Operation: o})}
	}
	return nil
}

// rewritten are the Secrets and ConfigMaps among some objects with another text wherever their data had one that was drawn for them;
// those without one are left out.
func rewritten(objects []history.Object, drawn []string, text string) (all []history.Object) {
	for _, o := range objects {
		changed := false
		next := history.Object(value.Clone(map[string]any(o)).(map[string]any))
		for _, field := range []string{"data", "stringData"} {
			data, _ := next[field].(map[string]any)
			for key, v := range data {
				if old, is := v.(string); is && slices.Contains(drawn, old) {
					data[key], changed = text, true
				}
			}
		}
		if kind := o.Text("kind"); changed && (kind == "Secret" || kind == "ConfigMap") {
			all = append(all, next)
		}
	}
	return all
}
