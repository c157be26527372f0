package choose

import (
	"slices"
	"strconv"
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
// or a flag to one, whichever they write: they may be run with the one that is deployed, and with the new one. Their
// own figures go with their own number: only what looks like the same in another unit is asked, passes another
// parameter, or is nothing, with which a program may panic. Behind those, and not with them, a test is asked of what it
// writes in the code if that is a number that changes by less than the half, or a tenth or less is left of it.
func Other(m *parameter.Map, changes []Change, of []int) []Test {
	var told, more []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			if t.Took > longestSame {
				continue
			}
			known, weak := otherOf(&p, &t), otherOf(&p, &t)
			for _, i := range of {
				c := changes[i]
				sets := c.amountSet() && c.Class.Among(t.Sets)
				hand := slices.ContainsFunc(c.byHand(), func(f parameter.Feed) bool { return slices.Contains(t.Same, f.ID) })
				if !sets && !hand {
					continue
				}
				crossed := c.crossedIn(&t)
				switch {
				case len(crossed) > 0 || value.AnotherUnit(c.Path, *c.Old, c.Meant()) || value.Vanishes(*c.Old, c.Meant()):
					known.writes(i)
					known.cross(i, crossed)
				case hand && (value.Uneven(*c.Old, c.Meant()) || value.Dwindles(*c.Old, c.Meant())):
					weak.writes(i)
				}
			}
			switch {
			case len(known.Reads) > 0:
				told = append(told, known)
			case len(weak.Reads) > 0:
				more = append(more, weak)
			}
		}
	}
	told = soonest(told, mostOther)
	return append(told, soonest(more, mostOther-len(told))...)
}

// otherOf is a test of a package that is to have what is deployed in the place of its own.
func otherOf(p *parameter.Package, t *parameter.Test) Test {
	return Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, Same: true, Other: true, Limit: max(limitOther, timesSame*t.Took)}
}

// writes notes that the test has a value of its own of a change.
func (t *Test) writes(i int) { t.Reads, t.Sets = append(t.Reads, i), append(t.Sets, i) }

// Written are the numbers that a test has written by hand for a parameter, in the unit of its old value, as events of
// the test have them.
func (c Change) Written(events []record.Event) []float64 {
	var out []float64
	if c.Old == nil {
		return nil
	}
	for _, feed := range c.feeds() {
		for _, e := range events {
			if n, err := strconv.ParseFloat(e.Value, 64); err == nil && e.Verb == record.Same && e.Subject == feed.ID {
				out = append(out, n/(c.units(feed)[0]*feed.Scale))
			}
		}
	}
	return out
}

// InPlace are what a test has in the place of any number that it has written by hand for some changes, as the recorder
// asks for it. Where it is not known how much that is there is none.
func InPlace(changes []Change, values Values, of []int) map[parameter.ID]string {
	out, several := map[parameter.ID]string{}, map[parameter.ID]bool{}
	for _, i := range of {
		c := changes[i]
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
