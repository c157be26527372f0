// Package schema is the schema of a custom resource as campaigns need it: a tree of
// properties, and what the API server would store of a resource, or why it would
// refuse it, by the libraries that the API server itself uses.
package schema

import (
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// Property is one property of a custom resource: a field, the items of a list, or the
// values of a map.
type Property struct {
	// Path is how people write it: spec.servers[].port; the values of a map are {}:
	// spec.labels{}; a name that is no word stands in brackets and quotes.
	Path string
	// Name is the last part of it: a field's name, [] or {}.
	Name   string
	Parent *Property
	// Children are the fields of an object in the order of their names, or the one of a list or map.
	Children []*Property
	// Schema is what the CRD says of it.
	Schema *structural.Structural
	// Required tells that the parent has to have it.
	Required bool
	// Inferred: the schema does not say that there is such a property, resources have it ([Property.Infer]).
	Inferred bool
	// Scaled: it is what the scale subresource sets, whose least is 0 whatever the schema says of it.
	Scaled bool
	// Kind is the type of Kubernetes that it was recognised as: io.k8s.api.core.v1.Affinity;
	// empty for none. Package kind says how it is spelt.
	Kind string
}

// Opaque tells that the schema does not say all that can be in it: it keeps fields
// that it does not know, or holds a whole object of any kind.
func (p *Property) Opaque() bool {
	s := p.Schema
	return s.XPreserveUnknownFields || s.XEmbeddedResource || s.AdditionalProperties != nil && s.AdditionalProperties.Structural == nil && s.AdditionalProperties.Bool
}

// Opaque lists the properties of which the schema does not say all that can be in
// them, so that operations can be made of a part of it, or of nothing. What was
// recognised as a type of Kubernetes is not opaque: its Kind says what is in it.
func (d *Definition) Opaque() []*Property {
	return slices.DeleteFunc(slices.Clone(d.properties), func(p *Property) bool { return !p.Opaque() || p.Kind != "" })
}

// ByPath are properties and all that is in them, by their paths.
func ByPath(roots []*Property) map[string]*Property {
	all := map[string]*Property{}
	var add func(p *Property)
	add = func(p *Property) {
		all[p.Path] = p
		for _, child := range p.Children {
			add(child)
		}
	}
	for _, p := range roots {
		add(p)
	}
	return all
}
