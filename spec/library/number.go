package library

import (
	"math"
	"math/bits"

	"github.com/seatrial/seatrial/spec/value"
)

var _ = enter("Naturals", nil, append(arithmetic, constant("Nat", value.Nat))...)

var _ = enter("Integers", []string{"Naturals"}, constant("Int", value.Integer),
	one("-.", func(a Value) Value { return difference(value.OfInt(0), a) }))

var _ = enter("Reals", []string{"Integers"}, constant("Real", value.Real), unsupported("/", 2), unsupported("Infinity", 0))

var arithmetic = []Operator{
	two("+", sum),
	two("-", difference),
	two("*", product),
	two("^", power),
	two("\\div", func(a, b Value) Value { q, _ := divide(a, b, "\\div"); return value.OfInt(q) }),
	two("%", modulo),
	two("<", func(a, b Value) Value { x, y := ints(a, b, "<"); return value.OfBool(x < y) }),
	two(">", func(a, b Value) Value { x, y := ints(a, b, ">"); return value.OfBool(x > y) }),
	two("\\leq", func(a, b Value) Value { x, y := ints(a, b, "=<"); return value.OfBool(x <= y) }),
	two("\\geq", func(a, b Value) Value { x, y := ints(a, b, ">="); return value.OfBool(x >= y) }),
	two("..", func(a, b Value) Value { x, y := ints(a, b, ".."); return value.Interval(x, y) }),
}

func ints(a, b Value, symbol string) (x, y int64) {
	if a.Kind() == value.Int && b.Kind() == value.Int {
		return a.Int(""), b.Int("")
	}
	return a.Int("the left of " + symbol), b.Int("the right of " + symbol)
}

func overflow(a, b int64, symbol string) Value {
	value.Fail("%d %s %d is too large for a number of 64 bits", a, symbol, b)
	return Value{}
}

func sum(a, b Value) Value {
	x, y := ints(a, b, "+")
	s := x + y
	if (s > x) != (y > 0) && y != 0 {
		return overflow(x, y, "+")
	}
	return value.OfInt(s)
}

func difference(a, b Value) Value {
	x, y := ints(a, b, "-")
	d := x - y
	if (d < x) != (y > 0) && y != 0 {
		return overflow(x, y, "-")
	}
	return value.OfInt(d)
}

func product(a, b Value) Value {
	x, y := ints(a, b, "*")
	if x == math.MinInt64 || y == math.MinInt64 {
		if x == 0 || y == 0 {
			return value.OfInt(0)
		}
		return overflow(x, y, "*")
	}
	high, low := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	if high != 0 || low > math.MaxInt64 {
		return overflow(x, y, "*")
	}
	if (x < 0) != (y < 0) {
		return value.OfInt(-int64(low))
	}
	return value.OfInt(int64(low))
}

func power(a, b Value) Value {
	x, y := ints(a, b, "^")
	switch {
	case y < 0:
		value.Fail("the exponent of %d ^ %d is negative", x, y)
	case x == 0 && y == 0:
		value.Fail("0 ^ 0 is not defined")
	case x == 0 || x == 1:
		return value.OfInt(x)
	case x == -1:
		return value.OfInt(1 - 2*(y&1))
	case y > 63:
		return overflow(x, y, "^")
	}
	result := value.OfInt(1)
	for range y {
		result = product(result, a)
	}
	return result
}

// divide is floor division and what remains, which is never negative for a positive divisor.
func divide(a, b Value, symbol string) (q, r int64) {
	x, y := ints(a, b, symbol)
	if y == 0 {
		value.Fail("%d %s 0 is not defined", x, symbol)
	}
	q, r = x/y, x%y
	if r != 0 && (r < 0) != (y < 0) {
		q, r = q-1, r+y
	}
	return q, r
}

func modulo(a, b Value) Value {
	if x, y := ints(a, b, "%"); y <= 0 {
		value.Fail("%d %% %d: the divisor has to be positive", x, y)
	}
	_, r := divide(a, b, "%")
	return value.OfInt(r)
}
