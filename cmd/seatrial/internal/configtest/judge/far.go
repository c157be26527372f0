package judge

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
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

// far looks whether it is by its size that the new value breaks a test in which the old one is written by hand. A test
// that asserts the old one passes with no value next to that. One whose own figures do not go with the new one may pass
// there; that they go with one most of the way, where the new one is ten times as far, is more than chance; and nothing
// more is asked of a program that panics, or has no end, or of a value that is the old one in another unit. Of a test
// that has another value in a file of its own, whose figures go with that, a panic or the unit has to say it. What is
// nothing may be meant as that, if the program goes on.
func (j *judging) far(c *Culprit) error {
	i := c.Changes[0]
	of := j.changes[i]
	if crossed, err := j.crosses(c); crossed || err != nil {
		return err
	}
	if !value.Outside(*of.Old, of.Meant()) {
		return j.between(c)
	}
	next, most, are := value.Toward(*of.Old, of.Meant())
	filed := slices.Contains(j.test.Sets, i)
	ends := c.Outcome.Ending == run.Panicked && !(j.test.Same && panicsItself(c.Outcome)) || c.Outcome.Ending == run.TimedOut && !filed && less(of)
	if !are || most == "" && !ends {
		return j.beyond(c, ends)
	}
	if filed && value.Vanishes(*of.Old, of.Meant()) && (j.bench.Guarded == nil || j.bench.Guarded(i)) {
		return nil
	}
	unit := value.AnotherUnit(of.Path, *of.Old, of.Meant()) || of.Means != nil && value.InUnits(*of.Old, of.Meant())
	between := []string{next, most}
	switch {
	case ends || unit && (!filed || of.Unit != 0 || value.Sized(of.Path, *of.Old)):
		between = between[:1]
	case filed:
		return nil
	}
	if err := j.nextTo(c, between); err != nil || c.Far || len(between) == 1 {
		return err
	}
	return j.beyond(c, false)
}

// nextTo looks whether a test passes with some values between, or says with the new one what it does not say with
// those.
func (j *judging) nextTo(c *Culprit, between []string) error {
	says, more := c.Outcome, false
	for _, text := range between {
		v := j.given(nil)
		v[c.Changes[0]] = &text
		o, err := j.values(v)
		if err != nil {
			return err
		}
		if o.Ending == run.Failed && further(c.Outcome, o) { // it asserts the old one as well
			says, more = unlogged(says, o), true
			continue
		}
		if o.Ending != run.Passed {
			return nil
		}
	}
	c.Far, c.Further, c.Tried, c.Outcome = true, more, between, says
	return nil
}

// beyond looks whether a test in which the old value is written by hand passes with other valid ones, as half of it and
// twice as much, and so asserts none of these. It is by the new one that it fails then: if it has no figure of its own
// between them written in it, or has to do with a program that panics or has no end, that is found. What is nothing may
// be meant as that, and the program says so where it compares it with nothing; else it goes by how many tests fail that
// pass with a little. Of what is left the test may be about its own figures.
func (j *judging) beyond(c *Culprit, ends bool) error {
	i := c.Changes[0]
	of := j.changes[i]
	_, is, _ := value.Amounts(*of.Old, of.Meant())
	own := slices.Contains(j.test.Sets, i) && !j.bounds(c)
	if own && is >= 0 {
		return nil // it has another one, whose figures go with that
	}
	others := slices.DeleteFunc(j.bench.Others(j.test, i, nil), func(other string) bool { return !value.Near(*of.Old, other) })
	if len(others) < 2 { // those that are listed somewhere may be few, and are no measure of how much it may be
		others = slices.DeleteFunc(value.Others([]string{*of.Old}, nil, of.JSON()), func(other string) bool { return !value.Near(*of.Old, other) })
	}
	if len(others) < 2 {
		return nil
	}
	passed, err := j.passesWith(i, others)
	if err != nil || !passed {
		return err
	}
	c.Tried = others
	switch {
	case is <= 0:
		little := value.Least(*of.Old)
		if little == "" {
			return nil
		}
		if passed, err = j.passesWith(i, []string{little}); err != nil {
			return err
		}
		if c.Far, err = j.unlikeNothing(c, is, passed); c.Far || own || err != nil {
			return err
		}
		c.At, c.Tried = reads(of, c.Outcome), append(c.Tried, little)
		c.Nothing = passed && j.bench.Nothing != nil && !j.bench.Nothing(i, j.sites(i, c.Outcome)) &&
			(is == 0 || j.onlyBounds(i, c))
	case ends, less(of), j.bench.Between != nil && !j.bench.Between(j.test, i):
		c.Far = true
	default:
		c.Likely = true
	}
	return nil
}

// bounds tells whether a test that fails with nothing of a change, and has another value of its own, comes to where the
// program compares something with it, and to no other place that reads it: a bound of which there is nothing. What may
// mean something else there, or goes on to where that is not known, may be meant.
func (j *judging) bounds(c *Culprit) bool {
	i := c.Changes[0]
	of := j.changes[i]
	_, is, are := value.Amounts(*of.Old, of.Meant())
	return j.test.Other && are && is == 0 && j.bench.Guarded != nil && !j.bench.Guarded(i) && j.onlyBounds(i, c)
}

// onlyBounds tells whether the program does nothing with a change but to compare something with it, and does not say
// that less than some is meant.
func (j *judging) onlyBounds(i int, c *Culprit) bool {
	return j.bench.Bounds != nil && j.bench.Bounds(i, j.sites(i, c.Outcome)) && (j.bench.Meant == nil || !j.bench.Meant(i))
}

// unlikeNothing looks whether a test fails with less than nothing, and neither with nearly nothing nor, at the same
// place, with nothing: what may well be turned off is not off then. It may be without a bound, but not where the
// program only compares something with it.
func (j *judging) unlikeNothing(c *Culprit, is float64, little bool) (bool, error) {
	i := c.Changes[0]
	if is >= 0 || !little || c.Outcome.Ending != run.Failed || !j.onlyBounds(i, c) {
		return false, nil
	}
	v, none := j.given(nil), value.None(*j.changes[i].Old)
	v[i] = &none
	o, err := j.values(v)
	return err == nil && (o.Ending == run.Passed || o.Ending == run.Failed && elsewhere(c.Outcome, o)), err
}

// between looks whether a test in which the old value is written by hand, and that fails with one that is near, passes
// with half of the old one and with twice as much: neither its own figures nor what it asserts are between these then,
// and the new one is one that does not go, as a number of shards by which nothing can be divided. Nothing more is asked
// where the program panics with more than before, and the test reads nothing else of the configuration and has no
// figure between them that it might not go with.
func (j *judging) between(c *Culprit) error {
	i := c.Changes[0]
	if c.Outcome.Ending == run.Panicked && !panicsItself(c.Outcome) && !less(j.changes[i]) && !slices.Contains(j.test.Sets, i) && !j.readsOther(i, c.Outcome) && j.bench.Between != nil && !j.bench.Between(j.test, i) {
		c.Far = true
		return nil
	}
	half, twice, are := value.Apart(*j.changes[i].Old, j.changes[i].Meant())
	if !are || slices.Contains(j.test.Sets, i) {
		return nil
	}
	passed, err := j.passesWith(i, []string{half, twice})
	if passed {
		c.Far, c.Tried = true, []string{half, twice}
	}
	return err
}

// readsOther tells whether a test has read another parameter, before or with the new value.
func (j *judging) readsOther(i int, after *run.Outcome) bool {
	return slices.ContainsFunc([]*run.Outcome{j.before, after}, func(o *run.Outcome) bool {
		own := events(j.changes[i], o, record.Read)
		return slices.ContainsFunc(o.Events, func(e record.Event) bool {
			return e.Verb == record.Read && !slices.ContainsFunc(own, func(of record.Event) bool { return of.Subject == e.Subject })
		})
	})
}

// passesWith tells whether the test passes with each of some values of a change.
func (j *judging) passesWith(i int, values []string) (bool, error) {
	for _, text := range values {
		v := j.given(nil)
		v[i] = &text
		if o, err := j.values(v); err != nil || o.Ending != run.Passed {
			return false, err
		}
	}
	return true, nil
}

// further tells whether a test that fails with a value next to the old one fails with the new one at another place,
// too.
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
