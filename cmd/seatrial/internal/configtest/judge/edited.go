package judge

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// textual tells whether a change is an edit of a text that the code compares with nothing: of a word that it knows a test that has another one written by hand may well be about that.
func (j *judging) textual(i int, o *run.Outcome) bool {
	c := j.changes[i]
	if c.Old == nil || c.New == nil || !value.IsEdit(*c.Old, *c.New) {
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

// edited looks whether a test that has a text written by hand passes with another one where the old and the new one differ: it asserts nothing of that, and the new one is one that does not go. So it is where it passes
// with another one around that, and has the word that differs nowhere else.
func (j *judging) edited(c *Culprit) error {
	of := j.changes[c.Changes[0]]
	others := value.Edited(*of.Old, *of.New)
	if beside, word := value.Beside(*of.Old, *of.New); beside != "" && word != "" && j.bench.Mentions != nil && !j.bench.Mentions(j.test, word, value.Bare(*of.Old)) {
		others = append(others, beside)
	}
	for _, other := range others {
		passed, err := j.passesWith(c.Changes[0], []string{other})
		if err != nil {
			return err
		}
		if passed {
			c.Far, c.Tried = true, []string{other}
			return nil
		}
	}
	return nil
}

// likely notes that a test which has a word written by hand passes with each of the others that the code knows, but for the new one: it asserts none of them, and may be about what the
// new one does all the same.
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
