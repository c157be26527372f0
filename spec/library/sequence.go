package library

import (
	"slices"

	"github.com/seatrial/seatrial/spec/value"
)

var _ = enter("Sequences", nil,
	one("Seq", value.Sequences),
	one("Len", length),
	two("\\o", concatenate),
	two("Append", func(s, e Value) Value {
		items := s.Sequence("the first argument of Append")
		return value.OfTuple(append(slices.Clip(slices.Clone(items)), e))
	}),
	one("Head", func(s Value) Value { return nonempty(s, "Head")[0] }),
	one("Tail", func(s Value) Value { return value.OfTuple(nonempty(s, "Tail")[1:]) }),
	several("SubSeq", 3, func(a []Value) Value {
		return subSequence(a[0], a[1].Int("the second argument of SubSeq"), a[2].Int("the third argument of SubSeq"))
	}),
	taking("SelectSeq", 2, map[int]int{1: 1}, func(a []Value) Value {
		var kept []Value
		test := call(a[1])
		for _, item := range a[0].Sequence("the first argument of SelectSeq") {
			if test(item).Bool("the test of SelectSeq") {
				kept = append(kept, item)
			}
		}
		return value.OfTuple(kept)
	}),
)

func length(s Value) Value {
	if text, ok := s.Text(); ok && s.Kind() == value.String {
		return value.OfInt(int64(len([]rune(text))))
	}
	return value.OfInt(int64(len(s.Sequence("the argument of Len"))))
}

func concatenate(a, b Value) Value {
	if a.Kind() == value.String && b.Kind() == value.String {
		x, _ := a.Text()
		y, _ := b.Text()
		return value.OfString(x + y)
	}
	x, y := a.Sequence("the left of \\o"), b.Sequence("the right of \\o")
	switch {
	case len(x) == 0:
		return b
	case len(y) == 0:
		return a
	}
	return value.OfTuple(slices.Concat(x, y))
}

func nonempty(s Value, name string) []Value {
	items := s.Sequence("the argument of " + name)
	if len(items) == 0 {
		value.Fail("%s is applied to the empty sequence", name)
	}
	return items
}

func subSequence(s Value, from, to int64) Value {
	if s.Kind() == value.String {
		text, _ := s.Text()
		runes := []rune(text)
		if from > to {
			return value.OfString("")
		}
		if from < 1 || to > int64(len(runes)) {
			value.Fail("SubSeq from %d to %d is outside of a string of length %d", from, to, len(runes))
		}
		return value.OfString(string(runes[from-1 : to]))
	}
	items := s.Sequence("the first argument of SubSeq")
	if from > to {
		return value.EmptyTuple
	}
	if from < 1 || to > int64(len(items)) {
		value.Fail("SubSeq from %d to %d is outside of a sequence of length %d", from, to, len(items))
	}
	return value.OfTuple(items[from-1 : to : to])
}
