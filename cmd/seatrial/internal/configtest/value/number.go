package value

import (
	"math"
	"strconv"
	"strings"
)

func init() {
	register(20, func(text string) ([]string, bool) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, false
		}
		var out []string
		for _, n := range numbers(v) {
			out = append(out, strconv.FormatFloat(n, 'f', -1, 64))
		}
		return out, true
	})
}

// numbers are next to a number, twice it and half of it. What is whole stays whole, and what is not negative stays so.
// Those of 0 are 1 and 2.
func numbers(v float64) []float64 {
	switch {
	case v == 0:
		return []float64{1, 2}
	case v != math.Trunc(v):
		return []float64{v * 1.1, v * 2, v / 2}
	case v == 1:
		return []float64{2, 3}
	case v < 0:
		return []float64{v - 1, v * 2}
	}
	return []float64{v + 1, v * 2, math.Ceil(v / 2)}
}

// Fractions adds to other values of a number of a type the half of 1, if the type has fractions: a rate or a share that
// is 1 is all of it, and what is above is none.
func Fractions(typ, old string, others []string) []string {
	if v, err := strconv.ParseFloat(old, 64); err != nil || v != 1 || !strings.HasPrefix(strings.TrimPrefix(typ, "*"), "float") {
		return others
	}
	return append(others, "0.5")
}
