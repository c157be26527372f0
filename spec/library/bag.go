package library

import "github.com/seatrial/seatrial/spec/value"

var _ = enter("Bags", nil,
	one("IsABag", func(b Value) Value { return value.OfBool(isBag(b)) }),
	one("BagToSet", value.Domain),
	one("SetToBag", func(s Value) Value {
		return fill(s, func(Value) Value { return value.OfInt(1) })
	}),
	two("BagIn", func(e, b Value) Value { return value.OfBool(value.Contains(value.Domain(b), e)) }),
	constant("EmptyBag", value.EmptyTuple),
	two("\\oplus", func(a, b Value) Value {
		return fill(value.Union(value.Domain(a), value.Domain(b)), func(e Value) Value {
			return value.OfInt(copies(e, a) + copies(e, b))
		})
	}),
	two("\\ominus", func(a, b Value) Value {
		left := value.Choice(value.Domain(a), func(e Value) bool { return copies(e, a) > copies(e, b) })
		return fill(left, func(e Value) Value { return value.OfInt(copies(e, a) - copies(e, b)) })
	}),
	two("\\sqsubseteq", func(a, b Value) Value {
		for _, e := range value.Domain(a).Members() {
			if copies(e, a) > copies(e, b) {
				return value.False
			}
		}
		return value.True
	}),
	one("BagUnion", func(s Value) Value {
		all, total := value.Empty, map[string]int64{}
		for _, b := range s.Members() {
			all = value.Union(all, value.Domain(b))
			for _, e := range value.Domain(b).Members() {
				total[string(value.Append(nil, e))] += copies(e, b)
			}
		}
		return fill(all, func(e Value) Value { return value.OfInt(total[string(value.Append(nil, e))]) })
	}),
	one("BagCardinality", func(b Value) Value {
		n := int64(0)
		for _, item := range b.Items() {
			n += item.Int("the number of copies in a bag")
		}
		return value.OfInt(n)
	}),
	two("CopiesIn", func(e, b Value) Value { return value.OfInt(copies(e, b)) }),
	taking("BagOfAll", 2, map[int]int{0: 1}, func(a []Value) Value {
		f, all, total := call(a[0]), value.Empty, map[string]int64{}
		for _, e := range value.Domain(a[1]).Members() {
			image := f(e)
			all = value.Union(all, value.OfSet([]Value{image}))
			total[string(value.Append(nil, image))] += copies(e, a[1])
		}
		return fill(all, func(e Value) Value { return value.OfInt(total[string(value.Append(nil, e))]) })
	}),
	one("SubBag", subBags),
)

func isBag(b Value) bool {
	if !b.IsFunction() {
		return false
	}
	for _, item := range b.Items() {
		if item.Kind() != value.Int || item.Int("") < 1 {
			return false
		}
	}
	return true
}

func copies(e, b Value) int64 {
	n, ok := value.At(b, e)
	if !ok {
		return 0
	}
	return n.Int("the number of copies in a bag")
}

// fill returns the function on a set that f computes.
func fill(s Value, f func(Value) Value) Value {
	var items []Value
	for _, m := range s.Members() {
		items = append(items, f(m))
	}
	return value.OfFunction(s, items)
}

// subBags is the set of all bags in a bag.
func subBags(b Value) Value {
	elements := value.Domain(b).Members()
	var bags []Value
	var extend func(i int, domain, counts []Value)
	extend = func(i int, domain, counts []Value) {
		if i == len(elements) {
			bags = append(bags, value.OfPairs(append([]Value{}, domain...), append([]Value{}, counts...)))
			return
		}
		extend(i+1, domain, counts)
		for n := int64(1); n <= copies(elements[i], b); n++ {
			extend(i+1, append(domain, elements[i]), append(counts, value.OfInt(n)))
		}
	}
	extend(0, nil, nil)
	return value.OfSet(bags)
}
