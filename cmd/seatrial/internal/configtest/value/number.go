package value

import (
	"math"
	"strconv"
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

// numbers are next to a number, twice it and half of it. What is whole stays whole, and what is not negative stays so. Those of 0
// are 1 and 2.
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
