package change_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
)

// TestPorted: a copy that says something else at some keys gets the changes of others, or none.
func TestPorted(t *testing.T) {
	const old = "# deployed\nname: a\nlisten: :80\nitems:\n- {a: 1, b: 2}\n- {a: 2, b: 3}\nlast: 1\n"
	const near = "listen: :0\nname: a\nlisten2: 1\nitems:\n- {a: 1, b: 2}\n- {a: 2, b: 3}\nlast: 1\n"
	for _, c := range []struct{ name, file, old, now, near, want string }{
		{"a value", "a.yaml", "a: 1\nb: 2\nc: :80\n", "a: 1\nb: 3\nc: :80\n", "# mine\na: 1\nb: 2\nc: :0\n", "# mine\na: 1\nb: 3\nc: :0\n"},
		{"a name", "a.yaml", "a: 1\nb: 2\nc: :80\n", "a: 1\nbb: 2\nc: :80\n", "a: 1\nb: 2\nc: :0\n", "a: 1\nbb: 2\nc: :0\n"},
		{"a key more", "a.yaml", "a: 1\nb: 2\nc: :80\n", "a: 1\nb: 2\nd: 1\nc: :80\n", "a: 1\nb: 2\nc: :0\n", "a: 1\nb: 2\nd: 1\nc: :0\n"},
		{"a key less", "a.yaml", "a: 1\nb: 2\nc: :80\n", "a: 1\nc: :80\n", "a: 1\nb: 2\nc: :0\n", "a: 1\nc: :0\n"},
		{"what it has for itself", "a.yaml", "a: 1\nb: 2\nc: :80\n", "a: 1\nb: 2\nc: :81\n", "a: 1\nb: 2\nc: :0\n", ""},
		{"an order", "a.yaml", old, "# deployed\nname: a\nlisten: :80\nitems:\n- {a: 2, b: 3}\n- {a: 1, b: 2}\nlast: 1\n", near, "listen: :0\nname: a\nlisten2: 1\nitems:\n- {a: 2, b: 3}\n- {a: 1, b: 2}\nlast: 1\n"},
		{"a section", "a.toml", "a = 1\nb = 2\nc = 'x'\n\n[d]\ne = 1\n", "a = 1\nc = 'x'\n\n[d]\nb = 2\ne = 1\n", "a = 1\nb = 2\nc = 'y'\n\n[d]\ne = 1\n", "a = 1\nc = 'y'\n\n[d]\nb = 2\ne = 1\n"},
		{"JSON", "a.json", "{\n\"a\": 1,\n\"b\": 2,\n\"c\": 3\n}\n", "{\n\"a\": 1,\n\"c\": 3\n}\n", "{\n\"a\": 1,\n\"b\": 2,\n\"c\": 4\n}\n", "{\n\"a\": 1,\n\"c\": 4\n}\n"},
	} {
		got, is := change.Ported(c.file, []byte(c.old), []byte(c.now), []byte(c.near))
		if is != (c.want != "") || is && string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, is, got, c.want)
		}
	}
}

// TestAlike: it says most of the same.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\nc: 4\n", true},
		{"a: 1\nb: 2\nc: 3\n", "c: 3\nb: 2\na: 1\n", true},
		{"a: 1\nb: 2\nc: 3\n", "a: 1\n", false},
		{"a: 1\nb: 2\n", "a: 1\nb: 3\n", false},
		{"a: 1\n", "a: 1\n", false},
		{"a: 1\nb: 2\n", "{", false},
	} {
		if got := change.Alike("a.yaml", []byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
