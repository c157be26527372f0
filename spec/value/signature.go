package value

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Colours are numbers by which some model values, few, are told apart.
type Colours struct {
	Of  []Value
	Are []uint64
}

// Signature returns a number that says how one model value is in v, seen by who cannot tell model values apart but by
// their colours: if values of one colour are exchanged in v, and one exchanged for the other, it stays the same. Those
// that have no colour are told apart by their names.
func Signature(v, one Value, colours Colours) uint64 {
	switch v.Kind() {
	case Bool, Int:
		return scatter(uint64(v.o.kind), uint64(v.n))
	case String, Model:
		if v == one {
			return scatter(uint64(Model), 0)
		}
		for i, m := range colours.Of {
			if m == v {
				return scatter(uint64(Model), 1+colours.Are[i])
			}
		}
		return scatter(uint64(v.o.kind), xxh3.HashString(v.o.text))
	}
	o := v.canonical()
	h := scatter(uint64(o.kind), uint64(len(o.items)))
	switch o.kind {
	case Tuple:
		for _, item := range o.items {
			h = scatter(h, Signature(item, one, colours))
		}
	case Function:
		// The order of arguments and of members is one by names: sums do not depend on it.
		var sum uint64
		for i, item := range o.items {
			sum += scatter(Signature(o.domain.items[i], one, colours), Signature(item, one, colours))
		}
		h = scatter(h, sum)
	case Enumerated:
		var sum uint64
		for _, item := range o.items {
			sum += scatter(1, Signature(item, one, colours))
		}
		h = scatter(h, sum)
	case Symbolic:
		h = scatter(h, xxh3.HashString(o.text))
	}
	return h
}

// scatter makes one number of two, in their order.
func scatter(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xe7037ed1a0b428db)
	return bits.RotateLeft64(high^low, 23) + a*0xa0761d6478bd642f + b
}
