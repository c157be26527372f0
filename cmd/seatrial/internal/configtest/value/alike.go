package value

import (
	"encoding/json"
	"slices"
	"strings"
)

// Alike tells whether two texts say the same to whoever looks at them, and may not to a program: lists of the same items that only differ in the blanks around what separates these
// (`a,b` and `a, b`), or paths and URLs in a slash at the end.
func Alike(old, now string) bool {
	old, now = Bare(old), Bare(now)
	if old == now {
		return false
	}
	if strings.ContainsAny(old, ",;") && slices.Equal(items(old), items(now)) {
		return true
	}
	return strings.Contains(strings.TrimSuffix(old, "/"), "/") && strings.TrimSuffix(old, "/") == strings.TrimSuffix(now, "/")
}

// items are those of a list in one text, without blanks around them.
func items(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// Unlike are two lists that are alike as JSON has them: what a program has that does not take the blanks away. False if they are none.
func Unlike(old, now string) (was, is string, are bool) {
	was, are = Listing(old)
	if !are || !Alike(old, now) || !strings.Contains(Bare(old), ",") {
		return "", "", false
	}
	text, err := json.Marshal(strings.Split(Bare(now), ","))
	return was, string(text), err == nil
}
