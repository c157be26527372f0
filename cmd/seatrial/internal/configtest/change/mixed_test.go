package change

import (
	"slices"
	"testing"
)

// TestMixed: a file has any of the changes without the others where they are on lines of their own, and none where a
// line has two of them.
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

// TestMixedBeside: a line that is new beside one that changes is a change of its own, and so is one that is gone.
func TestMixedBeside(t *testing.T) {
	for _, tc := range []struct{ before, after, path, want string }{
		{"a: 1\n", "b: 1\na: 2\n", "a", "a: 2\n"},
		{"a: 1\n", "b: 1\na: 2\n", "b", "b: 1\na: 1\n"},
		{"a: 1\nb: 1\n", "b: 2\n", "b", "a: 1\nb: 2\n"},
		{"a: 1\nb: 1\n", "b: 2\n", "a", "b: 1\n"},
		{"a: 1\n", "s:\n  b: 1\na: 2\n", "s.b", "s:\n  b: 1\na: 1\n"},
		{"a: 1\nb: 1\n", "a: 2\nb: 2\n", "b", "a: 1\nb: 2\n"},
	} {
		before, failed := Parse("x.yaml", []byte(tc.before))
		after, err := Parse("x.yaml", []byte(tc.after))
		if failed != nil || err != nil {
			t.Fatal(failed, err)
		}
		some := slices.DeleteFunc(Between(before, after), func(c Change) bool { return c.Path != tc.path })
		if got, is := Mixed("x.yaml", []byte(tc.before), []byte(tc.after), some); !is || string(got) != tc.want {
			t.Errorf("%s of %q is %t, %q, want %q", tc.path, tc.after, is, got, tc.want)
		}
	}
}

// TestMixedCommas: a line of JSON that only gains or loses a comma, as another one comes or goes behind it, is in no
// way of the change.
func TestMixedCommas(t *testing.T) {
	for _, tc := range []struct{ before, after, path, want string }{
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n", "c", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 9,\n  \"b\": 2,\n  \"c\": 3\n}\n", "c", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 9,\n  \"b\": 2,\n  \"c\": 3\n}\n", "a", "{\n  \"a\": 9,\n  \"b\": 2\n}\n"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"b\": 9,\n  \"c\": 3\n}\n", "b", "{\n  \"a\": 1,\n  \"b\": 9\n}\n"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 9\n}\n", "a", "{\n  \"a\": 9,\n  \"b\": 2\n}\n"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 9\n}\n", "b", "{\n  \"a\": 1\n}\n"},
		{"{\n  \"s\": {\n    \"a\": 1\n  }\n}\n", "{\n  \"s\": {\n    \"a\": 2\n  },\n  \"t\": {\n    \"b\": [1]\n  }\n}\n", "t.b", "{\n  \"s\": {\n    \"a\": 1\n  },\n  \"t\": {\n    \"b\": [1]\n  }\n}\n"},
	} {
		before, failed := Parse("x.json", []byte(tc.before))
		after, err := Parse("x.json", []byte(tc.after))
		if failed != nil || err != nil {
			t.Fatal(failed, err)
		}
		some := slices.DeleteFunc(Between(before, after), func(c Change) bool { return c.Path != tc.path })
		if got, is := Mixed("x.json", []byte(tc.before), []byte(tc.after), some); !is || string(got) != tc.want {
			t.Errorf("%s of %q is %t, %q, want %q", tc.path, tc.after, is, got, tc.want)
		}
	}
}
