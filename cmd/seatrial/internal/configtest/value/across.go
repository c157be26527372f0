package value

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Across tells whether another value is on the other side of the old one than the new one is, where that is no more
// than twice the old one, and no less than half of it: near enough to be meant.
func Across(old, now, other string) bool {
	a, unitA, isA := Amount(Bare(old))
	b, unitB, isB := Amount(Bare(now))
	c, unitC, isC := Amount(Bare(other))
	if !isA || !isB || !isC || unitA != unitB || unitB != unitC || a <= 0 || b < a/2 || b > 2*a {
		return false
	}
	return b > a && c < a || b < a && c > a
}

// Beyond tells whether another value is on the side of the old one on which the new one is, and further from it than
// that.
func Beyond(old, now, other string) bool {
	a, unitA, isA := Amount(Bare(old))
	b, unitB, isB := Amount(Bare(now))
	c, unitC, isC := Amount(Bare(other))
	return isA && isB && isC && unitA == unitB && unitB == unitC && (a < b && b < c || a > b && b > c)
}

// IsBetween tells whether an amount is between two others, all in one unit, and neither of them.
func IsBetween(old, mid, now string) bool {
	m, known := In(old, mid)
	was, is, are := Amounts(old, now)
	return known && are && (was < m && m < is || was > m && m > is)
}

// parted are words of names of what is a part of something, or so many times as much.
var parted = []string{"factor", "multiplier", "multiple", "ratio", "share", "fraction", "portion", "proportion", "probability", "sample", "sampling", "weight", "scale", "growth", "exponent", "jitter", "quantile", "decay", "damping"}

// PassesOne tells whether one of two values of a factor or a share, as its name says, is less than 1, and the other one
// more, and they need not be whole.
func PassesOne(name, old, now string) bool {
	if !(&asked{words: Words(name[strings.LastIndex(name, ".")+1:])}).named(parted...) {
		return false
	}
	was, one := strconv.ParseFloat(Bare(old), 64)
	is, other := strconv.ParseFloat(Bare(now), 64)
	return one == nil && other == nil && (was != math.Trunc(was) || is != math.Trunc(is)) && is > 0 && IsBetween(old, "1", now)
}

// Astride are two values next to one that is between two others, in the form of the first: one on its side, and one on
// that of the second. False if there is none on the side of the first.
func Astride(old, mid, now string) (inside, beyond string, are bool) {
	if !IsBetween(old, mid, now) {
		return "", "", false
	}
	was, is, _ := Amounts(old, now)
	m, _ := In(old, mid)
	a, b := m-(m-was)/farther, m+(is-m)/farther
	if was == math.Trunc(was) && is == math.Trunc(is) {
		a, b = math.Floor(a), math.Ceil(b)
		if is < was {
			a, b = math.Ceil(m-(m-was)/farther), math.Floor(m+(is-m)/farther)
		}
	}
	return inForm(old, a), inForm(old, b), a != was
}

// bounding are words of names of what bounds something.
var bounding = []string{"min", "minimum", "max", "maximum", "least", "most", "low", "lower", "high", "higher", "upper", "soft", "hard", "floor", "ceil", "ceiling", "limit", "cap", "capacity", "bound"}

// IsBound tells whether a parameter bounds something, as its name says.
func IsBound(name string) bool {
	return slices.ContainsFunc(Words(name[strings.LastIndex(name, ".")+1:]), func(w string) bool { return slices.Contains(bounding, w) })
}

// Swapped are, of two amounts of one kind of which one was more than the other and is less now, what the second is
// beside the new first one as it was beside the old one, and the first beside the new second one. False if they have
// not changed places.
func Swapped(first, nowFirst, second, nowSecond string) (secondBeside, firstBeside string, are bool) {
	a, b, before := Amounts(first, second)
	c, d, after := Amounts(nowFirst, nowSecond)
	_, _, one := Amounts(first, nowFirst)
	if !before || !after || !one || a <= 0 || b <= 0 || c <= 0 || d <= 0 || (a < b) == (c < d) {
		return "", "", false
	}
	c, _ = In(first, nowFirst) // each in its own unit
	d, _ = In(second, nowSecond)
	b, _, _ = Amount(Bare(second))
	n, m := c*b/a, d*a/b
	if a == math.Trunc(a) && b == math.Trunc(b) {
		n, m = math.Max(1, math.Round(n)), math.Max(1, math.Round(m))
	}
	return inForm(second, n), inForm(first, m), true
}

// Apart are half of an amount and twice as much, in its form, if another one is between these; false if it is not, or
// there is no half.
func Apart(old, now string) (half, twice string, are bool) {
	was, is, are := Amounts(old, now)
	less, more := was/2, was*2
	if was == math.Trunc(was) {
		less = math.Floor(less)
	}
	if are = are && 0 < less && less < is && is < more; !are { // a number that is none is not between any
		return "", "", false
	}
	return inForm(old, less), inForm(old, more), true
}

// InTime is the unit of times.
const InTime = "time"

// Amount is a number or a time, or how many there are of a unit.
func Amount(text string) (n float64, unit string, is bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, "", true
	}
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d), InTime, true
	}
	found := quantity.FindStringSubmatch(text)
	if found == nil {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(found[1], 64)
	return n, found[2], err == nil
}
