package value

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Amounts are two values as numbers, in the unit of the first, times as nanoseconds; false if one is none, or they are
// of units that are not of one kind, or the first is nothing. A number without a unit in the place of a size is one of
// bytes.
func Amounts(old, now string) (was, is float64, are bool) {
	was, of, one := Amount(Bare(old))
	is, in, other := Amount(Bare(now))
	if a, b := bytesOf(of), bytesOf(in); of != in && a != nil && (b != nil || in == "") {
		unit := 1.0
		if b != nil {
			unit = b[0]
		}
		is, in = is*unit/a[0], of
	}
	return was, is, one && other && of == in && was != 0 && was != is
}

// In is a value as a number in the unit of another one, a time as nanoseconds; false if it is none of that kind.
func In(unit, text string) (float64, bool) {
	if n, of, is := Amount(Bare(text)); is {
		if _, other, one := Amount(Bare(unit)); one && of == other {
			return n, true
		}
	}
	_, n, are := Amounts(unit, text)
	return n, are
}

// InProportion is an amount of which a number has become another one where a program has read it, as it would be
// written: of 30s that was read as 30000000000, and is read as 30000000 now, 30ms. False if one is no number, or
// nothing.
func InProportion(old, was, is string) (string, bool) {
	n, _, known := Amount(Bare(old))
	before, err := strconv.ParseFloat(was, 64)
	after, other := strconv.ParseFloat(is, 64)
	if !known || err != nil || other != nil || n == 0 || before == 0 || after == 0 || before == after {
		return "", false
	}
	return inForm(old, n*after/before), true
}

// UnitRead is how much a program has read for each one of a number without a unit: a billion nanoseconds where that
// counts seconds. False if it was not the same with an old and a new number, or they were read as they are.
func UnitRead(old, was, now, is string) (float64, bool) {
	n, in, known := Amount(Bare(old))
	m, other, too := Amount(Bare(now))
	before, of, first := Amount(was)
	after, by, second := Amount(is)
	if !known || !too || !first || !second || in != "" || other != "" || of != by || of != "" && of != InTime || n == 0 || before == 0 {
		return 0, false
	}
	unit := before / n
	return unit, unit != 1 && math.Abs(after-m*unit) <= 1e-9*math.Abs(after)
}

// farther is by how much a value has to be more, or less, than before to be another size: what a test brings along, as
// files that are 40 days old, goes with a value that is near the one that it was written for, and not with each.
const farther = 10

// Toward are values between two of which one is far more than the other, in the form of the first: one next to that,
// and one most of the way to the second. False if there are none; most is empty where the second is nothing, or less
// than that, which may well be meant: off, or without a bound.
func Toward(old, now string) (next, most string, are bool) {
	was, is, are := Amounts(old, now)
	if !are || was < 0 || is > 0 && math.Max(was, is)/math.Min(was, is) < farther {
		return "", "", false
	}
	n, m := was+was/10, math.Pow(was, 0.25)*math.Pow(math.Max(is, 0), 0.75)
	if is < was {
		n = was - was/10
	}
	if 0 < was && was < 1 && is >= 1 { // a share is not above 1
		n = min(n, was+(1-was)/10)
	}
	if was == math.Trunc(was) {
		m = math.Round(m)
		if n = math.Floor(n); is > was {
			n = math.Ceil(was + was/10)
		}
	}
	between := func(n float64) bool { return n != 0 && (n-was)*(n-is) < 0 }
	switch {
	case is <= 0:
		return inForm(old, n), "", between(n)
	case unlike(old, now): // as the second one has it: of one byte there is no whole number of KiB
		own, _, _ := Amount(Bare(now))
		m = math.Round(math.Pow(was, 0.25) * math.Pow(is, 0.75) * own / is)
		return inForm(old, n), inForm(now, m), between(n) && between(m*is/own)
	}
	return inForm(old, n), inForm(old, m), between(n) && between(m)
}

// Vanishes tells whether there was something of an amount, and is nothing of it any more, or less than that.
func Vanishes(old, now string) bool {
	was, is, are := Amounts(old, now)
	return are && was > 0 && is <= 0
}

// Outside tells whether one amount is less than half of another one, or more than twice as much: beyond what [Others]
// has for valid.
func Outside(old, now string) bool {
	was, is, are := Amounts(old, now)
	return are && was > 0 && (is < was/2 || is > was*2)
}

// Near tells whether an amount is another one than the old one, and no less than half of it nor more than twice as
// much.
func Near(old, other string) bool {
	was, is, are := Amounts(old, other)
	return are && was > 0 && is > 0 && !Outside(old, other)
}

// Far tells whether an amount is ten times as much as another one, or a tenth, or more.
func Far(old, now string) bool {
	_, _, far := Toward(old, now)
	return far
}

// Least is a tenth of an amount, and one at least where it is a whole number: what is nearly nothing of it. Empty for
// what is no amount, or less than that.
func Least(old string) string {
	was, _, is := Amount(Bare(old))
	if !is || was <= 0 {
		return ""
	}
	n := was / farther
	if was == math.Trunc(was) {
		n = math.Max(1, math.Floor(n))
	}
	if n >= was {
		return ""
	}
	return inForm(old, n)
}

// None is nothing of an amount, in its form.
func None(old string) string { return inForm(old, 0) }

// unlike tells whether two amounts are of two units.
func unlike(a, b string) bool {
	_, one, _ := Amount(Bare(a))
	_, other, _ := Amount(Bare(b))
	return one != other
}

// inForm is a number as another value has it.
func inForm(of string, n float64) string {
	bare, text := Bare(of), strconv.FormatFloat(n, 'f', -1, 64)
	if _, err := strconv.ParseFloat(bare, 64); err != nil {
		if _, err := time.ParseDuration(bare); err == nil {
			unit := time.Microsecond
			if n > float64(time.Second) {
				unit = time.Millisecond
			}
			text = short(time.Duration(n).Round(unit))
		} else {
			text += quantity.FindStringSubmatch(bare)[2]
		}
	}
	if bare != of {
		text = strconv.Quote(text)
	}
	return text
}

// apart is by how much two values differ at least that are of two units, with figures of their own: of 1 to 1000, a
// tenth.
const apart = 100

// small and large are last words of names that say a unit for which a larger one, or a smaller one, is often taken.
var (
	small = []string{"ms", "msec", "msecs", "millis", "milliseconds", "us", "micros", "microseconds", "ns", "nanos", "nanoseconds", "byte", "bytes"}
	large = []string{"s", "sec", "secs", "second", "seconds", "kb", "kib", "mb", "mib", "gb", "gib", "megabytes", "gigabytes"}
	// sized are words of names of times and sizes.
	sized = []string{"timeout", "interval", "ttl", "period", "delay", "cooldown", "age", "lease", "duration", "expiry", "size", "memory"}
)

// unitOf is the word behind which a name says its unit; empty if it has none, or is of so much in each of these.
func unitOf(name string) string {
	of := Words(name[strings.LastIndex(name, ".")+1:])
	if len(of) == 0 || slices.Contains(of, "per") {
		return ""
	}
	return of[len(of)-1]
}

// AnotherUnit tells whether a value seems to be another one in another unit, of a time or of a size: 256 and 262144,
// 30s and 30ms. Where both say their unit, and the new one is more, that is no mistake that is often made: 1m and 1h.
// Where the name of the parameter says the unit, it may have been taken for another one with any figures: of 5000 for a
// TTL_MS, 30.
func AnotherUnit(name, old, now string) bool {
	a, b, are := Amounts(old, now)
	if _, err := strconv.ParseFloat(Bare(old), 64); !are || a <= 0 || b <= 0 || err != nil && b > a {
		return false
	}
	of := large
	if b < a {
		of = small
	}
	_, err := strconv.ParseFloat(Bare(now), 64)
	return err == nil && math.Max(a, b)/math.Min(a, b) >= apart && slices.Contains(of, unitOf(name)) || InUnits(old, now)
}

// InUnits tells whether two values are the same but for their unit, be that of a share.
func InUnits(old, now string) bool {
	a, b, are := Amounts(old, now)
	if !are || a <= 0 || b <= 0 {
		return false
	}
	by := math.Max(a, b) / math.Min(a, b)
	return isShare(old, now) || slices.ContainsFunc([]float64{60, 1e3, 1 << 10, 3600, 24 * 3600, 60e3, 1e6, 1 << 20, 3600e3, 1e9, 1 << 30}, func(unit float64) bool { return math.Abs(by/unit-1) < 1e-9 })
}

// isShare tells whether one of two numbers is a share of one, and the other the same of a hundred.
func isShare(old, now string) bool {
	a, err := strconv.ParseFloat(Bare(old), 64)
	b, not := strconv.ParseFloat(Bare(now), 64)
	less, more := math.Min(a, b), math.Max(a, b)
	return err == nil && not == nil && 0 < less && less < 1 && 1 < more && more <= 100 && math.Abs(more/less/100-1) < 1e-9
}

// Sized tells whether a parameter is of times or sizes, as far as its name or its value says so.
func Sized(name, text string) bool {
	if _, err := strconv.ParseFloat(Bare(text), 64); err != nil {
		return true
	}
	unit := unitOf(name)
	return slices.Contains(small, unit) || slices.Contains(large, unit) || unit != "" && slices.ContainsFunc(Words(name[strings.LastIndex(name, ".")+1:]), func(word string) bool { return slices.Contains(sized, word) })
}

// Units are how much one of the unit of a value is, of bytes if it is a size: some programs take 1000 for a K, and some
// 1024. It is 1 of what has no unit, and of a time, which Amounts counts in nanoseconds.
func Units(text string) []float64 {
	if _, unit, is := Amount(Bare(text)); is {
		if all := bytesOf(unit); all != nil {
			return all
		}
	}
	return []float64{1}
}

// bytesOf are how many bytes a unit of sizes may be; nil for another one.
func bytesOf(unit string) []float64 {
	if strings.EqualFold(unit, "b") {
		return []float64{1}
	}
	for n, letter := range []string{"k", "m", "g", "t"} {
		switch strings.ToLower(unit) {
		case letter + "i", letter + "ib":
			return []float64{math.Pow(1024, float64(n+1))}
		case letter, letter + "b":
			return []float64{math.Pow(1000, float64(n+1)), math.Pow(1024, float64(n+1))}
		}
	}
	return nil
}
