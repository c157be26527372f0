package configtest

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/finding"
)

// misspelt are the changes that are misspelt by the same step as one is, in order; none if it is not, or if a test was
// seen to read it after all.
func (o *Outcome) misspelt(i int) (out []int) {
	of := o.Changes[i].Misspelt
	if of == nil {
		return nil
	}
	for at, c := range o.Changes {
		if c.Misspelt == nil || c.Kind != o.Changes[i].Kind || c.In != o.Changes[i].In || *c.Misspelt != *of {
			continue
		}
		read := func(t *judge.Judged) bool {
			if t == nil {
				return false
			}
			_, is := t.Proofs[at]
			return is
		}
		if c.Class == nil && slices.ContainsFunc(o.Tests, read) { // else it is a key of an item of which others are read
			return nil
		}
		out = append(out, at)
	}
	return out
}

// misspelling is what is given by one misspelt key, or variable, as a result.
func (o *Outcome) misspelling(all []int) finding.Result {
	of, c := rule.Named("known-keys"), o.Changes[all[0]]
	out := finding.Result{
		Rule: of.ID, Name: of.Name, Subject: c.Misspelt.Key, Verdict: finding.Violated,
		Message: fmt.Sprintf("no code is known that reads %s: is %s meant, which is not given?", c.Misspelt.Key, c.Misspelt.For),
	}
	for _, i := range all {
		out.Causes = append(out.Causes, causeOf(o.Changes[i]))
	}
	for _, gone := range o.Changes {
		if gone.Moved != "" && slices.ContainsFunc(all, func(i int) bool { return o.Changes[i].Path == gone.Moved && o.Changes[i].In == gone.In }) {
			out.Causes = append(out.Causes, causeOf(gone))
		}
	}
	return out
}
