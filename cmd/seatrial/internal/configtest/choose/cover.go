package choose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// What is run for one parameter: a fifth of the tests of a module, and no fewer than so many.
const (
	share = 5
	least = 20
)

// Left says of a change how many of the tests that read it are run, where these are not all.
type Left struct {
	// Change is its index, Run of All tests that read it are run.
	Change   int
	Run, All int
	// Places: each place at which a test reads it is one at which a test that is run does.
	Places bool
}

// Cover chooses of the tests that read a parameter some, where they are more than a fifth of the module's: what nearly all tests come by when
// they begin, each reads at the same places. Those that are run read it at each of them, in each package in which it is read there, and beside whatever else a
// test of the package reads, as far as their number allows. Tests that say that they are about it, or open the file, are always run.
func Cover(m *parameter.Map, changes []Change, tests []Test) (some []Test, left []Left) {
	c := &covering{of: map[string]*parameter.Test{}, tests: tests, run: make([]bool, len(tests))}
	all := 0
	for _, p := range m.Packages {
		all += len(p.Tests)
		for i := range p.Tests {
			c.of[p.Path+" "+p.Tests[i].Name] = &p.Tests[i]
		}
	}
	c.limit = max(least, all/share)
	readers := make([][]int, len(changes))
	for n, t := range tests {
		for _, i := range t.Reads {
			readers[i] = append(readers[i], n)
			if t.File != "" || changes[i].Class != nil && c.test(n).About(changes[i].Class.ID) {
				c.run[n] = true
			}
		}
	}
	var many []int
	for i, of := range readers {
		if len(of) > c.limit && changes[i].Class != nil {
			many = append(many, i)
			continue
		}
		for _, n := range of {
			c.run[n] = true
		}
	}
	for _, i := range many {
		of := readers[i]
		places := c.cover(of, changes[i].Class.ID)
		if run := c.count(of); run < len(of) {
			left = append(left, Left{i, run, len(of), places})
		}
	}
	for n, t := range tests {
		if c.run[n] || len(t.Reads) == 0 {
			some = append(some, t)
		}
	}
	return some, left
}

// covering is a choice of tests.
type covering struct {
	of    map[string]*parameter.Test
	tests []Test
	run   []bool
	limit int
}

func (c *covering) test(n int) *parameter.Test {
	if t := c.of[c.tests[n].Package+" "+c.tests[n].Name]; t != nil {
		return t
	}
	return &parameter.Test{}
}

func (c *covering) count(of []int) (n int) {
	for _, i := range of {
		if c.run[i] {
			n++
		}
	}
	return n
}

// cover adds tests until there are as many as may be run, and tells whether each place is one of theirs.
func (c *covering) cover(of []int, id parameter.ID) (places bool) {
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(x, y int) int { return cmp.Compare(len(c.test(y).Reads), len(c.test(x).Reads)) }) // who reads more does more
	way := func(n int) string { return c.test(n).Ways[id] }
	in := func(n int) string { return c.tests[n].Package + " " + way(n) }
	for _, like := range []func(int) string{
		way, in,
		func(n int) string { return in(n) + " " + everything(c.test(n)) },
		func(n int) string { return fmt.Sprint(n) },
	} {
		c.one(of, like)
	}
	return !slices.ContainsFunc(of, func(n int) bool {
		return !slices.ContainsFunc(of, func(other int) bool { return c.run[other] && way(other) == way(n) })
	})
}

// one adds a test of each sort of which none is run yet: of each package one, then of each another one.
func (c *covering) one(of []int, like func(int) string) {
	run := map[string]bool{}
	for _, n := range of {
		if c.run[n] {
			run[like(n)] = true
		}
	}
	turns := map[string]int{}
	type turn struct{ n, turn int }
	var order []turn
	for _, n := range of {
		if !run[like(n)] {
			run[like(n)] = true
			order = append(order, turn{n, turns[c.tests[n].Package]})
			turns[c.tests[n].Package]++
		}
	}
	slices.SortStableFunc(order, func(x, y turn) int { return cmp.Compare(x.turn, y.turn) })
	for _, t := range order {
		if c.count(of) >= c.limit {
			return
		}
		c.run[t.n] = true
	}
}

// everything is what a test reads, and where.
func everything(t *parameter.Test) string {
	var b strings.Builder
	for _, id := range slices.SortedFunc(maps.Keys(t.Ways), parameter.Compare) {
		fmt.Fprintf(&b, "%s %s\n", id, t.Ways[id])
	}
	return b.String()
}
