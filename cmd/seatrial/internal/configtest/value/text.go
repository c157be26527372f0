package value

import (
	"slices"
	"strings"
)

// other makes a text another one.
const other = "other"

func init() {
	// Anything else is a name, of which any other is as good: the code compares it with nothing.
	register(100, func(text string) ([]string, bool) {
		if before, after, is := strings.Cut(text, ","); is {
			items := strings.Split(after, ",")
			out := []string{before, before + "-" + other + "," + after} // a list
			for _, item := range texts(items[len(items)-1], nil) {
				return append(out, text+","+item), true // with one more, like the last
			}
			return out, true
		}
		return []string{text + "-" + other, other}, text != ""
	})
}

// MadeUp tells whether values are nothing but other texts: it is not known whether the program takes them.
func MadeUp(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !strings.Contains(v, other) })
}
