package regression

import (
	"context"
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/internal/manager"
)

// ask makes a request to the API server when it is let through.
func (r *Regression) ask(verb string, o runtime.Object, subresource string, request func(*puppet) error) error {
	resource := r.resource(o)
	if subresource != "" {
		resource += "/" + subresource
	}
	return r.let(verb+" "+resource, request)
}

// inquire makes a request to a settle.System when it is let through.
func (r *Regression) inquire(system string, request func() error) error {
	return r.let(system, func(*puppet) error { return request() })
}

// let waits until a request is let through, by what lines call it, and makes it. Handlers do not wait.
func (r *Regression) let(title string, request func(*puppet) error) error {
	p := r.active
	if p == nil {
		return request(nil)
	}
	timeout := apierrors.NewTimeoutError("the request did not complete in time", 1)
	select {
	case p.asks <- title:
	case <-r.context().Done():
		return timeout
	}
	var a Answer
	select {
	case a = <-p.answers:
	case <-r.context().Done():
		return timeout
	}
	if a == Failed {
		return timeout
	}
	if err := request(p); err != nil || a == Done {
		return err
	}
	return timeout
}

// write is a request that changes something: contracts are asked about it.
func (r *Regression) write(verb string, o client.Object, subresource string, sent func() ([]byte, types.PatchType, error), request func() error) error {
	return r.ask(verb, o, subresource, func(p *puppet) error {
		kind, err := r.live.GroupVersionKindFor(o)
		if err != nil || p == nil {
			return request()
		}
		body, patch, wrong := sent()
		w := settle.Write{Actor: p.controller.name, Verb: verb, Kind: kind, Key: client.ObjectKeyFromObject(o), Subresource: subresource, Sent: body, Patch: patch, Cluster: r.systems.Reader(before{r})}
		was := r.get(kind, w.Key)
		w.Err = request()
		if w.Err == nil && (verb == "delete" || verb == "deletecollection") {
			if err := r.deleted(kind); err != nil {
				return err
			}
		}
		is := was
		if w.Err == nil {
			is = r.get(kind, client.ObjectKeyFromObject(o))
		}
		if verb == "create" && subresource == "" && w.Err == nil {
			r.drawn = o.GetName()
		}
		if f := p.controller.process.frozen[manager.Source{Kind: kind, Form: manager.FormOf(o)}]; f != nil && w.Err == nil && !p.dead {
			f.wrote = p.controller.process.ReadYourWrites
		}
		if wrong == nil && r.broken == nil {
			r.broken = r.config.Heed(w, was, is)
		}
		return w.Err
	})
}

// get is an object as it is, nil if there is none.
func (r *Regression) get(kind schema.GroupVersionKind, key client.ObjectKey) client.Object {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	if key.Name == "" || r.live.Get(r.Context(), key, o) != nil {
		return nil
	}
	return o
}

// before reads what there was after the last step, of what is watched; the rest as it is.
type before struct{ of *Regression }

func (b before) past(o runtime.Object) (cache, bool) {
	r := b.of
	if len(r.processes) == 0 {
		return cache{}, false
	}
	c := cache{&process{of: r, manager: r.processes[0].manager, frozen: map[manager.Source]*frozen{}}}
	s, err := c.source(o)
	if err != nil {
		return c, false
	}
	objects, known := r.world[s]
	if !known && s.Form == manager.Metadata {
		var all []client.Object
		all, known = r.world[manager.Source{Kind: s.Kind}]
		for _, o := range all {
			objects = append(objects, metadata(o))
		}
	}
	c.of.frozen[s] = &frozen{objects: objects}
	return c, known
}

// metadata are those of an object.
func metadata(o client.Object) client.Object {
	out := &metav1.PartialObjectMetadata{}
	text, _ := json.Marshal(o)    // it was read from JSON
	_ = json.Unmarshal(text, out) // as above
	return out
}

// Get is part of client.Reader.
func (b before) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	if c, ok := b.past(o); ok {
		return c.Get(ctx, key, o, opts...)
	}
	return b.of.live.Get(ctx, key, o, opts...)
}

// List is part of client.Reader.
func (b before) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if c, ok := b.past(list); ok {
		return c.List(ctx, list, opts...)
	}
	return b.of.live.List(ctx, list, opts...)
}

// body is an object as it is sent.
func (r *Regression) body(o client.Object) func() ([]byte, types.PatchType, error) {
	text, err := json.Marshal(r.fieldsOf(o))
	return func() ([]byte, types.PatchType, error) { return text, "", err }
}

func (r *Regression) fieldsOf(o client.Object) client.Object {
	out := copied(o)
	if kind, err := r.live.GroupVersionKindFor(o); err == nil {
		out.GetObjectKind().SetGroupVersionKind(kind)
	}
	return out
}

// patched is a patch as it is sent.
func (r *Regression) patched(o client.Object, patch client.Patch) func() ([]byte, types.PatchType, error) {
	text, err := patch.Data(r.fieldsOf(o))
	return func() ([]byte, types.PatchType, error) { return text, patch.Type(), err }
}

// deletion are the options of a deletion as they are sent.
func deletion(options *metav1.DeleteOptions) func() ([]byte, types.PatchType, error) {
	options.TypeMeta = metav1.TypeMeta{Kind: "DeleteOptions", APIVersion: "v1"}
	text, err := json.Marshal(options)
	return func() ([]byte, types.PatchType, error) { return text, "", err }
}

// asking is a client whose requests wait until they are let through.
func (r *Regression) asking(c client.WithWatch) client.Client {
	return interceptor.NewClient(c, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			return r.ask("get", o, "", func(*puppet) error { return c.Get(ctx, key, o, opts...) })
		},
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			return r.ask("list", list, "", func(*puppet) error { return c.List(ctx, list, opts...) })
		},
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			return r.write("create", o, "", r.body(o), func() error { return c.Create(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return r.write("update", o, "", r.body(o), func() error { return c.Update(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
			return r.write("patch", o, "", r.patched(o, patch), func() error { return c.Patch(ctx, o, patch, opts...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
			options := client.DeleteOptions{}
			options.ApplyOptions(opts)
			return r.write("delete", o, "", deletion(options.AsDeleteOptions()), func() error { return c.Delete(ctx, o, opts...) })
		},
		DeleteAllOf: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteAllOfOption) error {
			options := client.DeleteAllOfOptions{}
			options.ApplyOptions(opts)
			return r.write("deletecollection", o, "", deletion(options.AsDeleteOptions()), func() error { return c.DeleteAllOf(ctx, o, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption) error {
			return r.write("update", o, sub, r.body(o), func() error { return c.SubResource(sub).Update(ctx, o, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			return r.write("patch", o, sub, r.patched(o, patch), func() error { return c.SubResource(sub).Patch(ctx, o, patch, opts...) })
		},
	})
}
