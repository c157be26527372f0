package schema

import (
	"encoding/json"
	"fmt"
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/seatrial/seatrial/history"
)

// Complete is what the API server gives back of a resource that it stored: fields
// that the schema does not have are gone, defaults are there, and nulls are what they
// count as. The status is as it was, though one who creates a resource cannot write it
// ([Definition.Status]). What the API server cannot read (a name that is a number) is left as
// it is; [Definition.Refuses] says so. Nothing that is given is changed.
func (d *Definition) Complete(cr history.Object) history.Object {
	o, err := d.stored(copied(cr))
	if err != nil {
		return copied(cr)
	}
	return o
}

// Pruned are the paths of the fields of a resource that the schema does not have: the API
// server takes them out and says nothing, or a warning.
func (d *Definition) Pruned(cr history.Object) []string {
	paths, err := d.coerce(copied(cr), d.Kind.Version, true)
	if err != nil {
		return nil
	}
	slices.Sort(paths)
	return paths
}

// stored is o as it is read behind a write. It may change o.
func (d *Definition) stored(o history.Object) (history.Object, error) {
	if err := d.read(o); err != nil {
		return o, err
	}
	if d.Stored == d.Kind.Version || d.Converts {
		return o, nil
	}
	// Without a webhook all versions have the same fields, and the one that is stored keeps
	// those that it knows, and has its own defaults.
	own := o["apiVersion"]
	o["apiVersion"] = d.crd.Spec.Group + "/" + d.Stored
	if _, err := d.coerce(o, d.Stored, false); err != nil {
		return o, err
	}
	defaulting.Default(map[string]any(o), d.structurals[d.Stored])
	o["apiVersion"] = own
	_, err := d.coerce(o, d.Kind.Version, false)
	return o, err
}

// read is what becomes of o when the API server reads it from a request.
func (d *Definition) read(o history.Object) error {
	if _, err := d.coerce(o, d.Kind.Version, false); err != nil {
		return err
	}
	defaulting.Default(map[string]any(o), d.structurals[d.Kind.Version])
	return nil
}

// coerce does what the API server does with each object that it decodes
// (unstructuredSchemaCoercer in customresource_handler.go of
// k8s.io/apiextensions-apiserver), and lists unknown fields if it is asked to.
func (d *Definition) coerce(o history.Object, version string, unknown bool) ([]string, error) {
	var paths []string
	s := d.structurals[version]
	kind, apiVersion := o["kind"], o["apiVersion"]
	for _, name := range []string{"kind", "apiVersion"} {
		if _, ok := o[name].(string); !ok {
			return nil, fmt.Errorf("%s: Invalid value: %v: must be a string", name, o[name])
		}
	}
	meta, found, metaUnknown, err := objectmeta.GetObjectMetaWithOptions(o, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: unknown})
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	paths = append(paths, metaUnknown...)
	paths = append(paths, pruning.PruneWithOptions(map[string]any(o), s, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: unknown})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(map[string]any(o), s)
	failure, below := objectmeta.CoerceWithOptions(nil, map[string]any(o), s, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: unknown})
	if failure != nil {
		return nil, failure
	}
	paths = append(paths, below...)
	o["kind"], o["apiVersion"] = kind, apiVersion
	if found {
		return paths, objectmeta.SetObjectMeta(o, meta)
	}
	return paths, nil
}

// copied is a copy of o with numbers as JSON has them.
func copied(o history.Object) history.Object {
	m, _ := plain(map[string]any(o)).(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	return m
}

// plain is a copy of a value of which whole numbers are int64, others float64, and what is
// no JSON as JSON would have it; nil if it cannot.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int64, float64:
		return v
	case int:
		return int64(v)
	case int32:
		return int64(v)
	case history.Object:
		return plain(map[string]any(v))
	case map[string]any:
		if v == nil {
			return nil
		}
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = plain(value)
		}
		return m
	case []any:
		if v == nil {
			return nil
		}
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plain(item)
		}
		return list
	}
	// Through an object, which is how numbers are read.
	text, err := json.Marshal(map[string]any{"": v})
	if err != nil {
		return nil
	}
	var o history.Object
	if o.UnmarshalJSON(text) != nil {
		return nil
	}
	return o[""]
}
