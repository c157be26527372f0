package kubestate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestScaleManagers: the scale subresource makes managers without a time. Of two with the same
// name the one with a time is the one that is read, whatever order a map has.
func TestScaleManagers(t *testing.T) {
	type step struct {
		replicas int
		written  bool
		managers []string
	}
	tests := map[string][]step{
		"to as many": {{1, true, []string{"u size", "u name"}}, {1, true, []string{"u name"}}, {1, false, []string{"u name"}}},
		"to more":    {{2, true, []string{"u name", "u/scale size"}}, {2, false, []string{"u name", "u/scale size"}}},
	}
	for range 10 { // as maps are in no order
		for name, steps := range tests {
			server := newTestServer(t)
			r := Request{Verb: "create", Resource: resources["foos"], Namespace: "default", Agent: "u", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"size":1,"name":"x"}}`)}
			state, _ := server.Do(State{}, &r)
			for i, s := range steps {
				scale := r
				scale.Verb, scale.Name, scale.Subresource, scale.Patch = "patch", "a", "scale", mergePatch
				scale.Body = fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, s.replicas)
				var a *Response
				state, a = server.Do(state, &scale)
				if written := len(a.Events) == 1; written != s.written {
					t.Errorf("%s, %d: written: %t, want %t", name, i, written, s.written)
				}
				if got := managersOf(state.Get("/example.com/foos/default/a")); !slices.Equal(got, s.managers) {
					t.Errorf("%s, %d: managers %q, want %q", name, i, got, s.managers)
				}
			}
		}
	}
}

// managersOf are who manages an object, with the fields of its spec.
func managersOf(o *Object) []string {
	var all []string
	for _, m := range o.Meta().GetManagedFields() {
		name := m.Manager
		if m.Subresource != "" {
			name += "/" + m.Subresource
		}
		fields, _ := asJSON(m.FieldsV1.Raw).(map[string]any)
		spec, _ := fields["f:spec"].(map[string]any)
		all = append(all, name+" "+fieldsOf(spec))
	}
	return all
}

func fieldsOf(spec map[string]any) string {
	var names []string
	for name := range spec {
		if name, ok := strings.CutPrefix(name, "f:"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}
