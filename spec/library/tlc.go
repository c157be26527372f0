package library

import (
	"slices"

	"github.com/seatrial/seatrial/spec/value"
)

// Assertion is the panic of Assert: what was claimed is false.
type Assertion struct{ Message string }

// Error returns the message.
func (a *Assertion) Error() string { return a.Message }

var _ = enter("TLC", nil,
	two(":>", func(a, b Value) Value { return value.OfPairs([]Value{a}, []Value{b}) }),
	two("@@", func(f, g Value) Value { return join(f, g) }),
	one("Permutations", permutations),
	taking("SortSeq", 2, map[int]int{1: 2}, func(a []Value) Value {
		return sortSequence(slices.Clone(a[0].Sequence("the first argument of SortSeq")), call(a[1]))
	}),
	one("RandomElement", randomElement),
	one("ToString", func(v Value) Value { return value.OfString(value.Format(v)) }),
	one("TLCEval", func(v Value) Value {
		if v.IsSet() && !value.Infinite(v) {
			return value.OfSet(slices.Clone(v.Members()))
		}
		return v
	}),
	constant("Any", value.Any),
	unsupported("JavaTime", 0),
	Operator{Name: "Print", Arity: 2, Impure: true, Apply: func(c Context, a []Value) Value {
		c.Print(value.Format(a[0]) + "  " + value.Format(a[1]))
		return a[1]
	}},
	Operator{Name: "PrintT", Arity: 1, Impure: true, Apply: func(c Context, a []Value) Value {
		c.Print(value.Format(a[0]))
		return value.True
	}},
	Operator{Name: "Assert", Arity: 2, Impure: true, Apply: func(_ Context, a []Value) Value {
		if !a[0].Bool("the first argument of Assert") {
			message, ok := a[1].Text()
			if !ok {
				message = value.Format(a[1])
			}
			panic(&Assertion{message})
		}
		return value.True
	}},
	Operator{Name: "TLCGet", Arity: 1, Impure: true, Apply: func(c Context, a []Value) Value {
		v, ok := c.Register(a[0])
		if !ok {
			if _, named := a[0].Text(); named {
				value.Fail("TLCGet(%s): there is nothing of that name, or not yet: what is to say of all states is there for the POSTCONDITION", value.Describe(a[0]))
			}
			value.Fail("there is nothing at %s for TLCGet", value.Describe(a[0]))
		}
		return v
	}},
	Operator{Name: "TLCSet", Arity: 2, Impure: true, Apply: func(c Context, a []Value) Value {
		c.SetRegister(a[0], a[1])
		return value.True
	}},
)

// join is f @@ g: f, and where it has no value, g.
func join(f, g Value) Value {
	domain := value.Union(value.Domain(f), value.Domain(g))
	var items []Value
	for _, arg := range domain.Members() {
		v, ok := value.At(f, arg)
		if !ok {
			v, _ = value.At(g, arg)
		}
		items = append(items, v)
	}
	return value.OfFunction(domain, items)
}

func permutations(s Value) Value {
	members := s.Members()
	if len(members) > 8 {
		value.Exceed("Permutations of a set of %d members are too many to list", len(members))
	}
	var all []Value
	used, image := make([]bool, len(members)), make([]Value, 0, len(members))
	var extend func()
	extend = func() {
		if len(image) == len(members) {
			all = append(all, value.OfFunction(s, slices.Clone(image)))
			return
		}
		for i, m := range members {
			if !used[i] {
				used[i], image = true, append(image, m)
				extend()
				used[i], image = false, image[:len(image)-1]
			}
		}
	}
	extend()
	return value.OfSet(all)
}
