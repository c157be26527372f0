package judge

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// textual tells whether a change is an edit of a text that the code compares with nothing: of a word that it knows a
// test that has another one written by hand may well be about that.
func (j *judging) textual(i int, o *run.Outcome) bool {
	c := j.changes[i]
	if c.Old == nil || c.New == nil {
		return false
	}
	if says := value.Unparsable(*c.Old, *c.New); says != "" && strings.Contains(o.Output, says) {
		return true
	}
	if !value.IsEdit(*c.Old, *c.New) {
		return false
	}
	known := j.words(i)
	if j.bench.Compared != nil {
		known = append(slices.Clone(known), j.bench.Compared(i, j.sites(i, o))...)
	}
	return !slices.ContainsFunc(known, func(word string) bool {
		return strings.EqualFold(word, value.Bare(*c.Old)) || strings.EqualFold(word, value.Bare(*c.New))
	})
}

// edited looks whether a test that has a text written by hand passes with another one where the old and the new one
// differ: it asserts nothing of that, and the new one is one that does not go. So it is where it passes with another
// one around that, and has the word that differs nowhere else. What is no expression, or template, any more, and of
// which that is said, goes nowhere.
func (j *judging) edited(c *Culprit) error {
	of := j.changes[c.Changes[0]]
	if says := value.Unparsable(*of.Old, *of.New); says != "" && strings.Contains(c.Outcome.Output, says) {
		c.Far = true // whatever the test asserts
		return nil
	}
	edited := value.Edited(*of.Old, *of.New)
	passed, err := j.passesWith(c.Changes[0], edited)
	if err != nil || passed && len(edited) > 0 {
		c.Far, c.Tried = passed, edited
		return err
	}
	if beside, word := value.Beside(*of.Old, *of.New); beside != "" && word != "" && j.bench.Mentions != nil && !j.bench.Mentions(j.test, word, value.Bare(*of.Old)) {
		c.Far, err = j.passesWith(c.Changes[0], []string{beside})
		c.Tried = []string{beside}
	}
	return err
}

// likely notes that a test which has a word written by hand passes with each of the others that the code knows, but for
// the new one: it asserts none of them, and may be about what the new one does all the same.
func (j *judging) likely(c *Culprit, others []string) error {
	of := j.changes[c.Changes[0]]
	if of.Old == nil || of.New == nil || !value.Word(value.Bare(*of.Old)) || value.Absence(*of.New) || len(others) == 0 || value.MadeUp(of.Old, others) {
		return nil
	}
	passed, err := j.passesWith(c.Changes[0], others)
	if passed {
		c.Likely, c.Tried = true, others
	}
	return err
}
