package judge

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// isEmptied tells whether a change is of a list that has nothing any more.
func (j *judging) isEmptied(i int) bool {
	c := j.changes[i]
	if c.Old == nil || c.New == nil {
		return false
	}
	_, is := value.Emptied(*c.Old, *c.New)
	return is
}

// emptied looks whether a test that has a list written by hand fails as nothing is left of it: it passes where only one
// item is gone.
func (j *judging) emptied(c *Culprit) error {
	if c.Outcome.Ending == run.Panicked && panicsItself(c.Outcome) { // at what it goes through, and has none of
		return nil
	}
	of := j.changes[c.Changes[0]]
	fewer, _ := value.Emptied(*of.Old, *of.New)
	for _, text := range fewer {
		v := j.given(nil)
		v[c.Changes[0]] = &text
		o, err := j.values(v)
		if err != nil {
			return err
		}
		if o.Ending == run.Passed {
			c.Far, c.Tried = true, []string{text}
			return nil
		}
	}
	return nil
}
