package judge

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// crosses looks whether a test in which a number is written by hand fails as soon as that is beyond another parameter,
// as it is deployed: it passes next to that on the side of the old value, and fails next to it on the side of the new
// one. Its own figures end at that very place by chance only. Where it has another value of that, too, it is given what
// is deployed.
func (j *judging) crosses(c *Culprit) (bool, error) {
	of := j.changes[c.Changes[0]]
	for _, bound := range j.test.Crosses[c.Changes[0]] {
		inside, beyond, are := value.Astride(*of.Old, bound.Value, *of.New)
		if !are {
			continue
		}
		for _, deployed := range []bool{false, true} {
			is, err := j.endsAt(c, bound, inside, beyond, deployed)
			if is || err != nil {
				return is, err
			}
		}
	}
	return false, nil
}

// endsAt tells whether the test passes with a value inside a bound, and fails with one beyond it as with the new one.
func (j *judging) endsAt(c *Culprit, bound choose.Bound, inside, beyond string, deployed bool) (bool, error) {
	if deployed && (bound.At == 0 || !j.test.Other) {
		return false, nil
	}
	var ends []*run.Outcome
	for _, text := range []string{inside, beyond} {
		v := j.given(nil)
		if v[c.Changes[0]] = &text; deployed {
			v[bound.At] = j.changes[bound.At].New
		}
		o, err := j.values(v)
		if err != nil || len(ends) == 0 && o.Ending != run.Passed {
			return false, err
		}
		ends = append(ends, o)
	}
	o := ends[1]
	if o.Ending == run.Failed && c.Outcome.Ending == run.Failed && !elsewhere(c.Outcome, o) || o.Ending == c.Outcome.Ending && o.Ending != run.Failed {
		c.Far, c.Crossed, c.Tried = true, bound, []string{inside}
		return true, nil
	}
	return false, nil
}

// swapped looks whether a test in which two numbers are written by hand, one of them a bound by its name, fails because
// they have changed places, as a least and a most: it passes with the new one of each where the other one is beside it
// as it was.
func (j *judging) swapped(c *Culprit) error {
	first, second := j.changes[c.Changes[0]], j.changes[c.Changes[1]]
	if !j.counted(c.Changes[0]) || !j.counted(c.Changes[1]) || !value.IsBound(first.Path) && !value.IsBound(second.Path) {
		return nil
	}
	secondBeside, firstBeside, are := value.Swapped(*first.Old, first.Meant(), *second.Old, second.Meant())
	if !are {
		return nil
	}
	var tried []string
	for _, pair := range [][2]string{{*first.New, secondBeside}, {firstBeside, *second.New}} {
		v := j.given(nil)
		v[c.Changes[0]], v[c.Changes[1]] = &pair[0], &pair[1]
		if o, err := j.values(v); err != nil || o.Ending != run.Passed {
			return err
		}
		tried = append(tried, value.Bare(pair[0])+" beside "+value.Bare(pair[1]))
	}
	c.Far, c.Tried = true, tried
	return nil
}
