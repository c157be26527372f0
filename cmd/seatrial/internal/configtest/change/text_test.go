package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTextual: of a file in a format that is not known lines are told apart by their first words and by what is around
// them, and what they say is on its line. What a ConfigMap holds as a text of several lines differs on a line of that.
func TestTextual(t *testing.T) {
	all := func(name, text string) (out []string) {
		settings, err := Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range settings {
			out = append(out, fmt.Sprintf("%d %s=%s", s.Location.Line, s.Path, s.Value.Reveal()))
		}
		return out
	}
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"a.conf", "# c\nworkers   4\nlog /a/b warn\n\ngate north {\n  width 24\n}\ngate north {\n  width 18\n}\n", []string{
			"2 workers=4", "3 log=/a/b warn", "5 gate north=", "6 gate north.width=24", "8 gate north (2)=", "9 gate north.width (2)=18",
		}},
		{"a.cfg", "[one]\nspeed = 6\n[two]\nspeed: 7\n", []string{"2 one.speed=6", "4 two.speed=7"}},
		{"a.xml", "<?xml version=\"1.0\"?>\n<wait>5s</wait>\n", []string{"2 wait=5s</wait>"}},
	} {
		if got := all(tc.name, tc.text); !slices.Equal(got, tc.want) {
			t.Errorf("%s says\n%s\nwant\n%s", tc.name, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
		}
	}
	parse := func(text string) []Setting {
		settings, err := Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a.conf: |\n    x 1\n    y 2\n"
	differs := Between(parse(head+"    z 3\n"), parse(head+"    z 4\n"))
	if len(differs) != 1 || differs[0].Location.Line != 9 {
		t.Errorf("it differs in %v", differs)
	}
}
