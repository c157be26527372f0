package judge

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// counted tells whether a change is of a number, or of a time.
func (j *judging) counted(i int) bool {
	c := j.changes[i]
	if c.Old == nil || c.New == nil {
		return false
	}
	_, _, are := value.Amounts(*c.Old, *c.New)
	return are
}

// far looks whether it is by its size that the new value breaks a test in which the old one is written by hand. A test that asserts the old one passes with no value next to that. One whose own
// figures do not go with the new one may pass there; that they go with one most of the way, where the new one is ten times as far, is more than chance; and nothing more is asked of
// a program that panics, or has no end, or of a value that is the old one in another unit. What is nothing may be meant as that, if the program goes on.
func (j *judging) far(c *Culprit) error {
	i := c.Changes[0]
	of := j.changes[i]
	next, most, are := value.Toward(*of.Old, *of.New)
	ends := c.Outcome.Ending == run.Panicked || c.Outcome.Ending == run.TimedOut
	if !are || most == "" && !ends {
		return nil
	}
	between := []string{next, most}
	if ends || value.AnotherUnit(*of.Old, *of.New) {
		between = between[:1]
	}
	for _, text := range between {
		v := j.given(nil)
		v[i] = &text
		o, err := j.values(v)
		if err != nil || o.Ending != run.Passed {
			return err
		}
	}
	c.Far, c.Tried = true, between
	return nil
}
