package value

import "testing"

// TestAlike: what only differs in blanks between items, or in the slash at the end, looks like the same.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		old, now string
		want     bool
	}{
		{"a,b", "a, b", true},
		{"a;b", "a ; b", true},
		{"a, b", "a,b", true},
		{"a,b", "b,a", true},
		{"a:1, b:2", "b:2, a:1", true},
		{"a,b", "a,c", false},
		{"a,b,b", "b,a,a", false},
		{`["a", "b"]`, `["b", "a"]`, true},
		{`[{"a": 1}, {"b": 2}]`, `[{"b":2},{"a":1}]`, true},
		{"06:00", "6:00", true},
		{"06:00", "7:00", false},
		{"a.example.", "a.example", true},
		{"a,b", "a,b", false},
		{"a b", "ab", false},
		{"https://a.example/x/", "https://a.example/x", true},
		{"/var/x", "/var/x/", true},
		{"/", "", false},
		{"a", "a/", false},
		{`"/a/b"`, `"/a/b/"`, true},
	} {
		if got := Alike(c.old, c.now); got != c.want {
			t.Errorf("%s and %s: %t, want %t", c.old, c.now, got, c.want)
		}
	}
}
