package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// withoutProduced leaves out the objects that cases of a property bring along where it does not refer to what is there: the seed names something of that
// kind, and nobody gives it. The operator makes it then, as it makes the Secret that a certificate is put into; one that is there before is somebody else's.
func (m *maker) withoutProduced(p *property, cases []value.Case) {
	says, present := at(map[string]any(m.seed.stored), p.place(map[string]any(m.seed.stored)))
	names := texts(says, nil)
	if !present || len(names) == 0 {
		return
	}
	given := func(o history.Object) bool {
		return slices.ContainsFunc(m.Setup, func(s history.Object) bool {
			return s.Text("kind") == o.Text("kind") && slices.Contains(names, s.Text("metadata", "name"))
		})
	}
	for i := range cases {
		cases[i].Objects = slices.DeleteFunc(slices.Clone(cases[i].Objects), func(o history.Object) bool { return !given(o) })
	}
}

// texts adds the texts in a value to others.
func texts(v any, to []string) []string {
	switch v := v.(type) {
	case string:
		return append(to, v)
	case map[string]any:
		for _, inner := range v {
			to = texts(inner, to)
		}
	case []any:
		for _, inner := range v {
			to = texts(inner, to)
		}
	}
	return to
}
