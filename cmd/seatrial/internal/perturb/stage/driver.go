package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Driver does what users do.
type Driver struct {
	place  Place
	config *rest.Config
	client dynamic.Interface
	mu     sync.Mutex
	mapper meta.RESTMapper
}

// named says in a header who writes.
type named struct {
	actor string
	next  http.RoundTripper
}

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(admin.HeaderActor, n.actor)
	return n.next.RoundTrip(r)
}

// NewDriver writes as an actor.
func NewDriver(p Place, actor string) (*Driver, error) {
	config := rest.CopyConfig(p.Config)
	config.QPS = -1
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return named{actor, next} })
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Driver{place: p, config: config, client: client}, nil
}

// resource finds the interface of a resource; kind is asked for if it has no name.
func (d *Driver) mapping(ctx context.Context, find func(meta.RESTMapper) (*meta.RESTMapping, error)) (*meta.RESTMapping, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mapper != nil {
		if m, err := find(d.mapper); err == nil {
			return m, nil
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // discovery takes none
	}
	// What is not known yet may have come with a CRD.
	client, err := discovery.NewDiscoveryClientForConfig(d.config)
	if err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(client)
	if err != nil && len(groups) == 0 {
		return nil, err
	}
	d.mapper = restmapper.NewDiscoveryRESTMapper(groups)
	return find(d.mapper)
}

// ofObject finds the interface of an object, and what it is called in a history.
func (d *Driver) ofObject(ctx context.Context, o *unstructured.Unstructured) (dynamic.ResourceInterface, history.Key, error) {
	gvk := o.GroupVersionKind()
	m, err := d.mapping(ctx, func(r meta.RESTMapper) (*meta.RESTMapping, error) {
		return r.RESTMapping(gvk.GroupKind(), gvk.Version)
	})
	if err != nil {
		return nil, history.Key{}, fmt.Errorf("%s %s: %w: is its CRD in setup?", o.GetKind(), o.GetName(), err)
	}
	key := history.Key{Resource: m.Resource.GroupResource().String(), Namespace: o.GetNamespace(), Name: o.GetName()}
	switch {
	case m.Scope.Name() != meta.RESTScopeNameNamespace:
		key.Namespace = ""
	case key.Namespace == "":
		key.Namespace = metav1.NamespaceDefault
	}
	return d.in(m, key.Namespace), key, nil
}

func (d *Driver) in(m *meta.RESTMapping, namespace string) dynamic.ResourceInterface {
	if m.Scope.Name() != meta.RESTScopeNameNamespace {
		return d.client.Resource(m.Resource)
	}
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return d.client.Resource(m.Resource).Namespace(namespace)
}

func (d *Driver) of(ctx context.Context, r experiment.Reference) (dynamic.ResourceInterface, error) {
	gr := schema.ParseGroupResource(r.Resource)
	m, err := d.mapping(ctx, func(mapper meta.RESTMapper) (*meta.RESTMapping, error) {
		gvk, err := mapper.KindFor(gr.WithVersion(""))
		if err != nil {
			return nil, err
		}
		return mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r, err)
	}
	return d.in(m, r.Namespace), nil
}

// ObjectError is about one of several objects that were to be applied.
type ObjectError struct {
	Object history.Object
	Err    error
}

// Error is one line.
func (e *ObjectError) Error() string { return e.Err.Error() }

// Unwrap is the error of the API server.
func (e *ObjectError) Unwrap() error { return e.Err }

// Apply creates objects, or changes them to what they say. What the API server refuses is an
// [ObjectError].
func (d *Driver) Apply(ctx context.Context, objects []history.Object) error {
	_, err := d.apply(ctx, objects)
	return err
}

func (d *Driver) apply(ctx context.Context, objects []history.Object) (done Effect, err error) {
	for _, o := range objects {
		u := d.labelled(o)
		r, key, err := d.ofObject(ctx, u)
		if err != nil {
			return done, &ObjectError{o, err}
		}
		var is *unstructured.Unstructured
		if u.GetName() == "" {
			is, err = r.Create(ctx, u, metav1.CreateOptions{FieldManager: fieldManager})
		} else {
			is, err = r.Apply(ctx, u.GetName(), u, metav1.ApplyOptions{FieldManager: fieldManager, Force: true})
		}
		if err != nil {
			return done, &ObjectError{o, fmt.Errorf("apply %s %s: %w", u.GetKind(), u.GetName(), err)}
		}
		key.Name = is.GetName()
		done.wrote(key, is)
	}
	return done, nil
}

// labelled is an object with the labels of the place.
func (d *Driver) labelled(o history.Object) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: o}
	if len(d.place.Labels) == 0 {
		return u
	}
	u = u.DeepCopy()
	labels := u.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, d.place.Labels)
	u.SetLabels(labels)
	return u
}

// Try asks whether an object would be applied, and changes nothing.
func (d *Driver) Try(ctx context.Context, o history.Object) error {
	u := d.labelled(o)
	r, _, err := d.ofObject(ctx, u)
	if err != nil {
		return err
	}
	_, err = r.Apply(ctx, u.GetName(), u, metav1.ApplyOptions{FieldManager: fieldManager, Force: true, DryRun: []string{metav1.DryRunAll}})
	return err
}

// Effect is what of a step has to be seen before its effect is.
type Effect struct {
	// Written are the revisions of the objects that it wrote, as far as they are known.
	Written map[history.Key]int64
	// Gone is an object that is not there any more.
	Gone *experiment.Reference
}

// wrote notes an object as the API server has answered with it; nil if it has not.
func (e *Effect) wrote(key history.Key, o *unstructured.Unstructured) {
	if o == nil {
		return
	}
	if n, err := strconv.ParseInt(o.GetResourceVersion(), 10, 64); err == nil {
		if e.Written == nil {
			e.Written = map[history.Key]int64{}
		}
		e.Written[key] = n
	}
}

const fieldManager = "seatrial"

// Do does a step that is no wait.
func (d *Driver) Do(ctx context.Context, s *experiment.Step) (Effect, error) {
	switch {
	case !s.Apply.IsZero():
		return d.apply(ctx, s.Apply.Objects)
	case s.Patch != nil:
		var sub []string
		if s.Patch.Subresource != "" {
			sub = append(sub, s.Patch.Subresource)
		}
		if len(s.Patch.Operations) > 0 {
			return d.patch(ctx, s.Patch.Object, types.JSONPatchType, s.Patch.Operations, sub...)
		}
		return d.patch(ctx, s.Patch.Object, types.MergePatchType, s.Patch.Merge, sub...)
	case s.Scale != nil:
		return d.scale(ctx, s.Scale)
	case s.Delete != nil:
		return d.delete(ctx, s.Delete)
	case len(s.Run) > 0:
		return Effect{}, d.run(ctx, s.Run)
	}
	return Effect{}, errors.New("a step that does nothing")
}

func (d *Driver) patch(ctx context.Context, o experiment.Reference, form types.PatchType, patch []byte, subresources ...string) (done Effect, err error) {
	r, err := d.of(ctx, o)
	if err != nil {
		return done, err
	}
	is, err := r.Patch(ctx, o.Name, form, patch, metav1.PatchOptions{FieldManager: fieldManager}, subresources...)
	done.wrote(history.Key(o), is)
	return done, err
}

func (d *Driver) scale(ctx context.Context, s *experiment.Scale) (Effect, error) {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"replicas": s.Replicas}})
	if err != nil {
		return Effect{}, err
	}
	done, err := d.patch(ctx, s.Object, types.MergePatchType, patch, "scale")
	if apierrors.IsNotFound(err) { // it, or its subresource
		return d.patch(ctx, s.Object, types.MergePatchType, patch)
	}
	return done, err
}

func (d *Driver) delete(ctx context.Context, s *experiment.Delete) (done Effect, err error) {
	r, err := d.of(ctx, s.Object)
	if err != nil {
		return done, err
	}
	propagation := metav1.DeletionPropagation(s.Propagation)
	if propagation == "" {
		propagation = metav1.DeletePropagationBackground
	}
	if err := r.Delete(ctx, s.Object.Name, metav1.DeleteOptions{PropagationPolicy: &propagation}); err != nil {
		return done, err
	}
	is, err := r.Get(ctx, s.Object.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return Effect{Gone: &s.Object}, nil
	}
	done.wrote(history.Key(s.Object), is)
	return done, err
}

func (d *Driver) run(ctx context.Context, command []string) error {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), "KUBECONFIG="+d.place.Kubeconfig)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", command[0], err, strings.TrimSpace(last(string(out), 500)))
	}
	return nil
}

func last(text string, n int) string {
	if len(text) > n {
		return "…" + text[len(text)-n:]
	}
	return text
}

// Delete deletes an object if it is there.
func (d *Driver) Delete(ctx context.Context, r experiment.Reference) error {
	in, err := d.of(ctx, r)
	if err != nil {
		return err
	}
	return ignoreNotFound(in.Delete(ctx, r.Name, metav1.DeleteOptions{}))
}

// Annotate sets an annotation of an object, or removes it if the value is nil.
func (d *Driver) Annotate(ctx context.Context, r experiment.Reference, name string, value *string) error {
	in, err := d.of(ctx, r)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{name: value}}})
	if err != nil {
		return err
	}
	_, err = in.Patch(ctx, r.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager})
	return ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
