package value

import "slices"

// Change is one part in which a value differs from an earlier one.
type Change struct {
	// Path leads to the part, as [p1].name; it is empty for the value itself.
	Path string
	// From and To are what the part was and is. One of them is None if something comes or goes there: an argument of a
	// function, an item of a sequence, a member of a set, of which Path leads to the set.
	From, To Value
}

// Same tells whether two values are the same. Other than Equal it takes values of any kinds.
func Same(a, b Value) bool {
	return a == b || digestOf(a) == digestOf(b)
}

// Changes returns the parts in which to differs from from: the smallest ones, unless it is shorter to show
// the whole values.
func Changes(from, to Value) []Change {
	if Same(from, to) {
		return nil
	}
	whole := []Change{{From: from, To: to}}
	var parts []Change
	switch {
	case listed(from) && listed(to) && isSet(from.Kind()) && isSet(to.Kind()):
		parts = members(from.Members(), to.Members())
	case !listed(from) || !listed(to) || !isFunction(from.Kind()) || !isFunction(to.Kind()):
		return whole
	case from.IsSequence() && to.IsSequence():
		parts = items(from.Items(), to.Items())
	default:
		parts = arguments(from, to)
	}
	if length(parts) > length(whole) {
		return whole
	}
	return parts
}

// listed tells whether the members of a set, or the arguments of a function, can be looked at one by one.
func listed(v Value) bool {
	const most = 1 << 12
	switch v.Kind() {
	case Enumerated, Tuple, Function:
		return true
	case Symbolic:
		size := v.o.set.size()
		return size >= 0 && size <= most
	case Rule:
		return !infinite(v.o.rule.domain)
	}
	return false
}

// members are those that only one of two sets has.
func members(from, to []Value) (parts []Change) {
	for _, v := range from {
		if !within(v, to) {
			parts = append(parts, Change{From: v})
		}
	}
	for _, v := range to {
		if !within(v, from) {
			parts = append(parts, Change{To: v})
		}
	}
	return parts
}

func within(v Value, all []Value) bool {
	return slices.ContainsFunc(all, func(other Value) bool { return Same(v, other) })
}

// items are those in which two sequences differ. What they have in common at both ends stays out of account, so that
// an item that is taken from a queue is one change.
func items(from, to []Value) (parts []Change) {
	first := 0
	for first < min(len(from), len(to)) && Same(from[first], to[first]) {
		first++
	}
	end := 0
	for end < min(len(from), len(to))-first && Same(from[len(from)-1-end], to[len(to)-1-end]) {
		end++
	}
	from, to = from[first:len(from)-end], to[first:len(to)-end]
	for i := range max(len(from), len(to)) {
		path := step(OfInt(int64(first + i + 1)))
		switch {
		case i >= len(from):
			parts = append(parts, Change{Path: path, To: to[i]})
		case i >= len(to):
			parts = append(parts, Change{Path: path, From: from[i]})
		default:
			parts = append(parts, below(path, from[i], to[i])...)
		}
	}
	return parts
}

// arguments are those for which two functions differ, those of from first.
func arguments(from, to Value) (parts []Change) {
	a, b := from.function(), to.function()
	for i, was := range a.items {
		arg := a.argument(i)
		if k, ok := b.place(arg); ok {
			parts = append(parts, below(step(arg), was, b.items[k])...)
		} else {
			parts = append(parts, Change{Path: step(arg), From: was})
		}
	}
	for i, is := range b.items {
		if _, ok := a.place(b.argument(i)); !ok {
			parts = append(parts, Change{Path: step(b.argument(i)), To: is})
		}
	}
	return parts
}

// place returns where an argument of any kind is in the domain of a listed function.
func (o *object) place(arg Value) (int, bool) {
	for i := range o.items {
		if Same(o.argument(i), arg) {
			return i, true
		}
	}
	return 0, false
}

func below(path string, from, to Value) []Change {
	parts := Changes(from, to)
	for i := range parts {
		parts[i].Path = path + parts[i].Path
	}
	return parts
}

// step is how a path goes on with an argument: .name for a field.
func step(arg Value) string {
	if arg.Kind() == String && isName(arg.o.text) {
		return "." + arg.o.text
	}
	return "[" + Format(arg) + "]"
}

// length is about how many characters changes take where they are shown, each on a line with the name of what changes.
func length(parts []Change) (n int) {
	const name = 10
	for _, d := range parts {
		n += name + len(d.Path)
		for _, v := range []Value{d.From, d.To} {
			if !v.IsNone() {
				n += len(Format(v))
			}
		}
	}
	return n
}
