package value

import (
	"strings"
	"testing"
)

// TestAlike: what only differs in what is between items, in their order, or in the slash at the end, looks like the
// same, and in what it differs is said.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		old, now, want string
	}{
		{"a;b", "a,b", "only what is between the items differs"},
		{"a; b", "a,b", "only what is between the items differs"},
		{"a,b", "a, b", "only blanks between items differ"},
		{"a;b", "a ; b", "only blanks between items differ"},
		{"a, b", "a,b", "only blanks between items differ"},
		{"a,b", "b,a", "the same items are in another order"},
		{"a:1, b:2", "b:2, a:1", "the same items are in another order"},
		{"a,b", "a,c", ""},
		{"a,b,b", "b,a,a", ""},
		{`["a", "b"]`, `["b", "a"]`, "the same items are in another order"},
		{`[{"a": 1}, {"b": 2}]`, `[{"b":2},{"a":1}]`, "the same items are in another order"},
		{"06:00", "6:00", "it is the same time of day"},
		{"06:00", "7:00", ""},
		{"a.example.", "a.example", "only a point at the end differs"},
		{"a,b", "a,b", ""},
		{"a b", "ab", ""},
		{"https://a.example/x/", "https://a.example/x", "only a slash at the end differs"},
		{"/var/x", "/var/x/", "only a slash at the end differs"},
		{"/", "", ""},
		{"a", "a/", ""},
		{`"/a/b"`, `"/a/b/"`, "only a slash at the end differs"},
	} {
		if got := Likeness(c.old, c.now); got != c.want || Alike(c.old, c.now) != (c.want != "") {
			t.Errorf("%s and %s: %q, want %q", c.old, c.now, got, c.want)
		}
	}
}

// TestScalars: what is in a collection, and what is none.
func TestScalars(t *testing.T) {
	for text, want := range map[string]string{`[{"step": "1h", "keep": 3}, null]`: "3 1h", "2m": "2m", `"x"`: "x", "true": "true"} {
		if got := strings.Join(Scalars(text), " "); got != want {
			t.Errorf("%s has %s, want %s", text, got, want)
		}
	}
}
