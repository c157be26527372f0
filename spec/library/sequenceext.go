package library

import (
	"slices"

	"github.com/seatrial/seatrial/spec/value"
)

var _ = enter("SequencesExt", []string{"Sequences", "Naturals", "FiniteSetsExt", "Bags", "TLC"},
	one("ToSet", rangeOf),
	one("ToBag", func(s Value) Value {
		items := items(s)
		return fill(value.OfSet(slices.Clone(items)), func(e Value) Value { return value.OfInt(int64(len(places(items, e)))) })
	}),
	one("SetToSeq", func(s Value) Value { return value.OfTuple(slices.Clone(s.Members())) }),
	one("SetToSeqs", setToSequences),
	taking("SetToSortSeq", 2, map[int]int{1: 2}, func(a []Value) Value {
		return sortSequence(slices.Clone(a[0].Members()), call(a[1]))
	}),
	one("SetToAllKPermutations", func(s Value) Value {
		var sets []Value
		value.Each(value.Subsets(s), func(part Value) bool { sets = append(sets, setToSequences(part)); return true })
		return value.BigUnion(value.OfSet(sets))
	}),
	two("TupleOf", func(s, n Value) Value { return value.Functions(value.Interval(1, n.Int("the length of TupleOf")), s) }),
	two("SeqOf", sequencesUpTo),
	two("BoundedSeq", sequencesUpTo),
	two("Contains", func(s, e Value) Value { return value.OfBool(len(places(items(s), e)) > 0) }),
	taking("IsSorted", 2, map[int]int{1: 2}, func(a []Value) Value {
		s, op := items(a[0]), call(a[1])
		for i := range s {
			for j := i + 1; j < len(s); j++ {
				if !op(s[i], s[j]).Bool("the order of IsSorted") {
					return value.False
				}
			}
		}
		return value.True
	}),
	one("Reverse", func(s Value) Value { return value.OfTuple(reversed(items(s))) }),
	two("Remove", func(s, e Value) Value {
		return value.OfTuple(slices.DeleteFunc(slices.Clone(items(s)), func(x Value) bool { return value.Equal(x, e) }))
	}),
	several("ReplaceAll", 3, func(a []Value) Value {
		out := slices.Clone(items(a[0]))
		for _, i := range places(out, a[1]) {
			out[i] = a[2]
		}
		return value.OfTuple(out)
	}),
	taking("SelectInSeq", 2, map[int]int{1: 1}, func(a []Value) Value { return first(items(a[0]), call(a[1]), false) }),
	taking("SelectInSubSeq", 4, map[int]int{3: 1}, func(a []Value) Value { return first(part(a[0], a[1], a[2]), call(a[3]), false) }),
	taking("SelectLastInSeq", 2, map[int]int{1: 1}, func(a []Value) Value { return first(items(a[0]), call(a[1]), true) }),
	taking("SelectLastInSubSeq", 4, map[int]int{3: 1}, func(a []Value) Value { return first(part(a[0], a[1], a[2]), call(a[3]), true) }),
	several("InsertAt", 3, func(a []Value) Value {
		s, i := a[0], a[1].Int("the place of InsertAt")
		return value.OfTuple(slices.Concat(items(subSequence(s, 1, i-1)), []Value{a[2]}, items(subSequence(s, i, int64(len(items(s)))))))
	}),
	several("ReplaceAt", 3, func(a []Value) Value { return value.With(a[0], a[1], a[2]) }),
	two("RemoveAt", func(s, n Value) Value {
		i := n.Int("the place of RemoveAt")
		return value.OfTuple(slices.Concat(items(subSequence(s, 1, i-1)), items(subSequence(s, i+1, int64(len(items(s)))))))
	}),
	two("RemoveFirst", func(s, e Value) Value { return removeFirst(items(s), func(x Value) bool { return value.Equal(x, e) }) }),
	taking("RemoveFirstMatch", 2, map[int]int{1: 1}, func(a []Value) Value {
		test := call(a[1])
		return removeFirst(items(a[0]), func(x Value) bool { return test(x).Bool("the test of RemoveFirstMatch") })
	}),
	two("Cons", func(e, s Value) Value { return value.OfTuple(slices.Concat([]Value{e}, items(s))) }),
	two("Snoc", func(e, s Value) Value { return value.OfTuple(slices.Concat(items(s), []Value{e})) }),
	one("Front", func(s Value) Value { return value.OfTuple(slices.Clip(items(s)[:max(len(items(s))-1, 0)])) }),
	one("Last", func(s Value) Value { return at(s, value.OfInt(int64(len(items(s))))) }),
	two("IsPrefix", func(s, t Value) Value { return value.OfBool(isPrefix(items(s), items(t))) }),
	two("IsStrictPrefix", func(s, t Value) Value {
		return value.OfBool(isPrefix(items(s), items(t)) && len(items(s)) < len(items(t)))
	}),
	two("IsSuffix", func(s, t Value) Value { return value.OfBool(isPrefix(reversed(items(s)), reversed(items(t)))) }),
	two("IsStrictSuffix", func(s, t Value) Value {
		return value.OfBool(isPrefix(reversed(items(s)), reversed(items(t))) && len(items(s)) < len(items(t)))
	}),
	one("Prefixes", prefixes),
	one("CommonPrefixes", commonPrefixes),
	one("LongestCommonPrefix", func(s Value) Value {
		longest := value.Value{}
		for _, p := range commonPrefixes(s).Members() {
			if longest.IsNone() || len(items(p)) > len(items(longest)) {
				longest = p
			}
		}
		if longest.IsNone() {
			value.Fail("LongestCommonPrefix is asked of the empty set")
		}
		return longest
	}),
	one("Suffixes", func(s Value) Value {
		all, out := items(s), []Value{value.EmptyTuple}
		for i := range all {
			out = append(out, value.OfTuple(slices.Clip(all[i:])))
		}
		return value.OfSet(out)
	}),
	two("SeqMod", func(a, b Value) Value {
		if r := modulo(a, b); r != value.OfInt(0) {
			return r
		}
		return b
	}),
	taking("FoldSeq", 3, map[int]int{0: 2}, func(a []Value) Value { return foldFunction(call(a[0]), a[1], a[2], value.Domain(a[2])) }),
	taking("FoldLeft", 3, map[int]int{0: 2}, func(a []Value) Value { return foldLeft(call(a[0]), a[1], items(a[2])) }),
	taking("FoldRight", 3, map[int]int{0: 2}, func(a []Value) Value { return foldRight(call(a[0]), items(a[1]), a[2]) }),
	taking("FoldLeftDomain", 3, map[int]int{0: 2}, func(a []Value) Value { return foldLeft(call(a[0]), a[1], numbers(a[2])) }),
	taking("FoldRightDomain", 3, map[int]int{0: 2}, func(a []Value) Value { return foldRight(call(a[0]), numbers(a[1]), a[2]) }),
	one("FlattenSeq", flatten),
	two("Zip", func(s, t Value) Value {
		x, y := items(s), items(t)
		out := make([]Value, min(len(x), len(y)))
		for i := range out {
			out[i] = value.OfTuple([]Value{x[i], y[i]})
		}
		return value.OfTuple(out)
	}),
	two("Interleave", func(s, t Value) Value {
		x, y := items(s), items(t)
		if len(x) != len(y) {
			value.Fail("Interleave is of sequences of one length, not of %d and %d", len(x), len(y))
		}
		if len(x) == 0 {
			return value.OfTuple([]Value{value.EmptyTuple, value.EmptyTuple})
		}
		var out []Value
		for i := range x {
			out = append(out, value.OfTuple([]Value{x[i]}), value.OfTuple([]Value{y[i]}))
		}
		return value.OfTuple(out)
	}),
	one("SubSeqs", subSequences),
	one("AllSubSeqs", allSubSequences),
	two("IndexFirstSubSeq", func(s, t Value) Value { return value.OfInt(int64(mustIndex(s, t))) }),
	several("ReplaceSubSeqAt", 4, func(a []Value) Value {
		return replaceAt(int(a[0].Int("the place of ReplaceSubSeqAt")), items(a[1]), items(a[2]), items(a[3]))
	}),
	several("ReplaceFirstSubSeq", 3, func(a []Value) Value {
		if indexOf(items(a[1]), items(a[2])) == 0 {
			return a[2]
		}
		return replaceAt(mustIndex(a[1], a[2]), items(a[0]), items(a[1]), items(a[2]))
	}),
	several("ReplaceAllSubSeqs", 3, replaceAll),
)

func items(s Value) []Value { return s.Sequence("what stands for a sequence") }

func places(s []Value, e Value) (found []int) {
	for i, x := range s {
		if value.Equal(x, e) {
			found = append(found, i)
		}
	}
	return found
}

func reversed(s []Value) []Value {
	out := slices.Clone(s)
	slices.Reverse(out)
	return out
}

func numbers(s Value) []Value {
	out := make([]Value, len(items(s)))
	for i := range out {
		out[i] = value.OfInt(int64(i + 1))
	}
	return out
}

// part is the items of SubSeq(s, from, to).
func part(s, from, to Value) []Value {
	return items(subSequence(s, from.Int("a place"), to.Int("a place")))
}

// first returns the place of the first item, or the last, that satisfies a test; 0 if there is none.
func first(s []Value, test Call, last bool) Value {
	found := 0
	for i, x := range s {
		if test(x).Bool("the test of what is selected") {
			if found = i + 1; !last {
				break
			}
		}
	}
	return value.OfInt(int64(found))
}

func removeFirst(s []Value, is func(Value) bool) Value {
	if i := slices.IndexFunc(s, is); i >= 0 {
		return value.OfTuple(slices.Concat(s[:i], s[i+1:]))
	}
	return value.OfTuple(s)
}

func isPrefix(s, t []Value) bool {
	return len(s) <= len(t) && slices.EqualFunc(s, t[:len(s)], value.Equal)
}

func prefixes(s Value) Value {
	all, out := items(s), []Value{}
	for i := range len(all) + 1 {
		out = append(out, value.OfTuple(slices.Clip(all[:i])))
	}
	return value.OfSet(out)
}

func commonPrefixes(s Value) Value {
	common := value.Value{}
	for _, m := range s.Members() {
		if p := prefixes(m); common.IsNone() {
			common = p
		} else {
			common = value.Intersection(common, p)
		}
	}
	if common.IsNone() {
		return value.Empty
	}
	return common
}

func foldLeft(op Call, base Value, s []Value) Value {
	for _, x := range s {
		base = op(base, x)
	}
	return base
}

func flatten(s Value) Value {
	if len(items(s)) == 0 {
		return s
	}
	all := value.EmptyTuple
	for _, x := range items(s) {
		all = concatenate(all, x)
	}
	return all
}

func setToSequences(s Value) Value {
	var out []Value
	members, picked, used := s.Members(), []Value{}, make([]bool, len(s.Members()))
	var extend func()
	extend = func() {
		if len(picked) == len(members) {
			out = append(out, value.OfTuple(slices.Clone(picked)))
			return
		}
		for i, m := range members {
			if !used[i] {
				used[i], picked = true, append(picked, m)
				extend()
				used[i], picked = false, picked[:len(picked)-1]
			}
		}
	}
	extend()
	return value.OfSet(out)
}

func sequencesUpTo(s, n Value) Value {
	all := value.Empty
	for length := range n.Int("the length of sequences") + 1 {
		all = value.Union(all, value.Functions(value.Interval(1, length), s))
	}
	return all
}

func subSequences(s Value) Value {
	all, out := items(s), []Value{value.EmptyTuple}
	for i := range all {
		for j := i + 1; j <= len(all); j++ {
			out = append(out, value.OfTuple(slices.Clip(all[i:j])))
		}
	}
	return value.OfSet(out)
}

func allSubSequences(s Value) Value {
	all := items(s)
	if len(all) > 20 {
		value.Exceed("AllSubSeqs of a sequence of %d items are too many to list", len(all))
	}
	var out []Value
	for mask := range 1 << len(all) {
		var kept []Value
		for i, x := range all {
			if mask>>i&1 != 0 {
				kept = append(kept, x)
			}
		}
		out = append(out, value.OfTuple(kept))
	}
	return value.OfSet(out)
}

// indexOf returns where s is first in t, from 1; 0 if it is not.
func indexOf(s, t []Value) int {
	for i := 0; i+len(s) <= len(t); i++ {
		if slices.EqualFunc(s, t[i:i+len(s)], value.Equal) {
			return i + 1
		}
	}
	return 0
}

func mustIndex(s, t Value) int {
	i := indexOf(items(s), items(t))
	if i == 0 {
		value.Fail("%s is no part of %s", value.Describe(s), value.Describe(t))
	}
	return i
}

func replaceAt(i int, r, s, t []Value) Value {
	before, after := t[:min(max(i-1, 0), len(t))], t[min(max(i-1+len(s), 0), len(t)):]
	return value.OfTuple(slices.Concat(before, r, after))
}

// replaceAll puts r for every s in t, from the left. An empty s is before every item.
func replaceAll(a []Value) Value {
	r, s, t := items(a[0]), items(a[1]), items(a[2])
	var out []Value
	switch {
	case value.Equal(a[1], a[2]):
		return a[0]
	case len(s) == 0:
		for _, x := range t {
			out = append(append(out, r...), x)
		}
		return value.OfTuple(out)
	}
	for len(t) > 0 {
		if isPrefix(s, t) {
			out, t = append(out, r...), t[len(s):]
		} else {
			out, t = append(out, t[0]), t[1:]
		}
	}
	return value.OfTuple(out)
}

func sortSequence(s []Value, before Call) Value {
	slices.SortStableFunc(s, func(x, y Value) int {
		switch {
		case before(x, y).Bool("the order of a sort"):
			return -1
		case before(y, x).Bool("the order of a sort"):
			return 1
		}
		return 0
	})
	return value.OfTuple(s)
}
