package choose

import (
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// How many tests are run with what is deployed in the place of another number of their own, the quickest first, and how
// long each may take: an interval of a minute may stand in the place of one of a millisecond.
const (
	mostOther  = 20
	limitOther = 3 * time.Second
)

// Other are tests that write a number, a size or a time by hand where the program puts what changes, or set a variable
// or a flag to one, whichever they write: they may be run with the one that is deployed, and with the new one. Only
// what looks like the same in another unit is asked, or passes another parameter, or is nothing, with which a program
// may panic: their own figures go with their own number.
func Other(m *parameter.Map, changes []Change, of []int) []Test {
	var out []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			test := Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, Same: true, Other: true, Limit: max(limitOther, timesSame*t.Took)}
			for _, i := range of {
				c := changes[i]
				sets := c.amountSet() && c.Class.Among(t.Sets)
				hand := slices.ContainsFunc(c.byHand(), func(f parameter.Feed) bool { return slices.Contains(t.Same, f.ID) })
				crossed := c.crossedIn(&t)
				if (sets || hand) && (len(crossed) > 0 || value.AnotherUnit(c.Path, *c.Old, c.Meant()) || value.Vanishes(*c.Old, c.Meant())) {
					test.Reads, test.Sets = append(test.Reads, i), append(test.Sets, i)
					test.cross(i, crossed)
				}
			}
			if len(test.Reads) > 0 && t.Took <= longestSame {
				out = append(out, test)
			}
		}
	}
	return soonest(out, mostOther)
}

// InPlace are what a test has in the place of any number that it has written by hand for some changes, as the recorder
// asks for it. Where it is not known how much that is there is none.
func InPlace(changes []Change, values Values, of []int) map[parameter.ID]string {
	out, several := map[parameter.ID]string{}, map[parameter.ID]bool{}
	for _, i := range of {
		c := changes[i]
		if c.Unchanged {
			c.Old = c.New
		}
		if values[i] == nil || c.Old == nil || c.New == nil {
			continue
		}
		now := *values[i]
		if now == *c.New {
			now = c.Meant()
		}
		n, is := value.In(*c.Old, now)
		if !is {
			continue
		}
		for _, feed := range c.byHand() {
			id, there := record.OtherOf(feed.ID), number(n*c.units(feed)[0]*feed.Scale)
			if other, is := out[id]; is && other != there {
				several[id] = true
			}
			out[id] = there
		}
	}
	for id := range several {
		delete(out, id)
	}
	return out
}
