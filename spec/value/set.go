package value

import (
	"slices"
)

// set is a Symbolic set: what it is made of.
type set interface {
	contains(Value) bool
	// each calls f for every member, in the set's own order, until f returns false, and returns
	// false if it did. Members may come twice.
	each(f func(Value) bool) bool
	// size is the number of members, -1 if that takes listing them, -2 if there is no end of them.
	size() int64
	// same tells whether two sets are plainly the same.
	same(set) bool
	// text is how it is shown.
	text() string
}

func symbolic(s set) Value { return Value{o: &object{kind: Symbolic, other: &other{set: s}}} }

// Empty is the empty set.
var Empty = Value{o: &object{kind: Enumerated}}

// OfSet returns the set of the items, which it keeps and sorts.
func OfSet(items []Value) Value {
	switch len(items) {
	case 0:
		return Empty
	case 1:
		return Value{o: &object{kind: Enumerated, items: items}}
	}
	sorted := true
	for i := 1; i < len(items) && sorted; i++ {
		sorted = Compare(items[i-1], items[i]) < 0
	}
	if !sorted {
		slices.SortStableFunc(items, Compare)
		items = slices.CompactFunc(items, func(a, b Value) bool { return Compare(a, b) == 0 })
	}
	return Value{o: &object{kind: Enumerated, items: items}}
}

// IsSet tells whether the value is a set.
func (v Value) IsSet() bool { return isSet(v.Kind()) }

func (v Value) wantSet(where string) {
	if !isSet(v.Kind()) {
		Fail("%s is %s, a set is expected", where, Describe(v))
	}
}

func infinite(s Value) bool { return s.Kind() == Symbolic && s.o.set.size() == -2 }

// Infinite tells whether the set has no end that is known.
func Infinite(s Value) bool { return infinite(s) }

// most bounds the members of a set that is listed.
const most = 1 << 22

// list returns the listed form of a set.
func (v Value) list() *object {
	switch v.Kind() {
	case Enumerated:
		return v.o
	case Symbolic:
		if o := v.o.listed.Load(); o != nil {
			return o
		}
		switch size := v.o.set.size(); {
		case size == -2:
			Fail("the members of %s cannot be listed: there is no end of them", Describe(v))
		case size > most:
			Exceed("the set %s has %d members, more than the %d that are listed", Describe(v), size, most)
		}
		o := OfSet(v.gather(most)).o
		v.o.listed.Store(o)
		return o
	}
	Fail("%s stands where a set is expected", Describe(v))
	return nil
}

// gather collects the members of a symbolic set. How many there are may not be known before, and one may come several
// times.
func (v Value) gather(most int) []Value {
	var items []Value
	v.o.set.each(func(m Value) bool {
		if items = append(items, m); len(items) > 2*most {
			if items = OfSet(items).o.items; len(items) > most {
				Exceed("the set %s has more than the %d members that are listed", Describe(v), most)
			}
		}
		return true
	})
	return items
}

// Members returns the members of a finite set in their order. They must not be changed.
func (v Value) Members() []Value { return v.list().items }

// Listed returns the members of a set in their order if they have been listed already. They must not be changed.
func Listed(s Value) (members []Value, ok bool) {
	switch s.Kind() {
	case Enumerated:
		return s.o.items, true
	case Symbolic:
		if o := s.o.listed.Load(); o != nil {
			return o.items, true
		}
	}
	return nil, false
}

// Each calls f for the members of a set until it returns false, in a deterministic order, each once.
func Each(s Value, f func(Value) bool) {
	if s.Kind() == Symbolic && s.o.listed.Load() == nil {
		if i, ok := s.o.set.(interval); ok {
			i.each(f)
			return
		}
		if s.o.set.size() > 64 && ordered(s.o.set) {
			s.o.set.each(f)
			return
		}
	}
	for _, m := range s.Members() {
		if !f(m) {
			return
		}
	}
}

// ordered tells whether each of a set has no duplicates; its order is then the set's own.
func ordered(s set) bool {
	switch s.(type) {
	case subsets, functions, product, interval:
		return true
	}
	return false
}

// Contains tells whether v is a member of s.
func Contains(s, v Value) bool {
	switch s.Kind() {
	case Enumerated:
		_, ok := search(s.o.items, v)
		return ok
	case Symbolic:
		if o := s.o.listed.Load(); o != nil {
			_, ok := search(o.items, v)
			return ok
		}
		return s.o.set.contains(v)
	}
	Fail("%s stands where a set is expected", Describe(s))
	return false
}

// Size returns the number of members of a finite set.
func Size(s Value) int64 {
	if s.Kind() == Symbolic {
		switch n := s.o.set.size(); {
		case n >= 0:
			return n
		case n == -2:
			Fail("Cardinality is asked of %s, which has no end", Describe(s))
		}
	}
	return int64(len(s.Members()))
}

// KnownSize returns the number of members of a set that is listed, or of an interval. It is 0 for what is no such set.
func KnownSize(s Value) int {
	members, ok := Listed(s)
	if ok || s.Kind() != Symbolic {
		return len(members)
	}
	if i, ok := s.o.set.(interval); ok {
		return int(i.size())
	}
	return 0
}

// Union is \cup.
func Union(a, b Value) Value {
	a.wantSet("the left of \\cup")
	b.wantSet("the right of \\cup")
	if large(a) || large(b) {
		return symbolic(union{a, b})
	}
	x, y := a.Members(), b.Members()
	switch {
	case len(y) == 0:
		return a
	case len(x) == 0:
		return b
	case (unlisted(a) || unlisted(b)) && unlike(x[0], y[0]):
		return symbolic(union{a, b}) // whether something is in it can be told all the same
	}
	return merge(a, x, y)
}

// unlisted tells whether a set is one that TLC does not list to join it: tuples, functions, records, subsets.
func unlisted(s Value) bool {
	if s.Kind() != Symbolic {
		return false
	}
	_, listed := s.o.set.(interval)
	return !listed
}

// unlike tells whether two values are of kinds that cannot be compared.
func unlike(a, b Value) bool {
	ka, kb := a.Kind(), b.Kind()
	return ka != kb && ka != Model && kb != Model && !(isSet(ka) && isSet(kb)) && !(isFunction(ka) && isFunction(kb))
}

// merge joins sorted members, x of which are those of a, and returns a itself if it has all.
func merge(a Value, x, y []Value) Value {
	if len(y) == 1 {
		i, ok := slices.BinarySearchFunc(x, y[0], Compare)
		if ok {
			return a
		}
		items := make([]Value, 0, len(x)+1)
		items = append(items, x[:i]...)
		items = append(items, y[0])
		return Value{o: &object{kind: Enumerated, items: append(items, x[i:]...)}}
	}
	items := make([]Value, 0, len(x)+len(y))
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		switch c := Compare(x[i], y[j]); {
		case c < 0:
			items, i = append(items, x[i]), i+1
		case c > 0:
			items, j = append(items, y[j]), j+1
		default:
			items, i, j = append(items, x[i]), i+1, j+1
		}
	}
	items = append(append(items, x[i:]...), y[j:]...)
	if len(items) == len(x) {
		return a
	}
	return Value{o: &object{kind: Enumerated, items: items}}
}

// large tells whether a set is better not listed to be joined.
func large(s Value) bool {
	if s.Kind() != Symbolic || s.o.listed.Load() != nil {
		return false
	}
	n := s.o.set.size()
	return n == -2 || n > 4096
}

func pick(a Value, keep func(Value) bool) Value {
	var items []Value
	all := a.Members()
	for _, m := range all {
		if keep(m) {
			items = append(items, m)
		}
	}
	if len(items) == len(all) {
		return a
	}
	if len(items) == 0 {
		return Empty
	}
	return Value{o: &object{kind: Enumerated, items: items}}
}

// Intersection is a \cap b.
func Intersection(a, b Value) Value {
	a.wantSet("the left of \\cap")
	b.wantSet("the right of \\cap")
	switch {
	case large(a) && large(b):
		return symbolic(chosen{a, func(v Value) bool { return Contains(b, v) }, "… \\cap …"})
	case large(a):
		a, b = b, a
	}
	return pick(a, func(v Value) bool { return Contains(b, v) })
}

// Difference is a \ b.
func Difference(a, b Value) Value {
	a.wantSet("the left of \\")
	b.wantSet("the right of \\")
	if large(a) {
		return symbolic(chosen{a, func(v Value) bool { return !Contains(b, v) }, "… \\ …"})
	}
	return pick(a, func(v Value) bool { return !Contains(b, v) })
}

// Choice is {x \in s : keep(x)}.
func Choice(s Value, keep func(Value) bool) Value {
	s.wantSet("what is filtered")
	if infinite(s) {
		return symbolic(chosen{s, keep, "{x \\in … : …}"})
	}
	if large(s) {
		var items []Value
		Each(s, func(v Value) bool {
			if keep(v) {
				items = append(items, v)
			}
			return true
		})
		return OfSet(items)
	}
	return pick(s, keep)
}

// Subset is a \subseteq b.
func Subset(a, b Value) bool {
	a.wantSet("the left of \\subseteq")
	b.wantSet("the right of \\subseteq")
	if a.o == b.o {
		return true
	}
	if a.Kind() == Symbolic && b.Kind() == Symbolic {
		if x, ok := a.o.set.(everything); ok {
			if y, ok := b.o.set.(everything); ok {
				return x == y || x == "Nat" && y == "Int"
			}
		}
	}
	all := true
	Each(a, func(v Value) bool {
		all = Contains(b, v)
		return all
	})
	return all
}

// BigUnion is UNION s.
func BigUnion(s Value) Value {
	var items []Value
	members := s.Members()
	if slices.ContainsFunc(members, func(m Value) bool { m.wantSet("a member of what UNION joins"); return large(m) }) {
		joined := Empty
		for _, m := range members {
			joined = Union(joined, m)
		}
		return joined
	}
	for _, m := range members {
		items = append(items, m.Members()...)
	}
	return OfSet(items)
}

// IsSymbolic tells whether a set is known by what it is made of, and not listed.
func IsSymbolic(s Value) bool { return s.Kind() == Symbolic }
