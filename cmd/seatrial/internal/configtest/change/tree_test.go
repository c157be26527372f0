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
