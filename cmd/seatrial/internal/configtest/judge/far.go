package judge

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// counted tells whether a change is of a number, or of a time.
func (j *judging) counted(i int) bool {
	c := j.changes[i]
	if c.Old == nil || c.New == nil {
		return false
	}
	_, _, are := value.Amounts(*c.Old, c.Meant())
	return are
}

// far looks whether it is by its size that the new value breaks a test in which the old one is written by hand. A test that asserts the old one passes with no value next to that. One whose own
// figures do not go with the new one may pass there; that they go with one most of the way, where the new one is ten times as far, is more than chance; and nothing more is asked of
// a program that panics, or has no end, or of a value that is the old one in another unit. Of a test that has another value in a file of its own, whose figures go with that, a panic or the unit has to say it. What is nothing may be meant as that, if the program goes on.
func (j *judging) far(c *Culprit) error {
	i := c.Changes[0]
	of := j.changes[i]
	next, most, are := value.Toward(*of.Old, of.Meant())
	filed := slices.Contains(j.test.Sets, i)
	ends := c.Outcome.Ending == run.Panicked && !(j.test.Same && panicsItself(c.Outcome)) || c.Outcome.Ending == run.TimedOut && !filed && less(of)
	if !are || most == "" && !ends {
		return nil
	}
	unit := value.AnotherUnit(of.Path, *of.Old, of.Meant()) || of.Means != nil && value.InUnits(*of.Old, of.Meant())
	between := []string{next, most}
	switch {
	case ends || unit && (!filed || value.Sized(of.Path, *of.Old)):
		between = between[:1]
	case filed:
		return nil
	}
	says := c.Outcome
	for _, text := range between {
		v := j.given(nil)
		v[i] = &text
		o, err := j.values(v)
		if err != nil {
			return err
		}
		if o.Ending == run.Failed && further(c.Outcome, o) { // it asserts the old one as well
			says, c.Further = unlogged(says, o), true
			continue
		}
		if o.Ending != run.Passed {
			return nil
		}
	}
	c.Far, c.Tried, c.Outcome = true, between, says
	return nil
}

// further tells whether a test that fails with a value next to the old one fails with the new one at another place, too.
func further(now, next *run.Outcome) bool { return now.Ending == run.Failed && elsewhere(now, next) }

// less tells whether the new value is less than the old one. With more a test may well take more time.
func less(c choose.Change) bool {
	was, is, are := value.Amounts(*c.Old, c.Meant())
	return are && is < was
}

// panicsItself tells whether it is the code of the test that panics, at its own figures, and not the program.
func panicsItself(o *run.Outcome) bool {
	_, trace, is := strings.Cut(o.Output, "\npanic(")
	if !is {
		return false
	}
	for line := range strings.Lines(trace) {
		file, _, is := strings.Cut(strings.TrimSpace(line), ".go:")
		if is && strings.HasPrefix(line, "\t") && !strings.Contains(file, "/runtime/") {
			return strings.HasSuffix(file, "_test")
		}
	}
	return false
}
