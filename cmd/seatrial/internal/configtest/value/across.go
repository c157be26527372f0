package value

import (
	"strconv"
	"time"
)

// Across tells whether another value is on the other side of the old one than the new one is, where that is no more than twice the old one, and no less than half of it: near enough to be meant.
func Across(old, now, other string) bool {
	a, unitA, isA := amount(Bare(old))
	b, unitB, isB := amount(Bare(now))
	c, unitC, isC := amount(Bare(other))
	if !isA || !isB || !isC || unitA != unitB || unitB != unitC || a <= 0 || b < a/2 || b > 2*a {
		return false
	}
	return b > a && c < a || b < a && c > a
}

// Beyond tells whether another value is on the side of the old one on which the new one is, and further from it than that.
func Beyond(old, now, other string) bool {
	a, unitA, isA := amount(Bare(old))
	b, unitB, isB := amount(Bare(now))
	c, unitC, isC := amount(Bare(other))
	return isA && isB && isC && unitA == unitB && unitB == unitC && (a < b && b < c || a > b && b > c)
}

// inTime is the unit of times.
const inTime = "time"

// amount is a number or a time, or how many there are of a unit.
func amount(text string) (n float64, unit string, is bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, "", true
	}
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d), inTime, true
	}
	found := quantity.FindStringSubmatch(text)
	if found == nil {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(found[1], 64)
	return n, found[2], err == nil
}
