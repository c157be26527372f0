package value

import (
	"regexp"
	"strconv"
	"time"
)

// quantity is a number with a unit: 10Mi, 1.5s, 300ms, 80%.
var quantity = regexp.MustCompile(`^(-?[0-9]+(?:\.[0-9]+)?)([A-Za-zµ%]+)$`)

func init() {
	register(10, func(text string) ([]string, bool) {
		found := quantity.FindStringSubmatch(text)
		if found == nil {
			return compound(text)
		}
		v, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return nil, false
		}
		var out []string
		for _, n := range numbers(v) {
			out = append(out, strconv.FormatFloat(n, 'f', -1, 64)+found[2])
		}
		return out, true
	})
}

// compound is for durations of several units: 1h30m.
func compound(text string) ([]string, bool) {
	d, err := time.ParseDuration(text)
	if err != nil || d == 0 {
		return nil, false
	}
	return []string{(d + d/10).String(), (2 * d).String(), (d / 2).String()}, true
}
