package value

import (
	"slices"
	"strconv"
	"time"
)

// far is by how much an extreme value is more than one that is meant.
const far = 1000

// Extremes are texts of the form of another one, and far from what that says: whoever takes it for what it is minds one
// of them, if he looks at it.
func Extremes(text string) []string {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return except(text, "0", number(v*far))
	}
	if v, err := strconv.ParseBool(text); err == nil {
		return []string{strconv.FormatBool(!v)}
	}
	if d, err := time.ParseDuration(text); err == nil {
		return except(text, "0s", short(d*far), short(d/far))
	}
	if found := quantity.FindStringSubmatch(text); found != nil {
		v, _ := strconv.ParseFloat(found[1], 64)
		return except(text, "0"+found[2], number(v*far)+found[2])
	}
	if c, is := clockOf(text); is {
		return except(text, c.at(0, c.rest), c.at(hours/2, c.rest), c.at(hours-1, c.rest))
	}
	return except(text, strange)
}

// strange is a word that nobody means.
const strange = "seatrial"

// Word tells whether a text has no form that other texts have, so that there is nothing but a word that is made up.
func Word(text string) bool { return slices.Contains(Extremes(text), strange) }

// except are some texts without one.
func except(without string, all ...string) (out []string) {
	for _, text := range all {
		if text != without {
			out = append(out, text)
		}
	}
	return out
}
