package regression

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// Create has users ask for one of Desired, by its place from 0.
func (r *Regression) Create(i int) {
	r.Helper()
	r.step(r.live.Create(r.Context(), copied(r.desired(i))))
}

func (r *Regression) desired(i int) client.Object {
	r.Helper()
	if i >= len(r.config.Desired) {
		r.Fatalf("regression: users ask for number %d, and Desired has %d: it is one of those that Vary makes; add it to Desired", i, len(r.config.Desired))
	}
	return r.config.Desired[i]
}

// Change has users want another of Desired, which is there under its name: what they say of any of
// that name is as this one has it, and all else stays.
func (r *Regression) Change(i int) {
	r.Helper()
	to := r.desired(i)
	is := r.fields(to)
	if err := r.live.Get(r.Context(), client.ObjectKeyFromObject(to), is); err != nil {
		r.Fatal(err)
	}
	for _, o := range slices.Concat(r.config.Desired, []client.Object{to}) {
		if o.GetNamespace() != to.GetNamespace() || o.GetName() != to.GetName() || r.fields(o).GroupVersionKind() != is.GroupVersionKind() {
			continue
		}
		say(is.Object, r.fields(o).Object, o == to)
	}
	r.step(r.live.Update(r.Context(), is))
}

// say sets in an object what users say in another; or takes it out.
func say(is, of map[string]any, set bool) {
	put := func(to map[string]any, name string, value any) {
		if set {
			to[name] = value
		} else {
			delete(to, name)
		}
	}
	for name, value := range of {
		switch name {
		case "apiVersion", "kind", "metadata", "status":
		default:
			put(is, name, value)
		}
	}
	from, _ := of["metadata"].(map[string]any)
	to, _ := is["metadata"].(map[string]any)
	for _, name := range []string{"labels", "annotations"} {
		if value, found := from[name]; found {
			put(to, name, value)
		}
	}
}

// fields are an object as maps.
func (r *Regression) fields(o client.Object) *unstructured.Unstructured {
	r.Helper()
	kind, err := apiutil.GVKForObject(o, r.live.Scheme())
	if err != nil {
		r.Fatal(err)
	}
	text, err := json.Marshal(o)
	u := &unstructured.Unstructured{}
	if err == nil {
		err = json.Unmarshal(text, &u.Object)
	}
	if err != nil {
		r.Fatal(err)
	}
	u.SetGroupVersionKind(kind)
	return u
}

// Delete has somebody delete an object, by its resource and its key: "secrets", "default/shop". What
// is gone already is no error, since a garbage collector may have been faster.
func (r *Regression) Delete(resource, key string) {
	r.Helper()
	kind, err := r.live.RESTMapper().KindFor(schema.GroupVersionResource{Resource: resource})
	if err != nil {
		r.Fatal(err)
	}
	o := &metav1.PartialObjectMetadata{}
	o.SetGroupVersionKind(kind)
	at := r.key(key)
	o.SetNamespace(at.Namespace)
	o.SetName(at.Name)
	if err := client.IgnoreNotFound(r.live.Delete(r.Context(), o)); err != nil {
		r.Fatal(err)
	}
	r.step(r.deleted(kind))
}

// Named says what the trace calls the object that the last step created, whose name was drawn: by the API server, or
// by who created it. If the step has created none, as with a mended reconciler, nothing has that name.
func (r *Regression) Named(name string) {
	if r.drawn != "" {
		r.names[name], r.drawn = r.drawn, ""
	}
}

// key is what a trace calls an object; its name may have been drawn.
func (r *Regression) key(text string) client.ObjectKey {
	namespace, name, found := strings.Cut(text, "/")
	if !found {
		namespace, name = "", text
	}
	if drawn, ok := r.names[name]; ok {
		name = drawn
	}
	return client.ObjectKey{Namespace: namespace, Name: name}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
