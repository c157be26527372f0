// Package step has reconcilers as state machines: a pure function from the resource, a state and
// the answer to the last request to the next state and the next request. The same machine
// runs in a controller-runtime manager, and is explored by settle, where its state stands for
// all that it was told before: far fewer states than those of an ordinary reconciler, of which
// nobody knows what it remembers.
//
// The style is that of Anvil's controllers (Sun et al., OSDI '24).
package step

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/resume"
)

// Machine is a reconciler of resources of type T, with a state that JSON can hold.
type Machine[T client.Object, S any] struct {
	// Init is the state in which each reconcile begins.
	Init S
	// Step is asked first with a zero Answer, and then with that to each Request. It must not
	// change what it is given, and depend on nothing else.
	Step func(resource T, state S, answer Answer) (S, Request)
}

// Answer is what a request got. Objects are of the type that the request had.
type Answer struct {
	Object client.Object
	List   client.ObjectList
	// Body is the response of a system, as JSON.
	Body json.RawMessage
	Err  error
}

// Decode copies the response of a system.
func (a Answer) Decode(to any) error { return json.Unmarshal(a.Body, to) }

// Asker is a system outside of Kubernetes: a settle.Remote, or the client of the real one.
type Asker interface {
	Ask(ctx context.Context, request, response any) error
}

// Reconciler runs a Machine with a client, and with the systems that it asks by their names.
func (m Machine[T, S]) Reconciler(c client.Client, systems map[string]Asker) reconcile.Reconciler {
	return &reconciler[T, S]{m, c, systems}
}

type reconciler[T client.Object, S any] struct {
	machine Machine[T, S]
	client  client.Client
	systems map[string]Asker
}

// place is where a reconcile is: all that it depends on before its request is answered.
type place[T client.Object, S any] struct {
	Resource T       `json:"resource"`
	State    S       `json:"state"`
	Request  Request `json:"request"`
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler[T, S]) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	point := resume.From(ctx)
	at, err := r.begin(ctx, point, request)
	if err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	for {
		if at.Request.Verb == verbDone {
			return reconcile.Result{RequeueAfter: at.Request.After}, at.Request.err()
		}
		answer := at.Request.do(ctx, r.client, r.systems)
		at.State, at.Request = r.machine.Step(at.Resource, at.State, answer)
		if err := r.save(point, at); err != nil {
			return reconcile.Result{}, err
		}
	}
}

// begin reads the resource and takes the first step, or goes on where it was.
func (r *reconciler[T, S]) begin(ctx context.Context, point resume.Point, request reconcile.Request) (*place[T, S], error) {
	at := &place[T, S]{State: r.machine.Init}
	if point != nil {
		if text, ok := point.Resume(); ok {
			return at, json.Unmarshal(text, at)
		}
	}
	at.Resource, _ = reflect.New(reflect.TypeFor[T]().Elem()).Interface().(T)
	if err := r.client.Get(ctx, request.NamespacedName, at.Resource); err != nil {
		return nil, err
	}
	at.State, at.Request = r.machine.Step(at.Resource, at.State, Answer{})
	return at, r.save(point, at)
}

func (r *reconciler[T, S]) save(point resume.Point, at *place[T, S]) error {
	if at.Request.wrong != nil {
		return at.Request.wrong
	}
	if point == nil || at.Request.Verb == verbDone {
		return nil
	}
	if err := at.Request.typed(r.client.Scheme()); err != nil {
		return err
	}
	text, err := json.Marshal(at)
	if err != nil {
		return fmt.Errorf("the state of the machine is no JSON: %w", err)
	}
	point.Save(text)
	return nil
}

// Done ends a reconcile.
func Done() Request { return Request{Verb: verbDone} }

// Again ends a reconcile, and has the next begin after some time.
func Again(after time.Duration) Request { return Request{Verb: verbDone, After: after} }

// Fail ends a reconcile with an error: the next begins after a while.
func Fail(err error) Request { return Request{Verb: verbDone, Error: err.Error()} }
