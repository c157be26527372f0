package settle

import (
	"context"
	"testing"
	"time"

	"github.com/seatrial/seatrial/statespace"
)

// Endure sets how long a reconcile may take, and how much it may ask for and leave behind, for a
// test.
func Endure(t *testing.T, d time.Duration, requests int) {
	before, most, left := endurance, requestsMax, leftMax
	endurance, requestsMax, leftMax = d, requests, requests
	t.Cleanup(func() { endurance, requestsMax, leftMax = before, most, left })
}

// Longest is the reconcile with the most answers that a configuration comes to, to be run again:
// once, or as often as it takes to be sure of it.
func Longest(c Config) (once, surely func() error, err error) {
	x, err := newExplorer(&c)
	if err != nil {
		return nil, nil, err
	}
	var longest flight
	seen := map[statespace.ID]bool{}
	var all []statespace.ID
	x.Init(func(v []statespace.ID) bool { all = append(all, v[0]); return true })
	for ; len(all) > 0 && len(seen) < 2000; all = all[1:] {
		for _, controller := range x.node(all[:1]).controllers {
			for _, f := range controller.flights {
				if len(f.log) > len(longest.log) {
					longest = f
				}
			}
		}
		x.Next(all[:1], func(_ statespace.Action, v []statespace.ID) bool {
			if !seen[v[0]] {
				seen[v[0]], all = true, append(all, v[0])
			}
			return true
		})
	}
	p, err := x.take()
	if err != nil {
		return nil, nil, err
	}
	once = func() error { _, err := p.once(0, longest, clock); return err }
	surely = func() error { _, err := p.run(0, longest); return err }
	return once, surely, nil
}

// ExploreReading explores all properties to their end, with what is read at once or read by read.
func ExploreReading(ctx context.Context, c Config, atOnce bool) (*Result, error) {
	quiet()
	x, err := newExplorer(&c)
	if err != nil {
		return nil, err
	}
	defer x.close()
	all, err := x.properties()
	if err != nil {
		return nil, err
	}
	return x.search(ctx, all, statespace.Options{MaxStates: c.most(), All: true}, atOnce)
}
