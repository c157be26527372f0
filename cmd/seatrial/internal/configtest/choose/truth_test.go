package choose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestPositional: what is behind a flag that is a truth is none of its value, and by its position what it was without
// the flag.
func TestPositional(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--debug", Aliases: []parameter.ID{"flag:--d"}}, {ID: "flag:--level"}}}
	truth := func(id parameter.ID) bool { return id == "flag:--debug" }
	for _, c := range []struct{ before, after, want string }{
		{`"serve", "a"`, `"--debug", "serve", "a"`, "--debug is flag:--debug: none to true"},
		{`"serve", "a"`, `"serve", "-d", "a"`, "--d is flag:--debug: none to true"},
		{`"-d", "serve", "a"`, `"-d", "serve", "b"`, "[1] is nothing: a to b"},
		{`"--debug"`, `"--debug", "false"`, "[0] is nothing: none to false"}, // which it stays on with
		{`"--debug=false"`, `"--debug", "false"`, "--debug is flag:--debug: false to true; [0] is nothing: none to false"},
		{`"--level", "low"`, `"--level", "high"`, "--level is flag:--level: low to high"},
		{`"--debug=x"`, `"--debug=y"`, "--debug is flag:--debug: x to y"},
		{`"--other", "x"`, `"--other", "y"`, "--other is nothing: x to y"},
	} {
		before, after := Positional(m, truth, arguments(t, c.before)), Positional(m, truth, arguments(t, c.after))
		got := strings.Join(linked(Link(m, change.Between(before, after), before, after)), "; ")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.before, c.after, diff)
		}
	}
}
