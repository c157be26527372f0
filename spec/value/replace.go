package value

// Replace returns v with model values replaced by others, everywhere in it.
func Replace(v Value, by map[Value]Value) Value {
	switch v.Kind() {
	case Model:
		if to, ok := by[v]; ok {
			return to
		}
	case Enumerated:
		if items, changed := replaceAll(v.o.items, by); changed {
			return OfSet(items)
		}
	case Tuple:
		if items, changed := replaceAll(v.o.items, by); changed {
			return OfTuple(items)
		}
	case Function:
		domain, moved := replaceAll(v.o.domain.items, by)
		items, changed := replaceAll(v.o.items, by)
		switch {
		case moved:
			return OfPairs(domain, items)
		case changed:
			return Value{o: &object{kind: Function, domain: v.o.domain, items: items}}
		}
	case Symbolic, Rule:
		return Replace(Value{o: v.canonical()}, by)
	}
	return v
}

// replaceAll returns a copy of items, and whether any is another.
func replaceAll(items []Value, by map[Value]Value) (replaced []Value, changed bool) {
	replaced = make([]Value, len(items))
	for i, item := range items {
		replaced[i] = Replace(item, by)
		changed = changed || replaced[i] != item
	}
	return replaced, changed
}
