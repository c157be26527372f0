package choose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// What is run for one parameter: a fifth of the tests of a module, and no fewer than so many.
const (
	share = 5
	least = 20
)

// quickest is how many tests that read a change are run however long they take.
const quickest = 3

// Left says of a change how many of the tests that read it are run, where these are not all.
type Left struct {
	// Change is its index, Run of All tests that read it are run.
	Change   int
	Run, All int
	// Places: each place at which a test reads it is one at which a test that is run does.
	Places bool
	// Long are those that would be run, and take too long, as package and name.
	Long []string
}

// Cover chooses of the tests that read a parameter some, where they are more than a fifth of the module's: what nearly
// all tests come by when they begin, each reads at the same places. Those that are run read it at each of them, in each
// package in which it is read there, and beside whatever else a test of the package reads, as far as their number
// allows. Tests that say that they are about it, or open the file, are among them. The quickest of each change are run,
// the quickest of those that open the file, and those that say that they are about it; where the others are known to
// take longer than a budget, all together, the longest of them are left out. A budget of 0 is for ever.
func Cover(m *parameter.Map, changes []Change, tests []Test, budget time.Duration) (some []Test, left []Left) {
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
			if c.always(n, changes[i]) {
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
		c.cover(readers[i], changes[i].Class.ID)
	}
	long := c.shorten(budget, changes, readers)
	for i, of := range readers {
		if run := c.count(of); run < len(of) && changes[i].Class != nil {
			left = append(left, Left{Change: i, Run: run, All: len(of), Places: c.places(of, changes[i].Class.ID), Long: c.names(of, long)})
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

// always tells whether a test is run for a change whatever else is.
func (c *covering) always(n int, of Change) bool {
	return c.tests[n].File != "" || of.Class != nil && c.test(n).About(of.Class.ID)
}

// shorten leaves out the longest tests until the others take no longer than the budget, and says which these are. Of
// those that take as long the last ones go first: the choice is of the map and the budget, and of nothing else.
func (c *covering) shorten(budget time.Duration, changes []Change, readers [][]int) map[int]bool {
	long := map[int]bool{}
	if budget == 0 {
		return long
	}
	took := func(x, y int) int { return cmp.Compare(c.test(x).Took, c.test(y).Took) }
	kept := map[int]bool{}
	keep := func(of []int, most int, which func(int) bool) {
		of = slices.DeleteFunc(slices.Clone(of), func(n int) bool { return !c.run[n] || !which(n) })
		slices.SortStableFunc(of, took)
		for _, n := range of[:min(len(of), most)] {
			kept[n] = true
		}
	}
	for i, of := range readers {
		keep(of, quickest, func(int) bool { return true })
		keep(of, 1, func(n int) bool { return c.tests[n].File != "" })
		keep(of, len(of), func(n int) bool { return changes[i].Class != nil && c.test(n).About(changes[i].Class.ID) })
	}
	var all time.Duration
	var order []int
	for n := range c.tests {
		if c.run[n] && !kept[n] {
			all, order = all+c.test(n).Took, append(order, n)
		}
	}
	slices.SortStableFunc(order, took)
	for _, n := range slices.Backward(order) {
		if all <= budget {
			break
		}
		c.run[n], long[n] = false, true
		all -= c.test(n).Took
	}
	return long
}

// names are those of some tests.
func (c *covering) names(of []int, some map[int]bool) (out []string) {
	for _, n := range of {
		if some[n] {
			out = append(out, strings.TrimPrefix(c.tests[n].Package+"."+c.tests[n].Name, ".."))
		}
	}
	return out
}

// cover adds tests until there are as many as may be run.
func (c *covering) cover(of []int, id parameter.ID) {
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
}

// places tells whether each place at which some tests read a parameter is one of a test that is run.
func (c *covering) places(of []int, id parameter.ID) bool {
	way := func(n int) string { return c.test(n).Ways[id] }
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
