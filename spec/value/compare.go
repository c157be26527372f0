package value

import (
	"cmp"
	"slices"
)

// Equal tells whether two values are equal. Values of kinds that have nothing to do with each other are
// an error, model values excepted, which equal nothing else.
func Equal(a, b Value) bool {
	if a == b {
		return true
	}
	ka, kb := a.Kind(), b.Kind()
	if ka == Model || kb == Model {
		typed(a, b)
		typed(b, a)
		return false
	}
	switch {
	case ka == kb && (ka == Int || ka == Bool || ka == String):
		return false
	case isSet(ka) && isSet(kb):
		return equalSets(a, b)
	case isFunction(ka) && isFunction(kb):
		return equalFunctions(a.function(), b.function())
	}
	Fail("%s and %s cannot be compared", Describe(a), Describe(b))
	return false
}

// typed fails if a is a typed model value that b cannot be compared with.
func typed(a, b Value) {
	if a.Kind() != Model || a.o.letter == 0 {
		return
	}
	if b.Kind() != Model || b.o.letter != 0 && b.o.letter != a.o.letter {
		Fail("the typed model value %s and %s cannot be compared", a.o.text, Describe(b))
	}
}

func isSet(k Kind) bool      { return k == Enumerated || k == Symbolic }
func isFunction(k Kind) bool { return k == Tuple || k == Function || k == Rule }

func equalSets(a, b Value) bool {
	if a.Kind() == Symbolic && b.Kind() == Symbolic && a.o.set.same(b.o.set) {
		return true
	}
	if infinite(a) != infinite(b) {
		return false
	}
	x, y := a.Members(), b.Members()
	return slices.EqualFunc(x, y, Equal)
}

func equalFunctions(a, b *object) bool {
	if len(a.items) != len(b.items) {
		return false
	}
	if len(a.items) == 0 {
		return true
	}
	if a.kind != b.kind {
		// One is a sequence, the other has the same number of arguments, but not 1..n. That the
		// arguments can be compared at all is looked at.
		Equal(a.argument(0), b.argument(0))
		return false
	}
	if a.kind == Function && a.domain != b.domain && !slices.EqualFunc(a.domain.items, b.domain.items, Equal) {
		return false
	}
	if x, y := a.interned.Load(), b.interned.Load(); x != 0 && x>>32 == y>>32 {
		return x == y
	}
	if a.known() && b.known() {
		return a.high.Load() == b.high.Load() && a.low.Load() == b.low.Load()
	}
	return slices.EqualFunc(a.items, b.items, Equal)
}

func (o *object) known() bool { return o.high.Load() != 0 }

// argument returns the i-th argument of a function, from 0.
func (o *object) argument(i int) Value {
	if o.kind == Tuple {
		return OfInt(int64(i + 1))
	}
	return o.domain.items[i]
}

// Compare orders values: negative if a is before b. It fails where Equal does.
func Compare(a, b Value) int {
	if a == b {
		return 0
	}
	ka, kb := a.Kind(), b.Kind()
	switch {
	case ka == Model && kb == Model:
		typed(a, b)
		typed(b, a)
		return compareNames(a.o, b.o)
	case ka == Model:
		typed(a, b)
		return -1
	case kb == Model:
		typed(b, a)
		return 1
	case ka == kb && (ka == Int || ka == Bool):
		return cmp.Compare(a.n, b.n)
	case ka == String && kb == String:
		return compareNames(a.o, b.o)
	case isSet(ka) && isSet(kb):
		x, y := a.Members(), b.Members()
		if c := len(x) - len(y); c != 0 {
			return c
		}
		return slices.CompareFunc(x, y, Compare)
	case isFunction(ka) && isFunction(kb):
		return compareFunctions(a.function(), b.function())
	}
	Fail("%s and %s cannot be compared", Describe(a), Describe(b))
	return 0
}

func compareFunctions(a, b *object) int {
	if c := len(a.items) - len(b.items); c != 0 {
		return c
	}
	if (a.kind != Tuple || b.kind != Tuple) && (a.domain == nil || a.domain != b.domain) {
		for i := range a.items {
			if c := Compare(a.argument(i), b.argument(i)); c != 0 {
				return c
			}
		}
	}
	return slices.CompareFunc(a.items, b.items, Compare)
}
