package value

import "strings"

func init() {
	// Anything else is a name, of which any other is as good: the code compares it with nothing.
	register(100, func(text string) ([]string, bool) {
		if before, after, is := strings.Cut(text, ","); is {
			items := strings.Split(after, ",")
			out := []string{before, before + "-other," + after} // a list
			for _, other := range texts(items[len(items)-1], nil) {
				return append(out, text+","+other), true // with one more, like the last
			}
			return out, true
		}
		return []string{text + "-other", "other"}, text != ""
	})
}
