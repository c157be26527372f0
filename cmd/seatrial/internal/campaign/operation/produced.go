package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// withoutProduced leaves out the objects that cases of a property bring along where it does not refer to what is there: the seed names a Secret or ConfigMap
// that nobody gives. The operator makes it then, as it makes the Secret that a certificate is put into; one that is there before is somebody else's.
func (m *maker) withoutProduced(p *property, cases []value.Case) {
	says, _ := at(map[string]any(m.seed.stored), p.place(map[string]any(m.seed.stored)))
	name := reference(says)
	if name == "" {
		return
	}
	produced := func(o history.Object) bool {
		kind := o.Text("kind")
		return (kind == "Secret" || kind == "ConfigMap") && !slices.ContainsFunc(m.Setup, func(s history.Object) bool {
			return s.Text("kind") == kind && s.Text("metadata", "name") == name
		})
	}
	for i := range cases {
		cases[i].Objects = slices.DeleteFunc(slices.Clone(cases[i].Objects), produced)
	}
}

// referenceFields are what an object has that says which other one it refers to, and nothing else.
var referenceFields = []string{"name", "key", "namespace", "optional", "kind", "apiGroup"}

// reference is the name of an object that a value refers to: the value itself, or that in an object that says nothing else; empty for none.
func reference(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		for field := range v {
			if !slices.Contains(referenceFields, field) {
				return ""
			}
		}
		name, _ := v["name"].(string)
		return name
	}
	return ""
}
