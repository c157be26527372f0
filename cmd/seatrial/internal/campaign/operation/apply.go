package operation

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// Apply is the resource with the changes of the operation made, one after another, those first that the others
// overtake. The resource that is given stays as it is, and shares nothing with what is returned. An error names a path
// that cannot be: a key of a list, an item far behind its end.
func (o *Operation) Apply(resource history.Object) (history.Object, error) {
	return applied(resource, o.All())
}

// All are the changes of the operation in the order in which they are made.
func (o *Operation) All() []Change { return slices.Concat(o.Overtakes, o.Changes) }

// Begun is the resource with the changes alone that the others overtake.
func (o *Operation) Begun(resource history.Object) (history.Object, error) {
	return applied(resource, o.Overtakes)
}

func applied(resource history.Object, changes []Change) (history.Object, error) {
	var now any = map[string]any(resource)
	for i := range changes {
		var err error
		if now, err = changes[i].edit(now); err != nil {
			return nil, err
		}
	}
	return object(now), nil
}

// Apply is the resource with the change made: as [Operation.Apply].
func (c *Change) Apply(resource history.Object) (history.Object, error) {
	now, err := c.edit(map[string]any(resource))
	if err != nil {
		return nil, err
	}
	return object(now), nil
}

// At is what a resource has where the change is made, and whether it has anything there.
func (c *Change) At(resource history.Object) (any, bool) { return at(map[string]any(resource), c.Path) }

func object(v any) history.Object {
	m, _ := value.Clone(v).(map[string]any)
	return m
}

// edit makes the change; what is not on its path is shared with what there was.
func (c *Change) edit(now any) (any, error) {
	next, err := edited(now, c.Path, c.Value, c.Remove)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spelled(c.Path), err)
	}
	return next, nil
}

// edited is what now becomes when v is set at a path, or what is there is removed.
// Parents that are not there are made, not to remove anything.
func edited(now any, path []any, v any, remove bool) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	switch e := path[0].(type) {
	case string:
		m, ok := now.(map[string]any)
		if now != nil && !ok {
			return nil, fmt.Errorf("%s is a key, but there is no object", e)
		}
		return editedKey(m, e, path, v, remove)
	case int:
		list, ok := now.([]any)
		if now != nil && !ok {
			return nil, fmt.Errorf("%d is an item, but there is no list", e)
		}
		return editedItem(list, e, path, v, remove)
	}
	return nil, fmt.Errorf("%v is neither a key nor an item", path[0])
}

func editedKey(m map[string]any, key string, path []any, v any, remove bool) (any, error) {
	old, there := m[key]
	if remove && !there {
		if m == nil {
			return nil, nil
		}
		return m, nil
	}
	next := make(map[string]any, len(m)+1)
	for k, value := range m {
		next[k] = value
	}
	if remove && len(path) == 1 {
		delete(next, key)
		return next, nil
	}
	child, err := edited(old, path[1:], v, remove)
	next[key] = child
	return next, err
}

func editedItem(list []any, i int, path []any, v any, remove bool) (any, error) {
	if i < 0 || i > len(list) {
		return nil, fmt.Errorf("there is no item %d in a list of %d", i, len(list))
	}
	if remove && i == len(list) {
		if list == nil {
			return nil, nil
		}
		return list, nil
	}
	next := append(make([]any, 0, len(list)+1), list...)
	if remove && len(path) == 1 {
		return append(next[:i], next[i+1:]...), nil
	}
	var old any
	if i < len(list) {
		old = list[i]
	} else {
		next = append(next, nil)
	}
	child, err := edited(old, path[1:], v, remove)
	next[i] = child
	return next, err
}

// at is what is at a path, and whether anything is, if only null.
func at(v any, path []any) (any, bool) {
	for _, e := range path {
		switch e := e.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil, false
			}
			if v, ok = m[e]; !ok {
				return nil, false
			}
		case int:
			list, ok := v.([]any)
			if !ok || e < 0 || e >= len(list) {
				return nil, false
			}
			v = list[e]
		}
	}
	return v, true
}

// known is how many elements of a path are there.
func known(v any, path []any) int {
	for i := range path {
		if _, there := at(v, path[:i+1]); !there {
			return i
		}
	}
	return len(path)
}

// undo is the change that makes before again what c changed. An item that was
// removed comes back with its whole list.
func (c *Change) undo(before any) Change {
	there := known(before, c.Path)
	if there < len(c.Path) {
		return Change{Path: c.Path[:there+1], Remove: true}
	}
	path := c.Path
	if _, item := path[len(path)-1].(int); item && c.Remove {
		path = path[:len(path)-1]
	}
	old, _ := at(before, path)
	return Change{Path: path, Value: old}
}
