package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// establishMax bounds how long a CRD may take until it is served: seconds, unless the machine has much else to do.
const establishMax = 2 * time.Minute

// SetupError is about what is set up before any run.
type SetupError struct{ Err error }

// Error is one line.
func (e *SetupError) Error() string { return "the setup: " + e.Err.Error() }

// Unwrap is the error of the API server.
func (e *SetupError) Unwrap() error { return e.Err }

// Place is where in the manifests of the setup it is wrong, as file:line; otherwise what else there is.
func (e *SetupError) Place(setup experiment.Manifests, otherwise string) string {
	var wrong *ObjectError
	if !errors.As(e, &wrong) {
		return otherwise
	}
	return cmp.Or(setup.Place(wrong.Object), otherwise)
}

// Setup applies objects in an order in which they can be created: namespaces and
// CRDs first. It returns when the API server serves the CRDs.
func (d *Driver) Setup(ctx context.Context, objects []history.Object) error {
	ordered := slices.Clone(objects)
	slices.SortStableFunc(ordered, func(a, b history.Object) int { return rank(a) - rank(b) })
	first := slices.IndexFunc(ordered, func(o history.Object) bool { return rank(o) == others })
	if first < 0 {
		first = len(ordered)
	}
	if err := d.Apply(ctx, ordered[:first]); err != nil {
		return err
	}
	for _, o := range ordered[:first] {
		if o.Text("kind") == crdKind {
			if err := d.established(ctx, o); err != nil {
				return &ObjectError{o, fmt.Errorf("CustomResourceDefinition %s: %w", o.Text("metadata", "name"), err)}
			}
		}
	}
	return d.Apply(ctx, ordered[first:])
}

const (
	crdKind = "CustomResourceDefinition"
	others  = 2
)

func rank(o history.Object) int {
	switch o.Text("kind") {
	case "Namespace":
		return 0
	case crdKind:
		return 1
	}
	return others
}

// established waits until a CRD is served: the API server says that it is, and then
// answers a list.
func (d *Driver) established(ctx context.Context, crd history.Object) error {
	ctx, cancel := context.WithTimeoutCause(ctx, establishMax, errors.New("the API server does not serve it"))
	defer cancel()
	for {
		is, err := d.awaitEstablished(ctx, crd.Text("metadata", "name"))
		if err != nil {
			return err
		}
		if is != nil {
			return d.served(ctx, is)
		}
		if err := pause(ctx, nil, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// awaitEstablished waits for the condition of a CRD by a watch; nil if that ends before, as it may where there is much
// to do.
func (d *Driver) awaitEstablished(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	crds := d.client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	w, err := crds.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case e, open := <-w.ResultChan():
			if !open {
				return nil, context.Cause(ctx)
			}
			if u, ok := e.Object.(*unstructured.Unstructured); ok && e.Type != watch.Deleted && isEstablished(u) {
				return u, nil
			}
		}
	}
}

func isEstablished(crd *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(c any) bool {
		m, _ := c.(map[string]any)
		return m["type"] == "Established" && m["status"] == "True"
	})
}

// served waits until a list of the resource is answered: the handlers follow the
// condition by a moment.
func (d *Driver) served(ctx context.Context, crd *unstructured.Unstructured) error {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
	for {
		m, err := d.mapping(ctx, func(mapper meta.RESTMapper) (*meta.RESTMapping, error) {
			return mapper.RESTMapping(schema.GroupKind{Group: group, Kind: kind})
		})
		if err == nil {
			_, err = d.client.Resource(m.Resource).List(ctx, metav1.ListOptions{Limit: 1})
		}
		if err == nil || !meta.IsNoMatchError(err) && !apierrors.IsNotFound(err) && !apierrors.IsServiceUnavailable(err) {
			return err
		}
		if err := pause(ctx, nil, 20*time.Millisecond); err != nil {
			return err
		}
	}
}
