package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

var _ = register(phase{name: "what is referred to says something else", order: 6, share: 8, plan: (*maker).contents})

// contents plans what an operator that only looks at its resources does not hear of: that the Secrets and ConfigMaps of
// the setup to which the seed refers say something else, and for each property that can refer to one that it does and
// this says something else then, and that it does before there is one, which is made then.
func (m *maker) contents() {
	known := map[int]bool{} // to which something refers
	setup := func(p *property) {
		for i, o := range m.Setup {
			known[i] = known[i] || m.group(func() []*draft { return m.given(p, o) })
		}
	}
	m.once("contents of the setup", own, func(p *property) {
		if len(p.Children) == 0 {
			setup(p)
		}
	})
	m.once("contents of the setup by an object", own, setup)
	m.once("contents", own, func(p *property) {
		m.group(func() []*draft { return m.content(p) })
	})
	m.once("made later", own, func(p *property) {
		m.group(func() []*draft { return m.madeLater(p) })
	})
}

// referring is the first draft that has a property refer to a Secret or ConfigMap that says something that was drawn;
// nil for none.
func (m *maker) referring(p *property) *draft {
	path, cases := m.cases(p, m.now)
	for _, c := range cases {
		if c.Class != value.Change || len(rewritten(c.Objects, c.Sentinels, "")) == 0 {
			continue
		}
		if d := m.draft(p, path, c, m.now); d != nil && d.Refused == "" {
			return d
		}
	}
	return nil
}

// content is the operation that has a property refer to another object, and the one that changes what that says; nil if
// there is none.
func (m *maker) content(p *property) []*draft {
	d := m.referring(p)
	if d == nil {
		return nil
	}
	referred := m.step(d)
	text := m.at(p, p.Property, m.now).Draw.Text()
	return []*draft{referred, m.behind(d, "what it refers to says something else", rewritten(d.Objects, d.Sentinels, text))}
}

// madeLater is the operation that has a property refer to an object that is not there, and the one that makes it; nil
// if there is none.
func (m *maker) madeLater(p *property) []*draft {
	d := m.referring(p)
	if d == nil {
		return nil
	}
	objects := d.Objects
	d.Objects, d.Misoperation, d.Lacks, d.Case = nil, true, true, "refers to what is not there yet"
	d.Name = d.Property + ": " + d.Case
	return []*draft{m.step(d), m.behind(d, "what it refers to is made", objects)}
}

// behind is the draft of an operation behind another that changes nothing but objects to which the resource refers.
func (m *maker) behind(d *draft, what string, objects []history.Object) *draft {
	p := d.property
	o := &Operation{Property: p.Path, Case: what, Kind: p.Kind, Content: true, Changes: d.Changes, Objects: objects, Name: p.Path + ": " + what}
	return m.step(&draft{property: p, before: d.after, after: d.after, Operation: o})
}

// rewritten are the Secrets and ConfigMaps among some objects with another text wherever their data had one that was
// drawn for them; those without one are left out.
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
