package value

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Amounts are two values as numbers, times as nanoseconds; false if one is none, or they are of two units, or the first is nothing.
func Amounts(old, now string) (was, is float64, are bool) {
	was, of, one := amount(Bare(old))
	is, in, other := amount(Bare(now))
	return was, is, one && other && of == in && was != 0 && was != is
}

// large is by how much a value has to be more, or less, than before to be another size: what a test brings along, as files that are 40 days old, goes with a value that is near the one
// that it was written for, and not with each.
const large = 10

// Toward are values between two of which one is far more than the other, in the form of the first: one next to that, and one half-way. False if there are none.
func Toward(old, now string) (next, half string, are bool) {
	was, is, are := Amounts(old, now)
	if !are || was < 0 || is > 0 && math.Max(was, is)/math.Min(was, is) < large {
		return "", "", false
	}
	n, h := was+was/10, math.Sqrt(was*math.Max(is, 0))
	if is < was {
		n = was - was/10
	}
	if is <= 0 {
		h = was / 2
	}
	if was == math.Trunc(was) {
		h = math.Round(h)
		if n = math.Floor(n); is > was {
			n = math.Ceil(was + was/10)
		}
	}
	between := func(n float64) bool { return n != 0 && (n-was)*(n-is) < 0 }
	return inForm(old, n), inForm(old, h), between(n) && between(h)
}

// inForm is a number as another value has it.
func inForm(of string, n float64) string {
	bare, text := Bare(of), strconv.FormatFloat(n, 'f', -1, 64)
	if _, err := strconv.ParseFloat(bare, 64); err != nil {
		if _, err := time.ParseDuration(bare); err == nil {
			text = short(time.Duration(n))
		} else {
			text += quantity.FindStringSubmatch(bare)[2]
		}
	}
	if bare != of {
		text = strconv.Quote(text)
	}
	return text
}

// AnotherUnit tells whether a value seems to be another one in another unit, of a time or of a size.
func AnotherUnit(old, now string) bool {
	a, b, are := Amounts(old, now)
	if !are || a <= 0 || b <= 0 {
		return false
	}
	by := math.Max(a, b) / math.Min(a, b)
	return slices.ContainsFunc([]float64{60, 1e3, 1 << 10, 3600, 24 * 3600, 60e3, 1e6, 1 << 20, 3600e3, 1e9, 1 << 30}, func(unit float64) bool { return math.Abs(by/unit-1) < 1e-9 })
}
