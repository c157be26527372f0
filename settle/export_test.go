package settle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// Grow sets by how much the program may grow during a reconcile, for a test.
func Grow(t *testing.T, bytes uint64) {
	before := growthMax
	growthMax = bytes
	t.Cleanup(func() { growthMax = before })
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
	return x.search(ctx, all, statespace.Options{Workers: c.Workers, MaxStates: c.most(), All: true}, atOnce)
}

// KeepNames has generated names stay as they are, as where something follows from their letters.
func KeepNames(c Config) Config {
	c.keepsNames = true
	return c
}

// Renamings gives all that is counted in nodes that a configuration comes to, some of the first so
// many, other names by chance, and says where that is another state, or other steps are possible.
func Renamings(c Config, first, some int) error {
	x, err := newExplorer(&c)
	if err != nil {
		return err
	}
	defer x.close()
	all := x.reachable(first)
	draw := rand.New(rand.NewPCG(1, 2))
	for range some {
		v := all[draw.IntN(len(all))]
		n := x.node([]statespace.ID{v})
		if n.breach != 0 {
			continue
		}
		r := x.server.Another(x.tokens(n, nil), n.keys(), draw.Uint64N)
		other, err := x.rename(n, r)
		if err != nil {
			return err
		}
		if got := x.vector(other)[0]; got != v {
			return fmt.Errorf("renamed, a state is another:\n%s\n%s", x.show(n), x.show(other))
		}
		was, is := x.stepsOf(n), x.stepsOf(other)
		if !slices.Equal(was, is) {
			return fmt.Errorf("renamed, other steps are possible:\n%s\n%s\n%s", x.show(n), strings.Join(was, "\n"), strings.Join(is, "\n"))
		}
	}
	return x.failed()
}

// reachable are the states that are reached first.
func (x *explorer) reachable(most int) (all []statespace.ID) {
	seen := map[statespace.ID]bool{}
	add := func(v []statespace.ID) bool {
		if !seen[v[0]] {
			seen[v[0]], all = true, append(all, v[0])
		}
		return true
	}
	x.Init(add)
	for i := 0; i < len(all) && len(all) < most; i++ {
		x.Next(all[i:i+1], func(_ statespace.Action, v []statespace.ID) bool { return add(v) })
	}
	return all
}

// stepsOf are the steps of a node without names, with the states that they lead to.
func (x *explorer) stepsOf(n *node) (all []string) {
	x.steps(n, func(s step, to *node) {
		all = append(all, fmt.Sprintf("%s: %s (%s %s) to %d", x.server.Mask(s.actor), x.server.Mask(s.text), x.server.Mask(s.class), s.fault, x.vector(to)[0]))
	})
	slices.Sort(all)
	return all
}

func (x *explorer) show(n *node) string {
	var b strings.Builder
	for o := range n.world.Objects() {
		fmt.Fprintf(&b, "%s\n", o.JSON())
	}
	for i, c := range n.controllers {
		fmt.Fprintf(&b, "%s: %v\n", x.names[i], c.queues)
		for _, f := range c.flights {
			for _, a := range f.log {
				fmt.Fprintf(&b, "%s: %s\n", f.request, a.call)
			}
		}
	}
	return b.String()
}
