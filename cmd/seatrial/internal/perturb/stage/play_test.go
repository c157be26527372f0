package stage

import "testing"

// TestExcerpt: of much that a process has said its end is shown, and where it ended, its first line, too: which flag it
// does not know stands before all that there are.
func TestExcerpt(t *testing.T) {
	usage := "flag provided but not defined: -x\nUsage of op:\n  -a\n  -b\n  -c\n  -d\n\n"
	for _, c := range []struct {
		text  string
		first int
		want  string
	}{
		{" \n", 1, "it printed nothing"},
		{"one\n  two\n", 1, "it said: one / two"},
		{usage, 1, "it said: flag provided but not defined: -x / -a / -b / -c / -d"},
		{usage, 0, "it said: Usage of op: / -a / -b / -c / -d"},
	} {
		if got := excerpt(c.text, c.first); got != c.want {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
}
