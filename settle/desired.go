package settle

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// desired is one thing that users may ask for.
type desired struct {
	resource kubestate.Resource
	object   client.Object
	key      string
	// create is the object as JSON.
	create []byte
	// fields are what of it users say, by path, and said are the paths that they say in any of
	// the things of this key.
	fields map[string]any
	said   []string
	// patches are by what was there.
	patches *sync.Map
}

// metadata are the parts of it that users write.
var metadata = []string{"labels", "annotations"}

// loadDesired makes requests of what users may ask for.
func (x *explorer) loadDesired() error {
	objects, err := x.varied()
	if err != nil {
		return err
	}
	said := map[string]map[string]bool{}
	for _, o := range objects {
		d, err := x.newDesired(o)
		if err != nil {
			return err
		}
		if said[d.key] == nil {
			said[d.key] = map[string]bool{}
		}
		for path := range d.fields {
			said[d.key][path] = true
		}
		x.desired = append(x.desired, d)
	}
	for i, d := range x.desired {
		x.desired[i].said = slices.Sorted(maps.Keys(said[d.key]))
	}
	return nil
}

func (x *explorer) newDesired(o client.Object) (desired, error) {
	c := &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper}
	r, err := c.resource(o)
	if err != nil {
		return desired{}, fmt.Errorf("settle: Desired %T: %w", o, err)
	}
	d := desired{resource: r, object: o, key: r.Prefix(o.GetNamespace()) + o.GetName(), fields: map[string]any{}, patches: &sync.Map{}}
	if o.GetName() == "" {
		return d, fmt.Errorf("settle: Desired: a %s has no name", r.Kind.Kind)
	}
	switch namespaced, err := c.IsObjectNamespaced(o); {
	case err != nil:
		return d, fmt.Errorf("settle: Desired: %s: %w", short(d.key), err)
	case namespaced && o.GetNamespace() == "":
		return d, fmt.Errorf("settle: Desired: the %s %s has no namespace: give it one that is there, as default", r.Kind.Kind, o.GetName())
	case !namespaced && o.GetNamespace() != "":
		return d, fmt.Errorf("settle: Desired: the %s %s has the namespace %q, and is in none", r.Kind.Kind, o.GetName(), o.GetNamespace())
	}
	if d.create, err = c.body(o); err != nil {
		return d, err
	}
	if err := x.uncounted("Desired", d.key, d.create); err != nil {
		return d, err
	}
	var all map[string]any
	if err := utiljson.Unmarshal(d.create, &all); err != nil {
		return d, err
	}
	for name, value := range all {
		switch name {
		case "apiVersion", "kind", "metadata", "status":
		default:
			d.fields["/"+name] = value
		}
	}
	for _, name := range metadata {
		if value, found, _ := unstructured.NestedFieldNoCopy(all, "metadata", name); found {
			d.fields["/metadata/"+name] = value
		}
	}
	return d, nil
}

// patch is the JSON patch that turns an object into what is desired; nil if it is that.
func (x *explorer) patch(d *desired, is *kubestate.Object) ([]byte, error) {
	if known, ok := d.patches.Load(is); ok {
		return known.([]byte), nil
	}
	now, err := x.types.fields(is)
	if err != nil {
		return nil, err
	}
	patch, err := d.patch(now)
	if err == nil {
		d.patches.Store(is, patch)
	}
	return patch, err
}

// patch is the JSON patch that turns what is there into what is desired; nil if it is that.
func (d *desired) patch(is map[string]any) ([]byte, error) {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}
	var operations []operation
	for _, path := range d.said {
		want, wanted := d.fields[path]
		has, found, _ := unstructured.NestedFieldNoCopy(is, strings.Split(path[1:], "/")...)
		switch {
		case wanted && !reflect.DeepEqual(want, has):
			operations = append(operations, operation{"add", path, want})
		case !wanted && found:
			operations = append(operations, operation{Op: "remove", Path: path})
		}
	}
	if operations == nil {
		return nil, nil
	}
	return json.Marshal(operations)
}

// uncounted is an error if what a user gives has what looks like a UID or a resourceVersion of a model: it would be
// renamed, and what differs in it be taken for one.
func (x *explorer) uncounted(of, key string, body []byte) error {
	for _, t := range x.server.Tokens(body) {
		if !kubestate.IsName(t.Number) {
			return final{fmt.Errorf("settle: %s: %s has %q, which is what resourceVersions and UIDs look like here, and is counted anew in each state: give it another value", of, short(key), body[t.At:t.End()])}
		}
	}
	return nil
}
