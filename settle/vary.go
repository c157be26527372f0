package settle

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// Field is a field that users change, with what they change it to.
type Field struct {
	// Path is its place, with dots: "spec.replicas".
	Path string
	// Values are beside what Desired has; nil among them is the field left out.
	Values []any
}

// vary are a resource with each field changed by itself, and with each two of them. What
// goes wrong when two fields change at once is not found by changing one after the other:
// reconcilers see both in one event.
func vary(base map[string]any, fields []Field) (all []map[string]any, err error) {
	all = append(all, base)
	one := func(from map[string]any, f Field) (changed []map[string]any, err error) {
		path := strings.Split(f.Path, ".")
		for _, v := range f.Values {
			to := (&unstructured.Unstructured{Object: from}).DeepCopy().Object
			if v == nil {
				unstructured.RemoveNestedField(to, path...)
			} else if err := set(to, v, path); err != nil {
				return nil, fmt.Errorf("settle: Vary: %s: %w", f.Path, err)
			}
			changed = append(changed, to)
		}
		return changed, nil
	}
	for i, f := range fields {
		single, err := one(base, f)
		if err != nil {
			return nil, err
		}
		all = append(all, single...)
		for _, from := range single {
			for _, g := range fields[i+1:] {
				pairs, err := one(from, g)
				if err != nil {
					return nil, err
				}
				all = append(all, pairs...)
			}
		}
	}
	return all, nil
}

// set sets a field to a value of any type that is JSON.
func set(o map[string]any, v any, path []string) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return unstructured.SetNestedField(o, value, path...)
}

// varied are all that users may ask for. Of what Vary makes, what the API server refuses
// is left out.
func (x *explorer) varied() ([]client.Object, error) {
	if len(x.config.Vary) == 0 {
		return x.config.Desired, nil
	}
	var all []client.Object
	seen := map[string]bool{}
	c := &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper}
	for _, o := range x.config.Desired {
		body, err := c.body(o)
		if err != nil {
			return nil, fmt.Errorf("settle: Desired %T: %w", o, err)
		}
		var base map[string]any
		if err := json.Unmarshal(body, &base); err != nil {
			return nil, err
		}
		made, err := vary(base, x.config.Vary)
		if err != nil {
			return nil, err
		}
		for i, fields := range made {
			text, err := json.Marshal(fields)
			if err != nil {
				return nil, err
			}
			if seen[string(text)] || i > 0 && !x.accepted(o, text) {
				continue
			}
			seen[string(text)] = true
			to, _ := reflect.New(reflect.TypeOf(o).Elem()).Interface().(client.Object)
			if err := json.Unmarshal(text, to); err != nil {
				return nil, fmt.Errorf("settle: Vary: %T: %w", o, err)
			}
			all = append(all, to)
		}
	}
	return all, nil
}

// accepted tells whether the API server lets users create this.
func (x *explorer) accepted(like client.Object, body []byte) bool {
	d, err := x.newDesired(like)
	if err != nil {
		return false
	}
	_, response := x.server.Do(kubestate.State{}, &kubestate.Request{Verb: "create", Resource: d.resource.Resource, Namespace: like.GetNamespace(), Body: body, Agent: "user"})
	return response.Status == nil
}
