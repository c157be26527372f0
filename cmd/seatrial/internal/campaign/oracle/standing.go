package oracle

import (
	"reflect"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// Standing is an operation that the operator says it does not do, or behind which it waits for what cannot become
// ready. As long as it is asked for, and the operator says so, what is not as it would be for that is not held against
// what comes behind it.
type Standing struct {
	// Deviations are from the twin, in which all of it was done.
	Deviations []Deviation

	words []string
	step  *Step
}

// Stand is what the operator declines, or leaves as it is, behind the last step, which has its twin; nil for nothing.
func (c *Case) Stand() *Standing {
	if c.Twin == nil || c.Last().Refused != "" || c.Last().Operation == nil || c.misoperation() {
		return nil
	}
	words, whole := c.declines(), *c
	if len(words) == 0 && len(stuck(c.Twin.End)) == 0 {
		return nil
	}
	whole.open = true
	s := &Standing{Deviations: whole.beside(""), words: words, step: c.Last()}
	if known := c.beside(""); len(words) == 0 {
		s.Deviations = slices.DeleteFunc(s.Deviations, func(d Deviation) bool {
			return slices.ContainsFunc(known, func(k Deviation) bool { return k.Object == d.Object && k.Path == d.Path })
		})
	}
	if len(s.Deviations) == 0 {
		return nil
	}
	for i := range s.Deviations {
		s.Deviations[i].Oracle = "twin"
		s.Deviations[i].Lines = nil // who does not do one thing may write nothing of a text
	}
	return s
}

// Still tells whether something of it is not taken back yet behind another step, and the operator says the same of it:
// one that says so for ever has stopped looking.
func (s *Standing) Still(step *Step, key history.Key) bool {
	said := remarks(step.End, key)
	if slices.ContainsFunc(s.words, func(word string) bool { return !slices.Contains(said, word) }) {
		return false
	}
	return slices.ContainsFunc(s.step.Operation.All(), func(c operation.Change) bool {
		before, had := c.At(s.step.Before)
		now, has := c.At(step.Resource)
		return had != has || !reflect.DeepEqual(before, now)
	})
}
