package value

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// counted is a number with what may be its unit behind it.
var counted = regexp.MustCompile(`^([-+]?[0-9][0-9_]*(?:\.[0-9]+)?)\s*([\pL%]*)$`)

// parts are what units divide by.
var parts = map[string]float64{"%": 100, "m": 1000}

// factors are what a number may be taken for so many of: of time in nanoseconds, seconds and milliseconds, and of
// bytes.
var factors = func() []float64 {
	out := []float64{1}
	times := []float64{1, 1e3, 1e6, 1e9, 60e9, 3600e9, 24 * 3600e9, 7 * 24 * 3600e9}
	for _, unit := range times {
		for _, in := range times {
			out = append(out, unit/in)
		}
	}
	for _, base := range []float64{1000, 1024} {
		for n, power := base, 0; power < 4; n, power = n*base, power+1 {
			out = append(out, n, 1/n)
		}
	}
	return out
}()

// yesNo are words for yes and no beside those that Go reads.
var yesNo = map[bool][]string{true: {"yes", "y", "on", "enabled", "enable"}, false: {"no", "n", "off", "disabled", "disable", "none"}}

// Stands tells whether a text may stand for a number, a time or a truth that a program has made of it: the same, or so
// many of whatever unit, or the same truth in another word. It is for telling what a program cannot have made of a
// text, so that it is true in doubt.
func Stands(text, read string) bool {
	text = strings.TrimSpace(Bare(text))
	if truth, err := strconv.ParseBool(read); err == nil {
		of, err := strconv.ParseBool(strings.ToLower(text))
		if err == nil && of == truth || slices.Contains(yesNo[truth], strings.ToLower(text)) {
			return true
		}
		if _, err := strconv.ParseFloat(read, 64); err != nil {
			return false
		}
	}
	is, err := strconv.ParseFloat(read, 64)
	if d, timed := time.ParseDuration(read); err != nil && timed == nil {
		is, err = float64(d), nil
	}
	if err != nil {
		return true // it is none of these
	}
	if d, err := time.ParseDuration(text); err == nil && slices.Contains([]float64{float64(d), d.Seconds(), d.Minutes(), d.Hours(), float64(d.Milliseconds()), float64(d.Microseconds())}, is) {
		return true
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && float64(n) == is {
		return true
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n == is {
		return true
	}
	found := counted.FindStringSubmatch(text)
	if found == nil {
		return false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(found[1], "_", ""), 64)
	if part, known := parts[found[2]]; known {
		n /= part
	}
	return err != nil || slices.ContainsFunc(factors, func(f float64) bool { return n*f == is })
}

// Scalar tells whether what was read is a number, a time or a truth.
func Scalar(read string) bool {
	_, number := strconv.ParseFloat(read, 64)
	_, timed := time.ParseDuration(read)
	_, truth := strconv.ParseBool(read)
	return number == nil || timed == nil || truth == nil
}

// Sibling is a text with the next number in it in the place of the last one: of the same form, and no other value than
// that if the program makes something of that form. Empty if there is no number in it.
func Sibling(text string) string {
	all := digits.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return ""
	}
	at := all[len(all)-1]
	n, err := strconv.Atoi(text[at[0]:at[1]])
	if err != nil {
		return ""
	}
	return text[:at[0]] + strconv.Itoa(n+1) + text[at[1]:]
}

var digits = regexp.MustCompile(`[0-9]+`)
