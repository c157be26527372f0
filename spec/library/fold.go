package library

import "github.com/seatrial/seatrial/spec/value"

var _ = enter("Folds", nil,
	taking("MapThenFoldSet", 5, map[int]int{0: 2, 2: 1, 3: 1}, func(a []Value) Value {
		op, f, choose := call(a[0]), call(a[2]), call(a[3])
		var order []Value
		for rest := a[4]; value.Size(rest) > 0; {
			next := choose(rest)
			order = append(order, f(next))
			rest = value.Difference(rest, value.OfSet([]Value{next}))
		}
		return foldRight(op, order, a[1])
	}),
)

// foldRight is op(first, op(second, … base)).
func foldRight(op Call, items []Value, base Value) Value {
	for i := len(items) - 1; i >= 0; i-- {
		base = op(items[i], base)
	}
	return base
}

var _ = enter("Functions", []string{"Integers", "Folds"},
	two("Restrict", restrict),
	taking("RestrictDomain", 2, map[int]int{1: 1}, func(a []Value) Value {
		test := call(a[1])
		return restrict(a[0], value.Choice(value.Domain(a[0]), func(x Value) bool { return test(x).Bool("the test of RestrictDomain") }))
	}),
	taking("RestrictValues", 2, map[int]int{1: 1}, func(a []Value) Value {
		test := call(a[1])
		return restrict(a[0], value.Choice(value.Domain(a[0]), func(x Value) bool { return test(at(a[0], x)).Bool("the test of RestrictValues") }))
	}),
	two("IsRestriction", func(narrow, wide Value) Value {
		if !value.Subset(value.Domain(narrow), value.Domain(wide)) {
			return value.False
		}
		return all(value.Domain(narrow), func(x Value) bool { return value.Equal(at(narrow, x), at(wide, x)) })
	}),
	one("Range", rangeOf),
	taking("Pointwise", 3, map[int]int{2: 2}, func(a []Value) Value {
		t := call(a[2])
		return fill(value.Domain(a[0]), func(x Value) Value { return t(at(a[0], x), at(a[1], x)) })
	}),
	several("Inverse", 3, func(a []Value) Value { return inverse(a[0], a[1], a[2]) }),
	one("AntiFunction", func(f Value) Value { return inverse(f, value.Domain(f), rangeOf(f)) }),
	one("IsInjective", func(f Value) Value { return value.OfBool(injective(f)) }),
	two("Injection", func(s, t Value) Value { return value.Choice(value.Functions(s, t), injective) }),
	two("Surjection", func(s, t Value) Value { return value.Choice(value.Functions(s, t), onto(t)) }),
	two("Bijection", func(s, t Value) Value {
		return value.Choice(value.Functions(s, t), func(f Value) bool { return injective(f) && onto(t)(f) })
	}),
	two("ExistsInjection", func(s, t Value) Value { return value.OfBool(value.Size(s) <= value.Size(t)) }),
	two("ExistsSurjection", func(s, t Value) Value {
		return value.OfBool(value.Size(s) >= value.Size(t) && (value.Size(t) > 0 || value.Size(s) == 0))
	}),
	two("ExistsBijection", func(s, t Value) Value { return value.OfBool(value.Size(s) == value.Size(t)) }),
	taking("FoldFunctionOnSet", 4, map[int]int{0: 2}, func(a []Value) Value { return foldFunction(call(a[0]), a[1], a[2], a[3]) }),
	taking("FoldFunction", 3, map[int]int{0: 2}, func(a []Value) Value { return foldFunction(call(a[0]), a[1], a[2], value.Domain(a[2])) }),
	two("SumFunctionOnSet", func(f, s Value) Value { return foldFunction(sumCall, value.OfInt(0), f, s) }),
	one("SumFunction", func(f Value) Value { return foldFunction(sumCall, value.OfInt(0), f, value.Domain(f)) }),
)

func sumCall(args ...Value) Value { return sum(args[0], args[1]) }

func productCall(args ...Value) Value { return product(args[0], args[1]) }

// at is f[x], which has to be defined.
func at(f, x Value) Value {
	v, ok := value.At(f, x)
	if !ok {
		value.Fail("%s is applied to %s, which is not in its domain", value.Describe(f), value.Describe(x))
	}
	return v
}

func all(s Value, holds func(Value) bool) Value {
	for _, m := range s.Members() {
		if !holds(m) {
			return value.False
		}
	}
	return value.True
}

func restrict(f, s Value) Value {
	of := func(x Value) Value { return at(f, x) }
	if value.Infinite(s) {
		return value.OfRule(s, of)
	}
	return fill(s, of)
}

func rangeOf(f Value) Value { return value.OfSet(append([]Value{}, f.Items()...)) }

func injective(f Value) bool { return value.Size(rangeOf(f)) == int64(len(f.Items())) }

func onto(t Value) func(Value) bool {
	return func(f Value) bool { return value.Equal(rangeOf(f), t) }
}

// inverse has at t some member of s that f maps to t, and if there is none the first.
func inverse(f, s, t Value) Value {
	return fill(t, func(y Value) Value {
		for _, x := range s.Members() {
			if v, ok := value.At(f, x); ok && value.Equal(v, y) {
				return x
			}
		}
		if value.Contains(rangeOf(f), y) || value.Size(s) == 0 {
			value.Fail("CHOOSE finds nothing: no member of the set satisfies the condition")
		}
		return s.Members()[0]
	})
}

func foldFunction(op Call, base, f, s Value) Value {
	var items []Value
	for _, x := range s.Members() {
		items = append(items, at(f, x))
	}
	return foldOver(op, items, base)
}

// foldOver is op(last, … op(second, op(first, base))), as what TLC puts in place of FoldSet and FoldFunction has it.
// The text of the modules has it the other way round, which is something else if op is not commutative: models are
// written with what TLC gives.
func foldOver(op Call, items []Value, base Value) Value {
	for _, item := range items {
		base = op(item, base)
	}
	return base
}

var _ = enter("FiniteSetsExt", []string{"FiniteSets", "Functions"},
	taking("FoldSet", 3, map[int]int{0: 2}, func(a []Value) Value { return foldOver(call(a[0]), a[2].Members(), a[1]) }),
	one("SumSet", func(s Value) Value { return foldOver(sumCall, s.Members(), value.OfInt(0)) }),
	one("ProductSet", func(s Value) Value { return foldOver(productCall, s.Members(), value.OfInt(1)) }),
	taking("ReduceSet", 3, map[int]int{0: 2}, func(a []Value) Value { return foldOver(call(a[0]), a[1].Members(), a[2]) }),
	taking("MapThenSumSet", 2, map[int]int{0: 1}, func(a []Value) Value {
		f, total := call(a[0]), value.OfInt(0)
		for _, m := range a[1].Members() {
			total = sum(total, f(m))
		}
		return total
	}),
	one("FlattenSet", value.BigUnion),
	two("SymDiff", func(a, b Value) Value { return value.Union(value.Difference(a, b), value.Difference(b, a)) }),
	taking("Quantify", 2, map[int]int{1: 1}, func(a []Value) Value {
		test := call(a[1])
		return value.OfInt(value.Size(value.Choice(a[0], func(m Value) bool { return test(m).Bool("the test of Quantify") })))
	}),
	two("kSubset", func(k, s Value) Value { return value.KSubsets(k.Int("the size of kSubset"), s) }),
	one("Max", func(s Value) Value { return extreme(s, "Max", func(a, b int64) bool { return a > b }) }),
	one("Min", func(s Value) Value { return extreme(s, "Min", func(a, b int64) bool { return a < b }) }),
	one("Choices", func(sets Value) Value {
		images := []Value{}
		value.Each(value.Product(sets.Members()), func(choice Value) bool {
			images = append(images, rangeOf(choice))
			return true
		})
		return value.OfSet(images)
	}),
	taking("ChooseUnique", 2, map[int]int{1: 1}, func(a []Value) Value {
		test := call(a[1])
		found := value.Choice(a[0], func(m Value) bool { return test(m).Bool("the test of ChooseUnique") })
		if value.Size(found) != 1 {
			value.Fail("ChooseUnique finds %d members that satisfy the test", value.Size(found))
		}
		return found.Members()[0]
	}),
)

func extreme(s Value, name string, better func(a, b int64) bool) Value {
	members := s.Members()
	if len(members) == 0 {
		value.Fail("%s is asked of the empty set", name)
	}
	best := members[0].Int("a member of what " + name + " is asked of")
	for _, m := range members[1:] {
		if n := m.Int("a member of what " + name + " is asked of"); better(n, best) {
			best = n
		}
	}
	return value.OfInt(best)
}

var _ = enter("BagsExt", nil,
	two("BagAdd", func(b, x Value) Value {
		return fill(value.Union(value.Domain(b), value.OfSet([]Value{x})), func(e Value) Value {
			if value.Equal(e, x) {
				return value.OfInt(copies(e, b) + 1)
			}
			return value.OfInt(copies(e, b))
		})
	}),
	two("BagRemove", func(b, x Value) Value {
		switch n := copies(x, b); n {
		case 0:
			return b
		case 1:
			return without(b, x)
		default:
			return value.With(b, x, value.OfInt(n-1))
		}
	}),
	two("BagRemoveAll", without),
	taking("MapThenFoldBag", 5, map[int]int{0: 2, 2: 1, 3: 1}, func(a []Value) Value {
		return mapThenFoldBag(call(a[0]), a[1], call(a[2]), a[4])
	}),
	taking("FoldBag", 3, map[int]int{0: 2}, func(a []Value) Value { return foldBag(call(a[0]), a[1], a[2]) }),
	one("SumBag", func(b Value) Value { return foldBag(sumCall, value.OfInt(0), b) }),
	one("ProductBag", func(b Value) Value { return foldBag(productCall, value.OfInt(1), b) }),
)

func without(b, x Value) Value {
	return fill(value.Difference(value.Domain(b), value.OfSet([]Value{x})), func(e Value) Value { return at(b, e) })
}

// foldBag goes through a bag with what there is so far as the first argument, as TLC's own FoldBag does. The text of
// the module has it otherwise: it begins anew for each member, and joins what comes of them, which is something else if
// op takes unlike arguments.
func foldBag(op Call, base Value, b Value) Value {
	for _, e := range value.Domain(b).Members() {
		for range copies(e, b) {
			base = op(base, e)
		}
	}
	return base
}

// mapThenFoldBag joins what f makes of the members of a bag, each as often as it is there: the order does not matter
// where the result of the module does not depend on it either.
func mapThenFoldBag(op Call, base Value, f Call, b Value) Value {
	var items []Value
	for _, e := range value.Domain(b).Members() {
		power := base
		for range copies(e, b) {
			power = op(power, f(e))
		}
		items = append(items, power)
	}
	return foldRight(op, items, base)
}
