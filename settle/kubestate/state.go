package kubestate

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/watch"
)

// State is what an API server holds. The zero State holds nothing. It is a value:
// what is done to it makes another.
type State struct {
	// objects are sorted by key.
	objects []*Object
	// writes is how many there were, and created how many of them made an object.
	writes, created uint64
}

// Writes is how many writes there were.
func (s State) Writes() uint64 { return s.writes }

// Len is the number of objects.
func (s State) Len() int { return len(s.objects) }

// Objects are all objects, sorted by key.
func (s State) Objects() iter.Seq[*Object] { return slices.Values(s.objects) }

// Get is the object under key, or nil.
func (s State) Get(key string) *Object {
	if i, found := s.find(key); found {
		return s.objects[i]
	}
	return nil
}

// Under are the objects whose keys begin with prefix, sorted by key.
func (s State) Under(prefix string) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for i, _ := s.find(prefix); i < len(s.objects) && strings.HasPrefix(s.objects[i].key, prefix); i++ {
			if !yield(s.objects[i]) {
				return
			}
		}
	}
}

func (s State) find(key string) (int, bool) {
	return slices.BinarySearchFunc(s.objects, key, func(o *Object, key string) int { return cmp.Compare(o.key, key) })
}

// after is s after a write.
func (s State) after(e Event) State {
	s.writes++
	if e.Type == watch.Deleted {
		return s.without(e.Object.key)
	}
	return s.with(e.Object)
}

// with is s with o in the place of what was under its key.
func (s State) with(o *Object) State {
	i, found := s.find(o.key)
	objects := make([]*Object, 0, len(s.objects)+1)
	objects = append(append(objects, s.objects[:i]...), o)
	if found {
		i++
	}
	s.objects = append(objects, s.objects[i:]...)
	return s
}

// without is s without what is under key.
func (s State) without(key string) State {
	if i, found := s.find(key); found {
		s.objects = slices.Concat(s.objects[:i], s.objects[i+1:])
	}
	return s
}

// NewState holds these objects, which are sorted by key, after as many creations.
func NewState(objects []*Object, created uint64) State {
	return State{objects: objects, created: created}
}

// Created is how many objects were created.
func (s State) Created() uint64 { return s.created }

// List are all objects, sorted by key; not to be changed.
func (s State) List() []*Object { return s.objects }
