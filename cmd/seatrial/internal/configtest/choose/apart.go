package choose

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Leaf is a field of an item of a collection, with the values that it has in both versions; nil where there is none.
type Leaf struct {
	// IDs are what the field is known by, in each type that the item is decoded or copied into; none if the type has no
	// such field.
	IDs      []parameter.ID
	Old, New *string
	// Known: another item had the value before, so that only the place of what is read can be new. Added: the item is
	// new, and all of it.
	Known, Added bool
	// Moved: nothing of it is new. What there was is gone, or is at another place, or once more.
	Moved bool
	// Hidden: it is one of the fields of a type that reads itself, and nobody knows which.
	Hidden bool
}

// Apart takes changes of collections of structs apart, to changes of single fields of items where both versions have
// the item. One that is new is a change of its own, and so is a list that has other items than before: of parts of
// these nobody knows which go together.
func Apart(m *parameter.Map, changes []Change, before, after []change.Setting) (out []Change) {
	l := &linker{m, before, after, map[string][]parameter.ID{}}
	for _, c := range l.filed(changes) {
		a := apart{linker: l, of: c}
		if a.begin() {
			out = append(out, a.changes()...)
		} else if keys := a.ofMap(); len(keys) > 0 {
			out = append(out, keys...)
		} else {
			out = append(out, a.ofSection(c))
		}
	}
	return out
}

type apart struct {
	*linker
	of       Change
	at       []string       // of the collection
	library  parameter.Kind // by which it is read by keys; empty for a field
	items    []parameter.Item
	old, now any
}

// begin looks whether a change is of a collection of structs, and can be told by the fields of these.
func (a *apart) begin() bool {
	c := a.of
	if c.filed() {
		for _, item := range a.m.Items {
			if item.Of == "" {
				a.items = append(a.items, item)
			}
		}
		a.old, a.now = parsed(c.Old), parsed(c.New)
		return true
	}
	if c.Class == nil || c.Unknown != "" || len(c.Parts) == 0 || c.Kind != change.Key {
		return false
	}
	if a.at = a.place(c); a.at == nil {
		return false
	}
	for _, item := range a.m.Items {
		if slices.Contains(c.Class.Identities(), item.Of) || a.library != "" && item.Of == "" {
			a.items = append(a.items, item)
		}
	}
	if len(a.items) == 0 && a.library == "" || slices.ContainsFunc(c.Parts, func(p change.Change) bool {
		return len(p.Steps()) <= len(a.at) || !slices.Equal(p.Steps()[:len(a.at)], a.at)
	}) {
		return false
	}
	a.old, a.now = parsed(c.Old), parsed(c.New)
	return true
}

// place is where a collection is; nil if that is not known.
func (a *apart) place(c Change) []string {
	steps := c.Parts[0].Steps()
	if c.Place != "" {
		if at := steps[:min(len(steps), strings.Count(c.Place, ".")+1)]; says(c.Place, strings.Join(at, ".")) {
			return at
		}
		return nil
	}
	for end := len(steps); end > 0; end-- {
		for _, id := range c.IDs {
			if kind := id.Kind(); (kind == parameter.Viper || kind == parameter.Koanf) && a.is(id, steps[:end], c.In) != "" {
				a.library = kind
				return steps[:end]
			}
		}
	}
	return nil
}

// ofSection is a change of a key that is in an entry of a section, as servers.a.port: who takes the section has all of
// its entries, and which of them are used is not known. It is read by who asks for that key, or for one of that name in
// what has no type.
func (a *apart) ofSection(c Change) Change {
	if a.library != "" && len(a.at) > 2 && !isField(*c.Class) {
		c.Leaves = []Leaf{{IDs: append(c.Class.Identities(), parameter.Key(a.at[len(a.at)-1])), Old: c.Old, New: c.New}}
	}
	return c
}

// ofMap are the changes of single keys of a map of plain values, where several of them differ that both versions have:
// a test may use one of them, and not the others.
func (a *apart) ofMap() (out []Change) {
	c := a.of
	if c.Class == nil || c.Unknown != "" || c.Kind != change.Key || c.filed() || len(c.Parts) < 2 || !isField(*c.Class) {
		return nil
	}
	old, now := parsed(c.Old), parsed(c.New)
	at := c.Parts[0].Steps()
	at = at[:len(at)-1]
	for _, part := range c.Parts {
		steps := part.Steps()
		if len(steps) != len(at)+1 || !slices.Equal(steps[:len(at)], at) || !plainAt(old, steps[len(at)]) || !plainAt(now, steps[len(at)]) {
			return nil
		}
		to := c
		to.Change, to.Parts, to.Within, to.Base = part, []change.Change{part}, steps[len(at):], c.Old
		to.Old, to.New = composed(a.before, c.In, steps), composed(a.after, c.In, steps)
		out = append(out, to)
	}
	return out
}

// plainAt tells whether a map has a value at a key that is no collection.
func plainAt(of any, key string) bool {
	m, is := of.(map[string]any)
	if !is || m[key] == nil {
		return false
	}
	switch m[key].(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// changes are those of each part, or of the smallest thing around it that both versions have.
func (a *apart) changes() (out []Change) {
	for _, part := range a.of.Parts {
		steps := part.Steps()[len(a.at):]
		within := steps[:a.common(steps)]
		at := slices.IndexFunc(out, func(c Change) bool { return slices.Equal(c.Within, within) })
		if at < 0 {
			at = len(out)
			to := a.of
			to.Change, to.Parts, to.Within, to.Base = part, nil, within, a.of.Old
			place := slices.Concat(a.at, within)
			to.Old, to.New = composed(a.before, a.of.In, place), composed(a.after, a.of.In, place)
			out = append(out, to)
		}
		out[at].Parts = append(out[at].Parts, part)
		if out[at].Misspelt == nil {
			out[at].Misspelt = a.misspelt(part)
		}
	}
	for i := range out {
		out[i].Leaves = a.leaves(out[i])
	}
	return out
}

// common is how many steps lead to what both versions have as such: all of them if the field is one of an item that is
// there in both.
func (a *apart) common(steps []string) int {
	if a.of.Old != nil && a.of.New != nil && value.Reordered(*a.of.Old, *a.of.New) {
		return 0 // it is one change, and none of each place
	}
	old, now := a.old, a.now
	for n, step := range steps {
		if was, is := old.([]any); is {
			if list, both := now.([]any); !both || len(list) != len(was) {
				return n
			}
		}
		was, is := at(old, step)
		next, both := at(now, step)
		if !is || !both {
			if n+1 < len(steps) || n == 0 || !isStruct(old) || !isStruct(now) {
				return n + 1
			}
			return len(steps)
		}
		old, now = was, next
	}
	return len(steps)
}

// parsed is what a text in JSON says, with its numbers as they are written; nil for nothing.
func parsed(text *string) (out any) {
	if text == nil {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(*text))
	d.UseNumber()
	_ = d.Decode(&out) // it was composed
	return out
}

func isStruct(v any) bool { _, is := v.(map[string]any); return is }

// at is what a map or a list has at a step.
func at(v any, step string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		below, is := v[step]
		return below, is
	case []any:
		if n, err := strconv.Atoi(strings.Trim(step, "[]")); err == nil && 0 <= n && n < len(v) {
			return v[n], true
		}
	}
	return nil, false
}

// leaves are the fields that a change is about: those that say something new. Where there is none of these, as where an
// item is gone, or others only have other places, it is about all fields of what is not where it was.
func (a *apart) leaves(c Change) (out []Leaf) {
	olds := map[string]bool{}
	for _, s := range a.before {
		if steps := s.Steps(); s.Kind == change.Key && s.In == a.of.In && len(steps) > len(a.at) && slices.Equal(steps[:len(a.at)], a.at) {
			ids, _ := a.ids(steps[len(a.at):])
			olds[keyOf(ids, s.Value)] = true
		}
	}
	moved := Leaf{Moved: true, Old: c.Old, New: c.New}
	for _, part := range c.Parts {
		steps := part.Steps()[len(a.at):]
		l := Leaf{Old: text(part.Old), New: text(part.New)}
		l.IDs, l.Hidden = a.ids(steps)
		moved.IDs = append(moved.IDs, l.IDs...)
		single := slices.Equal(steps, c.Within)
		if l.New == nil && !single {
			continue
		}
		l.Known, l.Added = l.New != nil && olds[keyOf(l.IDs, *part.New)], !single
		out = append(out, l)
	}
	if slices.ContainsFunc(out, func(l Leaf) bool { return !l.Known || !l.Added }) {
		return out
	}
	return []Leaf{moved}
}

func keyOf(ids []parameter.ID, v change.Value) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(string(id) + " ")
	}
	return b.String() + string(v.JSON())
}

func text(v *change.Value) *string {
	if v == nil {
		return nil
	}
	out := string(v.JSON())
	return &out
}

// ids are the fields that some steps below the collection lead to, or on the way to which they are; hidden if it is one
// of those.
func (a *apart) ids(steps []string) (ids []parameter.ID, hidden bool) {
	found := map[parameter.ID]bool{}
	var to []parameter.Item
	for _, item := range a.items {
		if leads(item, steps) {
			to = append(to, item)
		}
	}
	for _, item := range to {
		if item.Keyed && len(item.Path) < len(steps) {
			found[parameter.Key(lastName(steps))] = true
			if a.of.filed() || len(item.Path)+1 < len(steps) {
				continue // who has all of the item need not read what is in it
			}
		}
		if item.ID == "" { // the collection itself
			a.whole(found)
			continue
		}
		// Of what reads itself the whole is the value of one key, and none of a key in that.
		in := func(o parameter.Item) bool { return o.Hidden && slices.Equal(o.Path, item.Path) }
		if item.Hidden || len(item.Path) == len(steps) || !slices.ContainsFunc(to, in) {
			found[item.ID], hidden = true, hidden || item.Hidden
		}
	}
	if a.library != "" {
		to := strings.Join(slices.Concat(a.at, steps), ".")
		found[parameter.New(a.library, to)], found[parameter.New(a.library, strings.ToLower(to))] = true, true
		if found[parameter.Key(lastName(steps))] = true; len(steps) == 1 {
			a.whole(found)
		}
	}
	if a.of.filed() {
		for _, class := range a.m.Parameters {
			if slices.ContainsFunc(class.Identities(), func(id parameter.ID) bool { return a.is(id, steps, a.of.In) != "" }) {
				for _, id := range class.Identities() {
					found[id] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), hidden
}

// whole adds what the collection itself is known by.
func (a *apart) whole(to map[parameter.ID]bool) {
	for _, id := range a.of.Class.Identities() {
		to[id] = true
	}
}

// lastName is the last of some steps that is a key, and no place in a list.
func lastName(steps []string) string {
	for _, step := range slices.Backward(steps) {
		if !strings.HasPrefix(step, "[") {
			return step
		}
	}
	return ""
}

// leads tells whether some steps lead to what an item is known by, or on from there.
func leads(item parameter.Item, steps []string) bool {
	for n, name := range item.Path {
		if n >= len(steps) || name != parameter.Any && !says(name, steps[n]) {
			return false
		}
	}
	return true
}

// together are values of which those of one collection are that whole.
func together(changes []Change, values Values) Values {
	var out Values
	for i, c := range changes {
		if len(c.Within) == 0 || c.Class == nil || c.Unchanged {
			continue
		}
		if out == nil {
			out = slices.Clone(values)
		}
		root := parsed(c.Base)
		for n, o := range changes {
			if len(o.Within) > 0 && o.Class != nil && o.In == c.In && slices.Equal(o.IDs, c.IDs) {
				root = with(root, o.Within, values[n])
			}
		}
		text, err := json.Marshal(root)
		if out[i] = nil; err == nil && root != nil {
			whole := string(text)
			out[i] = &whole
		}
	}
	if out == nil {
		return values
	}
	return out
}

// with is a tree with another value at a place, or with none. Items of lists are only taken from their ends.
func with(to any, at []string, value *string) any {
	if len(at) == 0 {
		if value == nil {
			return nil
		}
		return json.RawMessage(*value)
	}
	if raw, is := to.(json.RawMessage); is {
		text := string(raw)
		to = parsed(&text)
	}
	if list, is := to.([]any); is {
		n, err := strconv.Atoi(strings.Trim(at[0], "[]"))
		if err != nil || n < 0 || n >= len(list) {
			return to
		}
		list[n] = with(list[n], at[1:], value)
		return list
	}
	tree, is := to.(map[string]any)
	if !is && to != nil {
		return to
	}
	if !is {
		tree = map[string]any{}
	}
	if value == nil && len(at) == 1 {
		delete(tree, at[0])
		return tree
	}
	tree[at[0]] = with(tree[at[0]], at[1:], value)
	return tree
}
