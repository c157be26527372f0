package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/crash"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
)

func init() {
	register(Oracle{Name: "crash", Rule: "SEA3003", Order: 10, Behind: Any, Alone: true, Judge: crashes})
}

// crashes finds processes of the operator that ended though nobody ended them, and panics,
// also those that were recovered and logged, or only counted.
func crashes(c *Case) []Deviation {
	earlier, s := c.Steps[:len(c.Steps)-1], c.Last()
	if c.behind() != Steps {
		earlier, s = c.Steps, c.Deleted
		if s == nil {
			s = c.Restart
		}
	}
	// A process says at its end all that it ever said.
	known, ended := map[string]bool{}, map[string]bool{}
	for _, before := range earlier {
		for _, e := range crash.Endings([]recording.Life{{Text: before.Output}}) {
			known[e.Key] = true
		}
		for _, life := range before.Lives {
			ended[life.Name] = true
		}
	}
	var out []Deviation
	seen := map[string]bool{}
	add := func(e crash.Ending) {
		if seen[e.Key] {
			return
		}
		seen[e.Key] = true
		d := Deviation{Object: c.Key, Place: e.Key, Text: "the operator's " + e.Text, Certain: e.Crash != nil && e.Crash.Certain()}
		if e.Crash != nil && len(e.Crash.Frames) > 0 {
			d.Text += ", at " + e.Crash.Frames[0]
		}
		out = append(out, d)
	}
	for _, e := range crash.Endings([]recording.Life{{Text: s.Output}}) {
		add(e)
	}
	lives := slices.DeleteFunc(slices.Clone(s.Lives), func(l recording.Life) bool { return l.Name != "" && ended[l.Name] })
	for _, e := range crash.Endings(lives) {
		if e.Crash == nil || !e.Crash.Caught || !known[e.Key] {
			add(e)
		}
	}
	if len(out) == 0 {
		for _, name := range s.Rest.Panicked {
			out = append(out, Deviation{Object: c.Key, Place: "panic of " + name, Text: fmt.Sprintf("a reconcile of the operator's controller %s panicked, as its metrics say, and was recovered", name)})
		}
	}
	return out
}
