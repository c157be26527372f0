package change

import (
	"slices"
	"testing"
)

// TestMixed: a file has any of the changes without the others where they are on lines of their own, and none where a line has two of them.
func TestMixed(t *testing.T) {
	const before = "# first\na: 1\nb: 2\nc:\n  d: 3\n  e: 4\nf: [1, 2]\ng: {h: 1, i: 2}\nj: 9\n"
	const after = "# second\na: 10\nb: 20\nc:\n  e: 40\n  k: 5\nf: [1, 3]\ng: {h: 10, i: 20}\nj: 9\n"
	parse := func(text string) []Setting {
		all, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	all := Between(parse(before), parse(after))
	some := func(paths ...string) (out []Change) {
		for _, c := range all {
			if slices.Contains(paths, c.Path) {
				out = append(out, c)
			}
		}
		if len(out) != len(paths) {
			t.Fatalf("of %v there are %v", paths, out)
		}
		return out
	}
	for _, tc := range []struct {
		paths []string
		want  string // empty if that is not to be had
	}{
		{[]string{"b"}, "# first\na: 1\nb: 20\nc:\n  d: 3\n  e: 4\nf: [1, 2]\ng: {h: 1, i: 2}\nj: 9\n"},
		{[]string{"a", "f"}, "# first\na: 10\nb: 2\nc:\n  d: 3\n  e: 4\nf: [1, 3]\ng: {h: 1, i: 2}\nj: 9\n"},
		{[]string{"g.h", "g.i"}, "# first\na: 1\nb: 2\nc:\n  d: 3\n  e: 4\nf: [1, 2]\ng: {h: 10, i: 20}\nj: 9\n"},
		{[]string{"g.h"}, ""},
	} {
		got, is := Mixed("x.yaml", []byte(before), []byte(after), some(tc.paths...))
		if is != (tc.want != "") || is && string(got) != tc.want {
			t.Errorf("with %v it is %t\n%s", tc.paths, is, got)
		}
	}
}
