package settle

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
	if c.list {
		for o := range s.Under(c.key) {
			if c.matches(o, func(kind schema.GroupVersionKind, field string, o *kubestate.Object) []string {
				return x.field(process, kind, field, o)
			}) {
				out.list = append(out.list, o)
			}
		}
		return out
	}
	if out.object = s.Get(c.key); out.object == nil {
		name := c.key[strings.LastIndexByte(c.key, '/')+1:]
		out.status = status(apierrors.NewNotFound(c.resource.Resource.GroupResource(), name))
	}
	return out
}

// field is what an object has for a field that a list chooses by: what the user's own index
// says.
func (x *explorer) field(process int, kind schema.GroupVersionKind, field string, o *kubestate.Object) []string {
	var extract client.IndexerFunc
	for i, indexes := range x.indexes {
		if of := indexes[manager.Index{Kind: kind, Field: field}]; of != nil && (process == i || process == nobody) {
			extract = of
		}
	}
	if extract == nil {
		return nil
	}
	like, err := x.config.Scheme.New(kind)
	if err != nil {
		return nil
	}
	from, err := x.types.as(o, reflect.TypeOf(like))
	if err != nil {
		return nil
	}
	return extract(from.DeepCopyObject().(client.Object))
}
