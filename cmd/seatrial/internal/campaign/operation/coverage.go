package operation

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"

// Covered says what a plan does with a property.
type Covered struct {
	Path string `json:"path"`
	// Type is of the schema: boolean, enum, map; empty if the schema says nothing of
	// what is in it.
	Type string `json:"type,omitempty"`
	// Kind is the type of Kubernetes; empty for none.
	Kind string `json:"kind,omitempty"`
	// Cases are the names of those that are planned.
	Cases []string `json:"cases,omitempty"`
	// Refused are the names of those that the schema does not take, with why.
	Refused map[string]string `json:"refused,omitempty"`
	// Opaque tells that the schema does not say what is in it: only what resources have there is tried.
	Opaque bool `json:"opaque,omitempty"`
	// Why says why there are no cases; empty if there are.
	Why string `json:"why,omitempty"`
}

func (m *maker) coverage() []Covered {
	all := make([]Covered, 0, len(m.properties))
	for _, p := range m.properties {
		c := Covered{Path: p.Path, Type: value.Type(p.Property), Kind: p.Kind, Cases: p.tried}
		if len(p.refused) > 0 {
			c.Refused = p.refused
		}
		c.Opaque = p.left == "" && m.opaque(p)
		if len(c.Cases) == 0 {
			c.Why = m.why(p)
		}
		all = append(all, c)
	}
	return all
}

// Opaque is what is said of a property that is opaque.
const Opaque = "opaque: the schema does not say what is in it; give values, kinds or examples"

// opaque tells that nothing can be made up of a property but of what resources have there. What is in it goes without
// saying.
func (m *maker) opaque(p *property) bool {
	return len(p.given) == 0 && (value.Opaque(p.Property) || p.Opaque() && p.Kind == "") && !p.Parent.Opaque()
}

// why says why nothing is tried of a property.
func (m *maker) why(p *property) string {
	switch {
	case p.left != "":
		return p.left
	case m.opaque(p):
		return Opaque
	case len(p.Children) > 0:
		return "tried by its parts"
	case len(p.refused) > 0:
		return "the schema refuses what was tried"
	case p.rank == detail:
		return "tried as a part of the type of Kubernetes that it is in"
	case m.full():
		return "there were enough operations before"
	}
	return "nothing to try"
}
