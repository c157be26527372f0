package library

import "github.com/seatrial/seatrial/spec/value"

var _ = enter("TLCExt", nil,
	Operator{Name: "AssertEq", Arity: 2, Impure: true, Apply: func(c Context, a []Value) Value {
		equal := value.Equal(a[0], a[1])
		if !equal {
			c.Print("Assertion failed")
			c.Print(value.Format(a[0]))
			c.Print(value.Format(a[1]))
		}
		return value.OfBool(equal)
	}},
	Operator{Name: "TLCGetOrDefault", Arity: 2, Impure: true, Apply: func(c Context, a []Value) Value { return registered(c, a[0], a[1]) }},
	Operator{Name: "TLCGetAndSet", Arity: 4, Impure: true, Takes: map[int]int{1: 2}, Apply: func(c Context, a []Value) Value {
		old := registered(c, a[0], a[3])
		c.SetRegister(a[0], call(a[1])(old, a[2]))
		return old
	}},
	one("TLCModelValue", func(v Value) Value {
		text, ok := v.Text()
		if !ok {
			fail("%s is no name of a model value", v)
		}
		return value.OfModel(text)
	}),
	one("TLCNoOp", func(v Value) Value { return v }),
	one("PickSuccessor", func(Value) Value { return value.True }),
	two("TLCCache", func(v, _ Value) Value { return v }),
	unsupported("AssertError", 2), unsupported("Trace", 0), unsupported("CounterExample", 0), unsupported("ToTrace", 1),
	unsupported("TLCDefer", 1), unsupported("TLCFP", 1), unsupported("TLCEvalDefinition", 1),
)

// registered is what TLCSet put at a key, or a default.
func registered(c Context, key, otherwise Value) Value {
	if v, ok := c.Register(key); ok {
		return v
	}
	return otherwise
}

// unsupported makes an operator that has no meaning here.
func unsupported(name string, arity int) Operator {
	return Operator{Name: name, Arity: arity, Impure: true, Apply: func(Context, []Value) Value {
		panic(&Refusal{name + " is not supported"})
	}}
}
