package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// Verb is what a Request does.
type Verb string

const (
	verbGet    Verb = "get"
	verbList   Verb = "list"
	verbCreate Verb = "create"
	verbUpdate Verb = "update"
	verbStatus Verb = "status"
	verbDelete Verb = "delete"
	verbAsk    Verb = "ask"
	verbDone   Verb = "done"
)

// Request is what a Machine asks for next, made by the functions below.
type Request struct {
	Verb Verb `json:"verb"`
	// Kind and Object are what it is about, for all but systems.
	Kind   schema.GroupVersionKind `json:"kind,omitzero"`
	Object json.RawMessage         `json:"object,omitempty"`
	// Namespace and Labels choose what is listed.
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
	// UID is the precondition of a deletion.
	UID types.UID `json:"uid,omitempty"`
	// System is asked Object.
	System string `json:"system,omitempty"`
	// After and Error are of the end of a reconcile.
	After time.Duration `json:"after,omitempty"`
	Error string        `json:"error,omitempty"`

	object client.Object
	list   client.ObjectList
	wrong  error
}

func about(verb Verb, o client.Object) Request {
	copied, ok := o.DeepCopyObject().(client.Object)
	if !ok {
		return Request{wrong: fmt.Errorf("%T is no object", o)}
	}
	return Request{Verb: verb, object: copied}
}

// Get reads the object of this type, namespace and name.
func Get(o client.Object) Request { return about(verbGet, o) }

// List reads all objects in a namespace, or in all, that have these labels.
func List(list client.ObjectList, namespace string, with map[string]string) Request {
	return Request{Verb: verbList, list: list, Namespace: namespace, Labels: with}
}

// Create creates an object.
func Create(o client.Object) Request { return about(verbCreate, o) }

// Update writes an object over the one whose resourceVersion it has.
func Update(o client.Object) Request { return about(verbUpdate, o) }

// UpdateStatus does the same with its status.
func UpdateStatus(o client.Object) Request { return about(verbStatus, o) }

// Delete deletes an object if it has the same UID still; any of that name if it has none.
func Delete(o client.Object) Request {
	r := about(verbDelete, o)
	r.UID = o.GetUID()
	return r
}

// Ask asks a system.
func Ask(system string, request any) Request {
	text, err := json.Marshal(request)
	return Request{Verb: verbAsk, System: system, Object: text, wrong: err}
}

func (r *Request) err() error {
	if r.Error == "" {
		return nil
	}
	return errors.New(r.Error)
}

// typed writes down what the request is about, so that it can be made again.
func (r *Request) typed(scheme *runtime.Scheme) (err error) {
	switch {
	case r.object != nil:
		if r.Kind, err = apiutil.GVKForObject(r.object, scheme); err == nil {
			r.Object, err = json.Marshal(r.object)
		}
	case r.list != nil:
		r.Kind, err = apiutil.GVKForObject(r.list, scheme)
	}
	return err
}

// load makes the objects of what was written down.
func (r *Request) load(scheme *runtime.Scheme) error {
	if r.object != nil || r.list != nil || r.Kind.Kind == "" {
		return nil
	}
	made, err := scheme.New(r.Kind)
	if err != nil {
		return err
	}
	switch o := made.(type) {
	case client.ObjectList:
		r.list = o
	case client.Object:
		r.object = o
		return json.Unmarshal(r.Object, o)
	}
	return nil
}

// do makes the request.
func (r *Request) do(ctx context.Context, c client.Client, systems map[string]Asker) (a Answer) {
	if r.Verb == verbAsk {
		s := systems[r.System]
		if s == nil {
			a.Err = fmt.Errorf("there is no system %q", r.System)
			return a
		}
		a.Err = s.Ask(ctx, r.Object, &a.Body)
		return a
	}
	if a.Err = r.load(c.Scheme()); a.Err != nil {
		return a
	}
	a.Object = r.object
	switch r.Verb {
	case verbGet:
		a.Err = c.Get(ctx, client.ObjectKeyFromObject(r.object), r.object)
	case verbList:
		a.List = r.list
		options := &client.ListOptions{Namespace: r.Namespace}
		if len(r.Labels) > 0 {
			options.LabelSelector = labels.SelectorFromSet(r.Labels)
		}
		a.Err = c.List(ctx, r.list, options)
	case verbCreate:
		a.Err = c.Create(ctx, r.object)
	case verbUpdate:
		a.Err = c.Update(ctx, r.object)
	case verbStatus:
		a.Err = c.Status().Update(ctx, r.object)
	case verbDelete:
		var options []client.DeleteOption
		if r.UID != "" {
			options = append(options, client.Preconditions(metav1.Preconditions{UID: &r.UID}))
		}
		a.Err = c.Delete(ctx, r.object, options...)
	default:
		a.Err = fmt.Errorf("a Machine asked for nothing: end with step.Done()")
	}
	return a
}
