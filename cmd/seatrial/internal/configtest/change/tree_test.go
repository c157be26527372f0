package change

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// TestCompose: what a file says at a place, made from its settings again.
func TestCompose(t *testing.T) {
	settings, err := Parse("a.yaml", []byte("a:\n  b.c: 1\n  list:\n  - x: yes\n    y: 0x10\n  - x: \"1\"\n  plain: [a, 1, 2.5, null]\n  none: {}\n  long: |\n    b\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   []string
		want string
	}{
		{[]string{"a", "b.c"}, "1"},
		{[]string{"a", "list"}, `[{"x":"yes","y":16},{"x":"1"}]`},
		{[]string{"a", "plain"}, `["a",1,2.5,null]`},
		{[]string{"a", "none"}, `{}`},
		{[]string{"a", "long"}, `"b\n"`},
		{[]string{"b"}, ``},
	} {
		if got := string(Compose(settings, "", c.at)); got != c.want {
			t.Errorf("%v: %s, want %s", c.at, got, c.want)
		}
	}
	for _, s := range settings {
		at := s.Steps()
		var want bytes.Buffer
		if err := json.Compact(&want, s.Value.JSON()); err != nil {
			t.Fatal(err)
		}
		if got := Compose(settings, "", at); string(got) != want.String() {
			t.Errorf("%s is %v, and %s stands there", s.Path, at, got)
		}
	}
	if got := (Identity{Key, "", `a["b.c"][3].d`}).Steps(); !slices.Equal(got, []string{"a", "b.c", "[3]", "d"}) {
		t.Errorf("the steps are %q", got)
	}
}

// TestSpelling: a number or a truth that JSON spells in another way comes to the program as what it is, and is no
// change when it is only spelt otherwise.
func TestSpelling(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.yaml", "a: True\n", `true`},
		{"a.yaml", "a: FALSE\n", `false`},
		{"a.yaml", "a: .5\n", `0.5`},
		{"a.yaml", "a: 08\n", `8`},
		{"a.yaml", "a: 0o10\n", `8`},
		{"a.yaml", "a: +1_000\n", `1000`},
		{"a.yaml", "a: 1_000_000.\n", `1000000`},
		{"a.yaml", "a: 0xffffffffffffffff\n", `18446744073709551615`},
		{"a.yaml", "a: 1.10\n", `1.10`}, // a text may be meant
		{"a.yaml", "a: [0x10, True, .5, no, \"08\"]\n", `[16, true, 0.5, "no", "08"]`},
		{"a.yaml", "a: \"True\"\n", `"True"`},
		{"a.toml", "a = 1_000.5\n", `1000.5`},
		{"a.toml", "a = [+1.0, 0x10, true]\n", `[1, 16, true]`},
		{"a.json", "{\"a\": 1.0}", `1.0`},
	} {
		settings, err := Parse(c.file, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(settings[0].Value.JSON()); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
