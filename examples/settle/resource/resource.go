// Package resource has what operators have in common that make a fixed list of objects for a
// custom resource: one after another is read, and created or written as it is to be. The next is
// begun when that has succeeded; when something fails, all begins again.
//
// What is there is always written: an update that changes nothing is none for the API
// server, which keeps the resourceVersion and tells nobody. So an operator need not know what the
// API server fills in.
package resource

import (
	"fmt"
	"maps"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/step"
)

// Child is one object that an operator makes for a resource of type T.
type Child[T client.Object] struct {
	// Make is the object as it is to be, of the resource and of the resourceVersions of the
	// Noted children before it.
	Make func(T, Versions) client.Object
	// Noted: those behind it are made of its resourceVersion. A pod template that has the
	// resourceVersion of a ConfigMap in an annotation is rolled out whenever that changes.
	Noted bool
}

// Versions are resourceVersions by the names of the objects.
type Versions map[string]string

// Children are all objects that an operator makes, in order.
type Children[T client.Object] []Child[T]

// Place is where a reconcile is in the list.
type Place struct {
	Child    int      `json:"child"`
	Asked    Asked    `json:"asked,omitempty"`
	Versions Versions `json:"versions,omitempty"`
}

// Asked is what the last request was.
type Asked string

// A child is read, and then written.
const (
	read    Asked = "read"
	written Asked = "written"
)

// Through tells whether all children are as they are to be.
func (c Children[T]) Through(at Place) bool { return at.Child == len(c) }

// Begins tells whether nothing has been asked for yet.
func (p Place) Begins() bool { return p.Child == 0 && p.Asked == "" }

// Reading tells whether the last request was to read a child.
func (p Place) Reading() bool { return p.Asked == read }

// Step is what a Machine does next for its children: step.Done if that is all.
func (c Children[T]) Step(owner T, at Place, a step.Answer) (Place, step.Request) {
	if at.Asked == written {
		if a.Err != nil {
			return at, step.Fail(a.Err)
		}
		if c[at.Child].Noted {
			at.Versions = maps.Clone(at.Versions)
			if at.Versions == nil {
				at.Versions = Versions{}
			}
			at.Versions[a.Object.GetName()] = a.Object.GetResourceVersion()
		}
		at.Child, at.Asked = at.Child+1, ""
	}
	if c.Through(at) {
		return at, step.Done()
	}
	wanted := c[at.Child].Make(owner, at.Versions)
	if at.Asked == "" {
		at.Asked = read
		return at, step.Get(Empty(wanted))
	}
	at.Asked = written
	return at, Put(owner, wanted, a)
}

// Put is the request that has an object be as wanted: a is the answer to a Get of it. What belongs
// to another is left alone.
func Put(owner, wanted client.Object, a step.Answer) step.Request {
	switch {
	case apierrors.IsNotFound(a.Err):
		return step.Create(wanted)
	case a.Err != nil:
		return step.Fail(a.Err)
	case !metav1.IsControlledBy(a.Object, owner):
		return step.Fail(fmt.Errorf("%T %s belongs to another", wanted, wanted.GetName()))
	}
	wanted.SetResourceVersion(a.Object.GetResourceVersion())
	return step.Update(wanted)
}

// Empty is an object of the same type and name, to be read.
func Empty(o client.Object) client.Object {
	out, _ := reflect.New(reflect.TypeOf(o).Elem()).Interface().(client.Object)
	out.SetNamespace(o.GetNamespace())
	out.SetName(o.GetName())
	return out
}

// Meta is the metadata of a child, which goes with its owner.
func Meta(owner client.Object, kind schema.GroupVersionKind, name string, labels map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: owner.GetNamespace(), Name: name, Labels: labels,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner, kind)},
	}
}
