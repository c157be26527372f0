package operation

import (
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// narrower changes a part of what an operation changes: an operation that takes an object away
// becomes one that takes a field of it, which is the property that a finding is then about. What
// is set is made less by [reducer.plainer].
func (r *reducer) narrower() {
	for i := range r.best {
		before, ok := r.before(i)
		o := r.best[i]
		if !ok || o.Repairs {
			continue // half a repair is none
		}
		after, err := o.Apply(before)
		if err != nil {
			continue
		}
		parts := r.differences(nil, map[string]any(before), map[string]any(after))
		if len(parts) < 2 || !slices.ContainsFunc(parts, func(c Change) bool { return c.Remove }) {
			continue
		}
		minimal(len(parts), r.over, func(keep []int) bool {
			return r.try(r.with(i, r.part(o, picked(parts, keep), before)))
		})
	}
}

// before is the resource that the i-th operation changes; false if it cannot be told.
func (r *reducer) before(i int) (history.Object, bool) {
	now := r.seed
	for _, o := range r.best[:i] {
		next, err := o.Apply(now)
		if err != nil {
			return nil, false
		}
		now = next
	}
	return now, now != nil
}

// part is an operation that makes some changes of another.
func (r *reducer) part(o *Operation, changes []Change, before history.Object) *Operation {
	single := make([]*Operation, len(changes))
	for i, c := range changes {
		p := *o
		p.Misoperation = o.Misoperation && o.wrongIn(c)
		c.wrong = p.Misoperation
		p.Property, p.With, p.Case, p.Kind, p.Changes = spelled(c.Path), nil, "removed", "", []Change{c}
		if !c.Remove {
			p.Case = "set"
		}
		if property := propertyAt(r.root, c.Path); property != nil {
			p.Property, p.Kind = property.Path, property.Kind
		}
		p.Name = title(&p, &c, before)
		single[i] = &p
	}
	if len(single) == 1 {
		return single[0]
	}
	all := bundle(single)
	all.Objects, all.Sentinels, all.Repairs = o.Objects, o.Sentinels, o.Repairs
	return all
}

// withWrong are operations of whose changes it is known behind a [bundle] whether they were a misoperation.
func withWrong(all []*Operation) []*Operation {
	told := make([]*Operation, len(all))
	for i, o := range all {
		again := *o
		again.Changes = o.wrongs()
		told[i] = &again
	}
	return told
}

// wrongs are the changes of an operation, with which of them are its misoperation.
func (o *Operation) wrongs() []Change {
	changes := slices.Clone(o.Changes)
	if o.Misoperation && !slices.ContainsFunc(changes, func(c Change) bool { return c.wrong }) {
		for i := range changes {
			changes[i].wrong = true
		}
	}
	return changes
}

// wrongIn tells whether a change is what is wrong in a misoperation, or a part of that: without it the others are none.
func (o *Operation) wrongIn(c Change) bool {
	return slices.ContainsFunc(o.wrongs(), func(w Change) bool {
		n := min(len(w.Path), len(c.Path))
		return w.wrong && (!c.Remove || w.Remove) && equal(w.Path[:n], c.Path[:n])
	})
}

// propertyAt is the property of the schema that is at a path of a resource; nil if there is none.
func propertyAt(root *schema.Property, path []any) *schema.Property {
	p := root
	for _, e := range path {
		if p == nil {
			return nil
		}
		name, key := e.(string)
		if !key {
			name = "[]"
		}
		next := p.Field(name)
		if next == nil && key {
			next = p.Field("{}")
		}
		p = next
	}
	return p
}

// differences are the changes that make after of before, each of as little as can be: of a field that
// holds no object. Lists are changed as a whole, unless they are equally long.
func (r *reducer) differences(path []any, before, after any) []Change {
	old, isOld := before.(map[string]any)
	now, isNow := after.(map[string]any)
	if !isOld && !isNow || !isNow && after != nil || !isOld && before != nil {
		if equal(before, after) {
			return nil
		}
		return r.items(path, before, after)
	}
	names := maps.Clone(old)
	if names == nil {
		names = map[string]any{}
	}
	maps.Copy(names, now)
	var all []Change
	for _, name := range slices.Sorted(maps.Keys(names)) {
		below := append(slices.Clone(path), name)
		was, had := old[name]
		is, has := now[name]
		switch {
		case had && !has:
			all = append(all, removals(below, was)...)
		case has && !had:
			all = append(all, Change{Path: below, Value: is})
		default:
			all = append(all, r.differences(below, was, is)...)
		}
	}
	return all
}

// items are the changes of a list's items, or the one of a value that holds none, or holds others: what is in another
// item is no change of the one that stood there.
func (r *reducer) items(path []any, before, after any) []Change {
	old, isOld := before.([]any)
	now, isNow := after.([]any)
	if !isOld || !isNow || len(old) != len(now) || r.others(path, old, now) {
		return []Change{{Path: path, Value: after}}
	}
	var all []Change
	for i := range old {
		all = append(all, r.differences(append(slices.Clone(path), i), old[i], now[i])...)
	}
	return all
}

// others tells whether a list has other items in the places of some, as far as the schema says what they are told apart
// by.
func (r *reducer) others(path []any, old, now []any) bool {
	list := propertyAt(r.root, path)
	if list == nil || len(list.Children) != 1 {
		return false
	}
	key := value.Key(list)
	if key == nil || key == list.Children[0] {
		return false
	}
	for i := range old {
		a, _ := at(old[i], []any{key.Name})
		if b, _ := at(now[i], []any{key.Name}); !equal(a, b) {
			return true
		}
	}
	return false
}

// removals take away what is in an object, each field by itself.
func removals(path []any, v any) []Change {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return []Change{{Path: path, Remove: true}}
	}
	var all []Change
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, removals(append(slices.Clone(path), name), m[name])...)
	}
	return all
}
