package regression

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// patience is how long a cluster may take for what it does by itself.
const patience = 30 * time.Second

// Await waits for what the cluster's own controllers do: that there is an object ("pods",
// "default/web-0"), and that a field of it is so ("status.phase", "Running"), unless that is empty.
// The test fails if it is not within half a minute.
func (r *Regression) Await(resource, key, field, value string) {
	r.Helper()
	kind, err := r.live.RESTMapper().KindFor(schema.GroupVersionResource{Resource: resource})
	if err != nil {
		r.Fatal(err)
	}
	at := r.key(key)
	is := func(o client.Object) bool {
		u, ok := o.(*unstructured.Unstructured)
		if !ok || field == "" {
			return ok
		}
		got, found, _ := unstructured.NestedFieldNoCopy(u.Object, strings.Split(field, ".")...)
		return found && fmt.Sprint(got) == value
	}
	ctx, end := context.WithTimeout(r.Context(), patience)
	defer end()
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	one := &client.ListOptions{Namespace: at.Namespace, FieldSelector: fields.OneTermEqualSelector(metav1.ObjectNameField, at.Name)}
	changes, err := r.live.Watch(ctx, list, one) // from what there is on
	if err != nil {
		r.Fatal(err)
	}
	defer changes.Stop()
	for e := range changes.ResultChan() {
		if o, ok := e.Object.(client.Object); ok && e.Type != watch.Deleted && is(o) {
			r.step(nil)
			return
		}
	}
	r.Fatalf("regression: nobody here has %s %s come to be, %s %s, within %s: does the cluster have the controllers for it?", resource, at, field, value, patience)
}
