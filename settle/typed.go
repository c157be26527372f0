package settle

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// typed has what objects are in the types of a scheme, so that each is decoded once.
type typed struct {
	known sync.Map // forms by objects
	// failures are by answers.
	failures sync.Map
	server   *kubestate.Server
}

// forms are one object in the types that it was asked for in.
type forms = few[reflect.Type, client.Object]

// failure is the error that a client makes of an answer.
func (t *typed) failure(a *answer) error {
	if a.hash == [16]byte{} { // nobody keeps it
		return failure(a.status)
	}
	known, ok := t.failures.Load(a)
	if !ok {
		known, _ = t.failures.LoadOrStore(a, failure(a.status))
	}
	if err, ok := known.(*apierrors.StatusError); ok {
		return &apierrors.StatusError{ErrStatus: err.ErrStatus} // of its own
	}
	return known.(error)
}

// as is an object in the type of like; it is not to be changed.
func (t *typed) as(o *kubestate.Object, like reflect.Type) (client.Object, error) {
	known, ok := t.known.Load(o)
	if !ok {
		known, _ = t.known.LoadOrStore(o, &forms{})
	}
	of, _ := known.(*forms)
	if object, ok := of.get(like); ok {
		return object, nil
	}
	out, ok := reflect.New(like.Elem()).Interface().(client.Object)
	if !ok {
		return nil, fmt.Errorf("%s is no object", like)
	}
	if u, ok := out.(*unstructured.Unstructured); ok {
		if err := utiljson.Unmarshal(o.JSON(), &u.Object); err != nil {
			return nil, err
		}
		u.SetGroupVersionKind(t.server.ResourceOf(o).Kind) // what is typed is stored without
	} else if err := json.Unmarshal(o.JSON(), out); err != nil {
		return nil, err
	}
	of.add(like, out)
	return out, nil
}

// fields are an object as maps; they are not to be changed.
func (t *typed) fields(o *kubestate.Object) (map[string]any, error) {
	u, err := t.as(o, reflect.TypeFor[*unstructured.Unstructured]())
	if err != nil {
		return nil, err
	}
	return u.(*unstructured.Unstructured).Object, nil
}

// copy copies an object to what out points to.
func (t *typed) copy(o *kubestate.Object, out client.Object) error {
	from, err := t.as(o, reflect.TypeOf(out))
	if err != nil {
		return err
	}
	version, kind := spoken(out)
	reflect.ValueOf(out).Elem().Set(reflect.ValueOf(from.DeepCopyObject()).Elem())
	if is, of := spoken(out); manager.FormOf(out) != manager.Typed && kind != "" && (is != version || of != kind) {
		out.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(version, kind))
	}
	return nil
}

// fill sets the items of a list. Those from a cache say their kind in any form.
func (t *typed) fill(list client.ObjectList, objects []*kubestate.Object, of *call) error {
	items, err := meta.GetItemsPtr(list)
	if err != nil {
		return err
	}
	slice := reflect.ValueOf(items).Elem()
	item := slice.Type().Elem()
	like := item
	if item.Kind() != reflect.Pointer {
		like = reflect.PointerTo(item)
	}
	kind := list.GetObjectKind().GroupVersionKind()
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	out := reflect.MakeSlice(slice.Type(), 0, len(objects))
	for _, o := range objects {
		from, err := t.as(o, like)
		if err != nil {
			return err
		}
		one := from.DeepCopyObject()
		switch {
		case manager.FormOf(list) != manager.Typed:
			one.GetObjectKind().SetGroupVersionKind(kind)
		case of.cached:
			one.GetObjectKind().SetGroupVersionKind(of.resource.Kind)
		}
		v := reflect.ValueOf(one)
		if item.Kind() != reflect.Pointer {
			v = v.Elem()
		}
		out = reflect.Append(out, v)
	}
	slice.Set(out)
	return nil
}
