package choose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// arguments are what a container with some arguments is told.
func arguments(t *testing.T, list string) []change.Setting {
	t.Helper()
	out, err := change.Parse("a.yaml", []byte("kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    args: ["+list+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// linked are changes with what they are about and its values.
func linked(changes []Change) []string {
	var out []string
	value := func(v *string) string {
		if v == nil {
			return "none"
		}
		return strings.ReplaceAll(*v, "\x00", " and ")
	}
	for _, c := range changes {
		of := parameter.ID("nothing")
		if c.Class != nil {
			of = c.Class.ID
		}
		out = append(out, fmt.Sprintf("%s is %s: %s to %s", c.Path, of, value(c.Old), value(c.New)))
	}
	return out
}

// TestArguments: --no-NAME is the flag NAME, if there is none of that very name; a flag that is given several times has
// all of its values.
func TestArguments(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--strict"}, {ID: "flag:--cache"}, {ID: "flag:--no-cache"}, {ID: "flag:--peer"}}}
	for _, c := range []struct{ before, after, want string }{
		{`"--strict"`, `"--no-strict"`, "--strict is flag:--strict: true to false"},
		{`"--no-strict"`, `"--strict=true"`, "--strict is flag:--strict: false to true"},
		{``, `"--no-cache"`, "--no-cache is flag:--no-cache: none to true"},
		{``, `"--no-color"`, "--no-color is nothing: none to true"},
		{``, `"--no-peer=a"`, "--no-peer is nothing: none to a"},
		{`"--peer=a", "--peer=b c"`, `"--peer=a", "--peer", "d"`, "--peer is flag:--peer: a and b c to a and d"},
	} {
		before, after := Negated(m, arguments(t, c.before)), Negated(m, arguments(t, c.after))
		got := strings.Join(linked(Link(m, change.Between(before, after), before, after)), "; ")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.before, c.after, diff)
		}
	}
}

// TestCollection: a library has each key of a map that is decoded at once, and nobody reads but the map: a change of a
// key is one of that.
func TestCollection(t *testing.T) {
	read := func(text string) []change.Setting {
		out, err := change.Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before, after := read("gates: {sea: {open: 3}}\nlimits: {ships: 4}\n"), read("gates: {sea: {open: 4}}\nlimits: {ships: 5}\n")
	gates := parameter.Class{ID: "viper:gates", Aliases: []parameter.ID{"field:tide.Config.gates"}}
	for _, c := range []struct {
		reads []parameter.ID
		want  string
	}{
		{[]parameter.ID{"viper:gates"}, `gates.sea.open is viper:gates: {"sea":{"open":3}} to {"sea":{"open":4}}`},
		{[]parameter.ID{"viper:gates", "viper:gates.sea.open"}, "gates.sea.open is viper:gates.sea.open: 3 to 4"},
		{nil, "gates.sea.open is viper:gates.sea.open: 3 to 4"},
	} {
		m := &parameter.Map{
			Parameters: []parameter.Class{gates, {ID: "viper:gates.sea.open"}, {ID: "viper:limits"}, {ID: "viper:limits.ships"}},
			Packages:   []parameter.Package{{Path: ".", Tests: []parameter.Test{{Name: "TestIt", Reads: append(c.reads, "viper:limits")}}}},
		}
		want := []string{c.want, "limits.ships is viper:limits.ships: 4 to 5"} // who asked for all of limits took it as a part of something
		if diff := cmp.Diff(want, linked(Link(m, change.Between(before, after), before, after))); diff != "" {
			t.Errorf("with %v (-want +got):\n%s", c.reads, diff)
		}
	}
}
