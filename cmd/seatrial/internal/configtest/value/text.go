package value

import "strings"

func init() {
	// Anything else is a name, of which any other is as good: the code compares it with nothing.
	register(100, func(text string) ([]string, bool) {
		if before, after, is := strings.Cut(text, ","); is {
			return []string{before, before + "-other," + after}, true // a list
		}
		return []string{text + "-other", "other"}, text != ""
	})
}
