package value

import (
	"regexp"
	"strconv"
	"strings"
)

var figure = regexp.MustCompile(`\d+`)

func init() {
	// Numbers with signs between them: a network, a version, times of a day. Most forms of that have room for one more
	// or one less.
	register(35, func(text string) ([]string, bool) {
		all := figure.FindAllStringIndex(text, -1)
		if len(all) < 2 || strings.ContainsFunc(text, letter) || strings.Contains(text, ",") {
			return nil, false
		}
		var out []string
		for _, at := range [][]int{all[len(all)-1], all[0]} {
			for _, by := range []int{1, -1} {
				n, err := strconv.Atoi(text[at[0]:at[1]])
				if err != nil || n+by < 0 {
					continue
				}
				other := strconv.Itoa(n + by)
				other = strings.Repeat("0", max(0, at[1]-at[0]-len(other))) + other
				out = append(out, text[:at[0]]+other+text[at[1]:])
			}
		}
		return out, true
	})
}
