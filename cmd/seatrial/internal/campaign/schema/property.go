// Package schema is the schema of a custom resource as campaigns need it: a tree of
// properties, and what the API server would store of a resource, or why it would
// refuse it, by the libraries that the API server itself uses.
package schema

import (
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// Property is one property of a custom resource: a field, the items of a list, or the
// values of a map.
type Property struct {
	// Path is how people write it: spec.servers[].port; the values of a map are {}:
	// spec.labels{}.
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
	// Kind is the type of Kubernetes that it was recognised as: io.k8s.api.core.v1.Affinity;
	// empty for none.
	Kind string
}
