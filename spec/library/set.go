package library

import "github.com/seatrial/seatrial/spec/value"

var _ = enter("FiniteSets", nil,
	one("IsFiniteSet", func(s Value) Value {
		if !s.IsSet() {
			value.Fail("IsFiniteSet is asked of %s, which is no set", value.Describe(s))
		}
		return value.OfBool(!value.Infinite(s))
	}),
	one("Cardinality", func(s Value) Value {
		if !s.IsSet() {
			value.Fail("Cardinality is asked of %s, which is no set", value.Describe(s))
		}
		return value.OfInt(value.Size(s))
	}),
)
