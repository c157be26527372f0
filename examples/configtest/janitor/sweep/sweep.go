// Package sweep says what is old enough to go.
package sweep

import (
	"slices"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

// Thing is what may be deleted.
type Thing struct {
	Name, Namespace string
	Made            time.Time
}

// Old are the things that go now, at most a batch of them. It has a mistake: an order that it does not
// know is none at all.
func Old(c *config.Sweep, all []Thing, now time.Time) []Thing {
	all = slices.Clone(all)
	if c.Order == "oldest" {
		slices.SortFunc(all, func(a, b Thing) int { return a.Made.Compare(b.Made) })
	}
	var out []Thing
	for _, t := range all[:max(0, len(all)-c.MinKeep)] {
		if now.Sub(t.Made) > c.MaxAge.Duration && !slices.Contains(c.Exclude, t.Namespace) {
			out = append(out, t)
		}
	}
	return out[:min(len(out), c.BatchSize)]
}

// Share gives things to workers, one after another.
func Share(c *config.Sweep, all []Thing) [][]Thing {
	out := make([][]Thing, c.Workers)
	for i, t := range all {
		out[i%len(out)] = append(out[i%len(out)], t)
	}
	return out
}

// Deletes says whether anything is deleted at all.
func Deletes(c *config.Sweep) bool { return c.DryRun == nil || !*c.DryRun }
