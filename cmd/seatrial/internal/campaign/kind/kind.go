// Package kind recognises the types of Kubernetes in the schema of a custom resource,
// so that it is known what is worth trying of them: pod templates, affinities,
// resources, names of Secrets.
//
// # How kinds are spelt
//
//   - A type has the name that it has in the OpenAPI documents of Kubernetes:
//     io.k8s.api.core.v1.Affinity.
//   - What stands in a type and is no type itself (a string, a number, a list, a map) is
//     the type and the field: io.k8s.api.core.v1.Container.image,
//     io.k8s.api.core.v1.PodSpec.tolerations. It is spelt so outside the type, too, if
//     its name and its type say as much: spec.imagePullPolicy is
//     io.k8s.api.core.v1.Container.imagePullPolicy. The items of a list have the kind of
//     their type, or none; texts that are ranges of addresses are known by the name of the list.
//   - Quantities are io.k8s.apimachinery.pkg.api.resource.Quantity, and texts that are
//     durations io.k8s.apimachinery.pkg.apis.meta.v1.Duration.
//   - What people write in schemas of their own and Kubernetes has in no type, or under
//     other names, is a word: Replicas, SecretName, ConfigMapName, StorageSize, Port,
//     Host, AddressRange ([conventions] lists them).
//
// # How they are recognised
//
// The OpenAPI documents of Kubernetes are made of the Go types in k8s.io/api, which are
// part of seatrial anyway; their names and fields are read by reflection, so that there is
// nothing to fetch, to keep, or to be of another version. A test holds both equal.
//
// Authors leave fields out, and have copies of other versions of Kubernetes. So
// an object is compared with every type that it shares fields with, by names and types of
// fields: it is one if the share of common fields in all of both is at least 0.8, or if it
// has at least four fields and none that the type does not have. What its fields hold, the
// name that it stands under, what stands beside it and what is said of it decide between several;
// small types need the name that Kubernetes has for them. Below what was recognised, fields
// are those of its type, by their exact names.
package kind

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// None is given for a property that is none of Kubernetes' types, though it looks like
// one.
const None = "none"

// Recognise sets the Kind of all properties from root on. Given are kinds by the path of
// their property: of a type, what is below has the kinds of its fields; None says that
// there is none. It is an error to give one for a path that is not there. Where the schema does not say what is in
// a property that is no type of Kubernetes, resources do ([schema.Property.Infer]).
func Recognise(root *schema.Property, given map[string]string, resources ...history.Object) error {
	r := &recogniser{model: kubernetes(), given: given, resources: resources, seen: map[string]bool{}}
	r.below(root) // which has the fields that all kinds have
	for _, path := range slices.Sorted(maps.Keys(given)) {
		if !r.seen[path] {
			return fmt.Errorf("the kind %s is given for %s, which is no property of the resource: write paths as spec.servers[].port and spec.labels{}", given[path], path)
		}
	}
	return nil
}

type recogniser struct {
	model *model
	given map[string]string
	// resources show what is where the schema says nothing.
	resources []history.Object
	seen      map[string]bool
}

// override tells whether the kind of p is given, and sees to it and all below then.
func (r *recogniser) override(p *schema.Property) bool {
	name, ok := r.given[p.Path]
	if !ok {
		return false
	}
	r.seen[p.Path] = true
	if name == None {
		p.Kind = ""
		r.below(p)
		return true
	}
	if t := r.model.types[name]; t != nil {
		r.within(p, t)
		return true
	}
	p.Kind = name
	r.below(p)
	return true
}

// free recognises p, of which nothing is known, and all below.
func (r *recogniser) free(p *schema.Property) {
	if r.override(p) {
		return
	}
	if t := r.model.match(p); t != nil && r.fits(p, t) {
		r.within(p, t)
		return
	}
	r.below(p)
	if p.Kind = r.model.leaf(p); !r.spelt(p) {
		p.Kind = scalars[shapeOf(p)]
	}
}

// fits tells whether p, of which the schema says nothing, can be a t by what resources have there: no field that the
// type does not have.
func (r *recogniser) fits(p *schema.Property, t *typ) bool {
	if shapeOf(p) != shapeAny {
		return true
	}
	for _, v := range p.Values(r.resources) {
		fields, _ := v.(map[string]any)
		for name := range fields {
			if t.field(name) == nil {
				return false
			}
		}
	}
	return true
}

// below recognises what is in p, which is no type of Kubernetes.
func (r *recogniser) below(p *schema.Property) {
	p.Infer(r.resources)
	for _, child := range p.Children {
		r.free(child)
	}
}

// within says that p is a t, and goes on below.
func (r *recogniser) within(p *schema.Property, t *typ) {
	if p.Kind = t.name; hollow(p) {
		p.Kind = ""
	}
	for _, child := range p.Children {
		f := t.field(child.Name)
		if f == nil || !compatible(shapeOf(child), f.shape) {
			r.free(child)
			continue
		}
		r.field(child, f, t.name+"."+f.name)
	}
}

// field says that p is a field of a type, or what is in it.
func (r *recogniser) field(p *schema.Property, f *field, name string) {
	if r.override(p) {
		return
	}
	if f.shape == shapeObject {
		if f.typ == nil || !alike(p, f.typ) {
			p.Kind = name
			for _, child := range p.Children {
				r.free(child)
			}
			return
		}
		r.within(p, f.typ)
		return
	}
	p.Kind = name
	if own := scalars[f.shape]; own != "" {
		p.Kind = own
	}
	below := &field{name: f.name, typ: f.typ, shape: f.shape.item()}
	for _, child := range p.Children {
		switch {
		case below.shape == shapeObject && below.typ != nil:
			r.field(child, below, name)
		case len(child.Children) > 0:
			r.free(child)
		case !r.override(child):
			child.Kind = scalars[below.shape]
		}
	}
}
