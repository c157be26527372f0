package regression

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// actors are those of the Config's Environment. They are asked what they would do by what the API server
// has, and their writes are made here: an API server alone has nobody else who would.
type actors struct {
	server *kubestate.Server
	all    []environment.Actor
	// foreign is what there was before the test, which is nobody's to change here.
	foreign map[types.UID]bool
}

// cast has the actors of the configuration look at what there is before anything of it is.
func (r *Regression) cast() {
	r.Helper()
	if len(r.config.Environment) == 0 {
		return
	}
	server, err := r.config.Server()
	if err != nil {
		r.Fatal(err)
	}
	r.actors = &actors{server: server, all: r.config.Environment, foreign: map[types.UID]bool{}}
	for _, a := range r.actors.all {
		for o := range r.sees(a).Objects() {
			r.actors.foreign[o.Meta().GetUID()] = true
		}
	}
}

// sees is what an actor sees: what there is of the kinds that it reads.
func (r *Regression) sees(a environment.Actor) environment.World {
	r.Helper()
	server, kinds := r.actors.server, a.Reads()
	if kinds == nil {
		for of := range server.Resources() {
			kinds = append(kinds, of.Kind)
		}
	}
	objects := map[string]*kubestate.Object{}
	for _, kind := range kinds {
		of, served := server.Resource(kind)
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		err := r.live.List(r.Context(), list)
		if !served || a.Reads() == nil && (apierrors.IsNotFound(err) || meta.IsNoMatchError(err)) {
			continue // this API server has not all
		}
		if err != nil {
			r.Fatal(err)
		}
		for i := range list.Items {
			text, err := list.Items[i].MarshalJSON()
			var o *kubestate.Object
			if err == nil {
				o, err = server.Load(of, text)
			}
			if err != nil {
				r.Fatal(err)
			}
			objects[o.Key()] = o
		}
	}
	var all []*kubestate.Object
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		all = append(all, objects[key])
	}
	return environment.NewWorld(server, kubestate.NewState(all, 0))
}

// Act has an actor of the Config's Environment do what a trace says, by its name: "kubelet", "evict pods
// default/web-0". If that is nothing that it would do as things are, nothing happens.
func (r *Regression) Act(name, does string) {
	r.Helper()
	if r.actors == nil || !slices.ContainsFunc(r.actors.all, func(a environment.Actor) bool { return a.Name() == name }) {
		r.Fatalf("regression: there is no actor %q in the Config's Environment", name)
	}
	does, r.drawn = r.actual(does), ""
	if !r.act(func(a environment.Actor, s environment.Step) bool { return a.Name() == name && s.Text == does }) {
		r.Logf("%s has no reason to %s", name, does)
	}
	r.step(nil)
}

// actMax is how many writes actors may make until they are at rest, in one round.
const actMax = 100

// settled has all actors do what they are to do some time, and tells whether there was anything.
func (r *Regression) settled() (any bool) {
	r.Helper()
	if r.actors == nil {
		return false
	}
	fair := func(_ environment.Actor, s environment.Step) bool { return s.Class != "" }
	for range actMax {
		if !r.act(fair) {
			break
		}
		any = true
		r.step(nil)
	}
	return any
}

// act makes the first write of actors that is chosen and that changes anything.
func (r *Regression) act(chosen func(environment.Actor, environment.Step) bool) bool {
	r.Helper()
	for _, a := range r.actors.all {
		w := r.sees(a)
		for _, s := range a.Steps(w) {
			if chosen(a, s) && !r.actors.isForeign(w, s) && r.send(a, s) {
				return true
			}
		}
	}
	return false
}

// isForeign tells whether a step is about what was there before the test.
func (a *actors) isForeign(w environment.World, s environment.Step) bool {
	q := s.Request
	for o := range w.Objects() {
		if a.foreign[o.Meta().GetUID()] && w.Resource(o).Resource == q.Resource && o.Meta().GetNamespace() == q.Namespace && o.Meta().GetName() == q.Name {
			return true
		}
	}
	var body metav1.PartialObjectMetadata
	_ = json.Unmarshal(q.Body, &body) // a patch may be a list, and has no owners then
	return slices.ContainsFunc(body.OwnerReferences, func(owner metav1.OwnerReference) bool { return a.foreign[owner.UID] })
}

// send makes the write of an actor, and tells whether it changed anything. One that is refused is no step.
func (r *Regression) send(a environment.Actor, s environment.Step) bool {
	r.Helper()
	q := s.Request
	kind, err := r.live.RESTMapper().KindFor(q.Resource)
	if err != nil {
		r.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	if q.Verb == "create" && q.Subresource == "" || q.Verb == "update" {
		if err := json.Unmarshal(q.Body, &o.Object); err != nil {
			r.Fatal(err)
		}
		o.SetGroupVersionKind(kind)
	}
	o.SetNamespace(q.Namespace)
	if q.Name != "" {
		o.SetName(q.Name)
	}
	was := r.get(kind, client.ObjectKeyFromObject(o))
	err = r.request(o, &q)
	if err == nil && q.Verb == "delete" {
		err = r.deleted(kind)
	}
	if err != nil {
		r.Logf("%s: %s: %v", a.Name(), s.Text, err)
		return false
	}
	if q.Verb == "create" && q.Subresource == "" {
		r.drawn = o.GetName()
	}
	is := r.get(kind, client.ObjectKeyFromObject(o))
	w := settle.Write{Actor: a.Name(), Verb: q.Verb, Kind: kind, Key: client.ObjectKeyFromObject(o), Subresource: q.Subresource, Sent: q.Body, Patch: types.PatchType(q.Patch), Cluster: r.systems.Reader(before{r})}
	if r.broken == nil {
		r.broken = r.config.Heed(w, was, is)
	}
	return was == nil || is == nil || was.GetResourceVersion() != is.GetResourceVersion()
}

// request makes a request of an actor about an object.
func (r *Regression) request(o *unstructured.Unstructured, q *kubestate.Request) error {
	ctx := r.Context()
	switch {
	case q.Verb == "create" && q.Subresource != "":
		body := &unstructured.Unstructured{}
		if err := json.Unmarshal(q.Body, &body.Object); err != nil {
			return err
		}
		return r.live.SubResource(q.Subresource).Create(ctx, o, body)
	case q.Verb == "create":
		return r.live.Create(ctx, o)
	case q.Verb == "update" && q.Subresource != "":
		return r.live.SubResource(q.Subresource).Update(ctx, o)
	case q.Verb == "update":
		return r.live.Update(ctx, o)
	case q.Verb == "patch" && q.Subresource != "":
		return r.live.SubResource(q.Subresource).Patch(ctx, o, client.RawPatch(types.PatchType(q.Patch), q.Body))
	case q.Verb == "patch":
		return r.live.Patch(ctx, o, client.RawPatch(types.PatchType(q.Patch), q.Body))
	}
	var with metav1.DeleteOptions
	if len(q.Body) > 0 {
		if err := json.Unmarshal(q.Body, &with); err != nil {
			return err
		}
	}
	return r.live.Delete(ctx, o, &client.DeleteOptions{Raw: &with, Preconditions: with.Preconditions, PropagationPolicy: with.PropagationPolicy, GracePeriodSeconds: with.GracePeriodSeconds})
}

// actual is a text of a trace with the names that the API server and reconcilers drew here.
func (r *Regression) actual(text string) string {
	names := sorted(r.names)
	slices.SortStableFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		text = strings.ReplaceAll(text, name, r.names[name])
	}
	return text
}
