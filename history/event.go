package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Type is what a write did to its object.
type Type string

// The types of events.
const (
	Create Type = "create"
	Update Type = "update"
	Delete Type = "delete"
)

// Event is one write. Events of one history are in the order of their revisions;
// those of one transaction, such as a reset, share one.
type Event struct {
	// Revision is etcd's, which is the resourceVersion of the object.
	Revision int64 `json:"revision"`
	// Time is when the watch gave it; zero if that is not recorded.
	Time time.Time `json:"time,omitzero"`
	Type Type      `json:"type"`
	Key
	UID string `json:"uid,omitempty"`
	// Actor is who wrote; empty if that is unknown.
	Actor string `json:"actor,omitempty"`
	// Outside tells that nobody has said who wrote: it was no part of the plane, and
	// its requests did not name it. Actor is then a program's own name for itself.
	Outside bool `json:"outside,omitempty"`
	// Object is what there is after the write, Previous what there was before:
	// a create has no Previous and a delete no Object. An update or delete may
	// lack its Previous if that is not known any more.
	Object   Object `json:"object,omitempty"`
	Previous Object `json:"previous,omitempty"`
}

// Key names an object within a plane.
type Key struct {
	// Resource is plural, with its group: pods, deployments.apps.
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String is for people: pods default/web-0.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Resource + " " + k.Name
	}
	return k.Resource + " " + k.Namespace + "/" + k.Name
}

// Compare orders keys by resource, namespace and name.
func (k Key) Compare(other Key) int {
	if c := strings.Compare(k.Resource, other.Resource); c != 0 {
		return c
	}
	if c := strings.Compare(k.Namespace, other.Namespace); c != 0 {
		return c
	}
	return strings.Compare(k.Name, other.Name)
}

// check says what is wrong with an event by itself.
func (e *Event) check() error {
	switch {
	case e.Revision <= 0:
		return fmt.Errorf("the revision is %d, want 1 or more", e.Revision)
	case e.Resource == "" || e.Name == "":
		return errors.New("an event needs a resource and a name")
	case e.Type != Create && e.Type != Update && e.Type != Delete:
		return fmt.Errorf("the type is %q, want create, update or delete", e.Type)
	case e.Type == Delete && e.Object != nil:
		return errors.New("a delete has no object, only a previous one")
	case e.Type != Delete && len(e.Object) == 0:
		return fmt.Errorf("the %s has no object", e.Type)
	case e.Type == Create && e.Previous != nil:
		return errors.New("a create has no previous object")
	}
	return nil
}

// Object is an API object, as JSON has it. Whole numbers are int64, others
// float64, as in unstructured objects of Kubernetes' libraries.
type Object map[string]any

// At is the value at a path of keys; nil if there is none.
func (o Object) At(path ...string) any {
	var value any = map[string]any(o)
	for _, key := range path {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	return value
}

// Text is the text at a path of keys; empty if there is none.
func (o Object) Text(path ...string) string {
	text, _ := o.At(path...).(string)
	return text
}

// Number is the number at a path of keys, a fraction cut off; false if there is
// none.
func (o Object) Number(path ...string) (int64, bool) {
	switch n := o.At(path...).(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), true
	}
	return 0, false
}

// UnmarshalJSON reads an object. Null and an empty one are nil.
func (o *Object) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return err
	}
	if err := numbers(m); err != nil {
		return err
	}
	*o = m
	if len(m) == 0 {
		*o = nil
	}
	return nil
}

// numbers replaces each json.Number in v, which is a map or list.
func numbers(v any) error {
	number := func(child any) (any, error) {
		n, ok := child.(json.Number)
		if !ok {
			return child, numbers(child)
		}
		if whole, err := n.Int64(); err == nil {
			return whole, nil
		}
		f, err := n.Float64()
		if err != nil {
			return nil, fmt.Errorf("the number %.40s is out of range", n)
		}
		return f, nil
	}
	var err error
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			if v[k], err = number(child); err != nil {
				return err
			}
		}
	case []any:
		for i, child := range v {
			if v[i], err = number(child); err != nil {
				return err
			}
		}
	}
	return nil
}

// text is the string at a path of keys, or empty.
func (o Object) text(path ...string) string {
	var v any = map[string]any(o)
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return ""
		}
		v = m[key]
	}
	s, _ := v.(string)
	return s
}
