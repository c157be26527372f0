package regression

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/seatrial/seatrial/settle/internal/manager"
)

// frozen is a cache that is behind: what it had when it stopped, and the events that it missed.
type frozen struct {
	objects []client.Object
	missed  []change
	// part is how far it goes on first; what it has not missed until then is missed there.
	part *frozen
	// wrote: the process has written something of it, and reads its own writes.
	wrote bool
}

// Stop has a cache of a process stop: it has what there is now until it goes on. It is named by its
// resource, with the form in which it is read where there are several: "secrets (metadata)".
func (r *Regression) Stop(process, cache string) {
	r.Helper()
	p, source, now := r.now(process, cache)
	p.frozen[source] = now
}

// Send notes how far a cache goes on first that has stopped (GoOnByPart): to what there is now.
func (r *Regression) Send(process, cache string) {
	r.Helper()
	p, source, now := r.now(process, cache)
	if f := p.frozen[source]; f != nil {
		f.part = now
	}
}

// GoOnByPart has a cache go on as far as Send has noted, and hear what happened until then.
func (r *Regression) GoOnByPart(process, cache string) {
	r.Helper()
	p, source := r.cache(process, cache)
	f := p.frozen[source]
	if f == nil || f.part == nil {
		return
	}
	p.frozen[source] = f.part
	for _, e := range f.missed {
		p.tell(source, e)
	}
	r.step(nil)
}

// Lag has an API server fall behind: what it has now of what a cache is for, it lists to the process that
// KillToOlder begins.
func (r *Regression) Lag(process, cache string) {
	r.Helper()
	p, source, now := r.now(process, cache)
	p.older[source] = now
}

// now is a cache that a trace names as it is if it stops now.
func (r *Regression) now(name, title string) (*process, manager.Source, *frozen) {
	r.Helper()
	p, source := r.cache(name, title)
	all, err := r.list(source)
	if err != nil {
		r.Fatal(err)
	}
	return p, source, &frozen{objects: all}
}

// GoOn has a cache go on that has stopped: it hears all that it missed.
func (r *Regression) GoOn(process, cache string) {
	r.Helper()
	p, source := r.cache(process, cache)
	p.goOn(source)
	r.step(nil)
}

func (p *process) goOn(source manager.Source) {
	p.of.Helper()
	f := p.frozen[source]
	if f == nil {
		return
	}
	delete(p.frozen, source)
	for ; f != nil; f = f.part {
		for _, e := range f.missed {
			p.tell(source, e)
		}
	}
}

// Relist has a cache go on that has stopped by listing all anew: it hears of the difference only,
// and nothing of what came and went.
func (r *Regression) Relist(process, cache string) {
	r.Helper()
	p, source := r.cache(process, cache)
	if f := p.frozen[source]; f != nil {
		delete(p.frozen, source)
		for _, e := range relisted(f.objects, r.world[source]) {
			p.tell(source, e)
		}
	}
	r.step(nil)
}

// relisted is the difference between what a cache had and what there is, as an informer tells it:
// what went and came again has changed.
func relisted(had, is []client.Object) (all []change) {
	for _, e := range difference(had, is) {
		again := slices.IndexFunc(all, func(gone change) bool {
			return gone.after == nil && e.before == nil && client.ObjectKeyFromObject(gone.before) == client.ObjectKeyFromObject(e.after)
		})
		switch {
		case again >= 0:
			all[again] = change{before: all[again].before, after: e.after}
		default:
			e.missed = e.after == nil
			all = append(all, e)
		}
	}
	return all
}

// stopped are the caches of a process that are behind, in order.
func (p *process) stopped() (all []manager.Source) {
	for source := range p.frozen {
		all = append(all, source)
	}
	slices.SortFunc(all, manager.Source.Compare)
	return all
}

var forms = map[string]manager.Form{"typed": manager.Typed, "unstructured": manager.Unstructured, "metadata": manager.Metadata}

// cache is that of a process which a trace names. Where it does not say in which form it is read,
// that is the one in which the process watches it, or what is typed.
func (r *Regression) cache(name, title string) (*process, manager.Source) {
	r.Helper()
	resource, form, said := strings.Cut(title, " (")
	kind, err := r.live.RESTMapper().KindFor(schema.GroupVersionResource{Resource: resource})
	if err != nil {
		r.Fatal(err)
	}
	p, source := r.process(name), manager.Source{Kind: kind}
	if said {
		source.Form = forms[strings.TrimSuffix(form, ")")]
		return p, source
	}
	for _, watched := range p.sources() {
		if watched.Kind.GroupKind() == kind.GroupKind() {
			return p, watched
		}
	}
	return p, source
}

// list is what there is of a source.
func (r *Regression) list(s manager.Source) (all []client.Object, err error) {
	kind := s.Kind.GroupVersion().WithKind(s.Kind.Kind + "List")
	var list client.ObjectList
	switch s.Form {
	case manager.Unstructured:
		list = &unstructured.UnstructuredList{}
	case manager.Metadata:
		list = &metav1.PartialObjectMetadataList{}
	default:
		o, err := r.live.Scheme().New(kind)
		if err != nil {
			return nil, err
		}
		list, _ = o.(client.ObjectList)
	}
	if s.Form != manager.Typed {
		list.GetObjectKind().SetGroupVersionKind(kind)
	}
	if err := r.live.List(r.Context(), list); err != nil {
		return nil, err
	}
	err = meta.EachListItem(list, func(o runtime.Object) error {
		o.GetObjectKind().SetGroupVersionKind(s.Kind)
		all = append(all, o.(client.Object))
		return nil
	})
	return all, err
}

// cache is what the caches of a process have. It is a client.Reader.
type cache struct{ of *process }

func (c cache) source(o runtime.Object) (manager.Source, error) {
	kind, err := apiutil.GVKForObject(o, c.of.of.live.Scheme())
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	return manager.Source{Kind: kind, Form: manager.FormOf(o)}, err
}

// objects are what the cache of a source has. A process that reads its own writes waits for them, and
// has what there is from then on.
func (c cache) objects(s manager.Source) ([]client.Object, error) {
	if f := c.of.frozen[s]; f != nil && !f.wrote {
		return f.objects, nil
	}
	return c.of.of.list(s)
}

// Get is part of client.Reader.
func (c cache) Get(_ context.Context, key client.ObjectKey, to client.Object, _ ...client.GetOption) error {
	s, err := c.source(to)
	if err != nil {
		return err
	}
	all, err := c.objects(s)
	if err != nil {
		return err
	}
	for _, o := range all {
		if client.ObjectKeyFromObject(o) == key {
			reflect.ValueOf(to).Elem().Set(reflect.ValueOf(o.DeepCopyObject()).Elem())
			return nil
		}
	}
	m, err := c.of.of.mapping(s)
	if err != nil {
		return err
	}
	return apierrors.NewNotFound(m.Resource.GroupResource(), key.Name)
}

// List is part of client.Reader.
func (c cache) List(_ context.Context, to client.ObjectList, opts ...client.ListOption) error {
	s, err := c.source(to)
	if err != nil {
		return err
	}
	all, err := c.objects(s)
	if err != nil {
		return err
	}
	o := client.ListOptions{}
	o.ApplyOptions(opts)
	var found []runtime.Object
	for _, one := range all {
		chosen, err := c.chosen(s, one, &o)
		if err != nil {
			return err
		}
		if chosen {
			found = append(found, one.DeepCopyObject())
		}
	}
	return meta.SetList(to, found)
}

// chosen tells whether an object is one that a list chooses: by fields only where the process has an
// index of them, as caches do.
func (c cache) chosen(s manager.Source, one client.Object, o *client.ListOptions) (bool, error) {
	if o.Namespace != "" && one.GetNamespace() != o.Namespace || o.LabelSelector != nil && !o.LabelSelector.Matches(labels.Set(one.GetLabels())) {
		return false, nil
	}
	if o.FieldSelector == nil {
		return true, nil
	}
	for _, q := range o.FieldSelector.Requirements() {
		extract := c.of.manager.Indexes()[manager.Index{Source: s, Field: q.Field}]
		switch {
		case extract == nil:
			return false, fmt.Errorf("Index with name field:%s does not exist", q.Field) //nolint:staticcheck // as the cache says it
		case q.Operator == selection.NotEquals:
			return false, errors.New("non-exact field matches are not supported by the cache")
		case !slices.Contains(extract(copied(one)), q.Value):
			return false, nil
		}
	}
	return true, nil
}
