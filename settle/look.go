package settle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// caching says what a manager's client reads from caches, as the one of controller-runtime
// decides it (pkg/client, shouldBypassCache).
type caching struct {
	unstructured bool
	live         []schema.GroupVersionKind
}

func (c *scripted) caching(o *client.CacheOptions) (*caching, error) {
	out := &caching{unstructured: o.Unstructured}
	for _, like := range o.DisableFor {
		kind, err := c.GroupVersionKindFor(like)
		if err != nil {
			return nil, err
		}
		out.live = append(out.live, kind)
	}
	return out, nil
}

// reads tells whether an object or a list of a kind is read from a cache; without any, it is not.
func (c *caching) reads(kind schema.GroupVersionKind, form manager.Form) bool {
	return c != nil && !slices.Contains(c.live, kind) && (c.unstructured || form != manager.Unstructured)
}

// reader reads from caches only, or from the API server only.
type reader struct {
	client *scripted
	cached bool
}

// Get is part of client.Reader.
func (r reader) Get(ctx context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	of, err := r.client.resource(o)
	if err != nil {
		return err
	}
	return r.client.get(ctx, of, key, o, r.cached)
}

// List is part of client.Reader.
func (r reader) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	of, err := r.client.resource(list)
	if err != nil {
		return err
	}
	return r.client.list(of, list, r.cached, opts)
}

// looking answers reads from a state, and refuses to write.
type looking func(*call) answer

func (l looking) ask(c *call) *answer {
	if c.write != nil {
		return refuse{errors.New("only reconcilers write")}.ask(c)
	}
	a := l(c)
	return &a
}

// nobody is the process of those who have none.
const nobody = -1

// look answers a read of a process from a state.
func (x *explorer) look(s kubestate.State, process int, c *call) answer {
	out := answer{call: c.text}
	if c.part != nil {
		_, response := x.server.Do(s, c.part)
		if out.drawn = response.Body; response.Status != nil {
			out.status, out.drawn = response.Body, nil
		}
		return out
	}
	if !c.list {
		if out.object = s.Get(c.key); out.object == nil {
			name := c.key[strings.LastIndexByte(c.key, '/')+1:]
			out.status = status(apierrors.NewNotFound(c.resource.Resource.GroupResource(), name))
		}
		return out
	}
	selected, err := x.selected(s, process, c)
	if err != nil {
		out.status = status(err)
		return out
	}
	for o := range s.Under(c.key) {
		if (c.labels == nil || c.labels.Matches(labels.Set(o.Meta().GetLabels()))) && selected(o) {
			out.list = append(out.list, o)
		}
	}
	return out
}

// selected tells which objects a list chooses by fields. In a cache that are those for which an
// index of the process says so, and without the index it is an error (pkg/cache/internal,
// byIndexes); the API server knows fields of its own. Nobody's lists may use either.
func (x *explorer) selected(s kubestate.State, process int, c *call) (func(*kubestate.Object) bool, *apierrors.StatusError) {
	if c.field == nil || c.field.Empty() {
		return func(*kubestate.Object) bool { return true }, nil
	}
	if process != nobody && !c.cached {
		return x.served(s, c)
	}
	var of []client.IndexerFunc
	for _, r := range c.field.Requirements() {
		extract := x.index(process, manager.Index{Source: c.source(), Field: r.Field})
		switch {
		case extract == nil && process == nobody:
			return x.served(s, c)
		case extract == nil:
			return nil, apierrors.NewInternalError(fmt.Errorf("Index with name field:%s does not exist: mgr.GetFieldIndexer().IndexField makes one", r.Field)) //nolint:staticcheck // as the cache says it
		case r.Operator == selection.NotEquals:
			return nil, apierrors.NewInternalError(errors.New("non-exact field matches are not supported by the cache"))
		}
		of = append(of, extract)
	}
	return func(o *kubestate.Object) bool {
		typed, err := x.typedFor(o, c)
		if err != nil {
			x.fail(err)
			return false
		}
		for i, r := range c.field.Requirements() {
			var values []string
			if wrong := guarded(func() { values = of[i](typed) }); wrong != nil {
				x.fail(fmt.Errorf("settle: the index %s of %s %w", r.Field, c.resource.Kind.Kind, wrong))
				return false
			}
			if !slices.Contains(values, r.Value) {
				return false
			}
		}
		return true
	}, nil
}

// index is what a process, or any if it is nobody's, looks a field up by.
func (x *explorer) index(process int, of manager.Index) client.IndexerFunc {
	for i, indexes := range x.indexes {
		if process != i && process != nobody {
			continue
		}
		if extract := indexes[of]; extract != nil {
			return extract
		}
	}
	return nil
}

// typedFor is an object as the index of a call's source is given it.
func (x *explorer) typedFor(o *kubestate.Object, c *call) (client.Object, error) {
	like := reflect.TypeFor[*unstructured.Unstructured]()
	switch c.form {
	case manager.Metadata:
		like = reflect.TypeFor[*metav1.PartialObjectMetadata]()
	case manager.Typed:
		one, err := x.config.Scheme.New(c.resource.Kind)
		if err != nil {
			return nil, err
		}
		like = reflect.TypeOf(one)
	}
	from, err := x.types.as(o, like)
	if err != nil {
		return nil, err
	}
	out, _ := from.DeepCopyObject().(client.Object)
	return out, nil
}

// served are the objects that the API server chooses by fields.
func (x *explorer) served(s kubestate.State, c *call) (func(*kubestate.Object) bool, *apierrors.StatusError) {
	_, response := x.server.Do(s, &kubestate.Request{
		Verb: "list", Resource: c.resource.Resource, Namespace: c.namespace(), Options: url.Values{"fieldSelector": {c.field.String()}},
	})
	if response.Status != nil {
		return nil, &apierrors.StatusError{ErrStatus: *response.Status}
	}
	var found metav1.PartialObjectMetadataList
	if err := json.Unmarshal(response.Body, &found); err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	keys := map[string]bool{}
	for _, o := range found.Items {
		keys[c.resource.Prefix(o.Namespace)+o.Name] = true
	}
	return func(o *kubestate.Object) bool { return keys[o.Key()] }, nil
}

// namespace is that of a list; empty for all.
func (c *call) namespace() string {
	return strings.Trim(strings.TrimPrefix(c.key, c.resource.Prefix("")), "/")
}
