// Package operation is what is done to a custom resource in a campaign: operations,
// each a concrete change, and the sequences that are made of them (docs/adr/0034).
package operation

import (
	"github.com/seatrial/seatrial/history"
)

// Operation is one change of the custom resource.
type Operation struct {
	// Property is the path of the property of the schema that it is about, as
	// schema.Property spells it: spec.tls.secretName, spec.servers[].port,
	// spec.labels{}. Of several, the first.
	Property string `json:"property"`
	// Case is the name of what is tried of the property: maximum, removed, toggled.
	Case string `json:"case"`
	// Kind is the type of Kubernetes that the property was recognised as; empty for none.
	Kind string `json:"kind,omitempty"`
	// Misoperation tells that the API server or the operator should refuse it, or that it cannot
	// work: an image that does not exist.
	Misoperation bool `json:"misoperation,omitempty"`
	// Changes are made one after another.
	Changes []Change `json:"changes"`
	// Objects are applied before: a Secret that the resource refers to then.
	Objects []history.Object `json:"objects,omitempty"`
	// Sentinels are values in Changes that stand nowhere else in the campaign, so that
	// it can be seen where they go.
	Sentinels []string `json:"sentinels,omitempty"`
	// Repairs tells that the operation takes back the one before it.
	Repairs bool `json:"repairs,omitempty"`
}

// Change sets or removes what is at a path of a resource.
type Change struct {
	// Path has a string for a key of a map and a whole number for the item of a list; a
	// number that is the length of the list adds an item.
	Path []any `json:"path"`
	// Value is what is set; not used if Remove is set.
	Value  any  `json:"value,omitempty"`
	Remove bool `json:"remove,omitempty"`
}

// Sequence is operations one after another, the first on the seed.
type Sequence struct {
	Operations []*Operation `json:"operations"`
}
