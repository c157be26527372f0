package judge

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// asDeployed takes back what breaks a test by what its copy of the deployed configuration says otherwise: a timeout that the test has made long is refused beside
// a shorter interval, and the one that is deployed is not. With all of the copy as it is deployed the test passes. Where it does not pass so with the old
// values either, it is about what it says otherwise: what fails at the same place then is of that.
func (j *judging) asDeployed(out *Judged) error {
	copied := func(c Culprit) bool {
		return !c.HardCoded && !j.certain(c.Changes) && slices.ContainsFunc(c.Changes, func(i int) bool { return slices.Contains(j.test.Sets, i) })
	}
	if j.test.File != "" || !slices.ContainsFunc(out.Culprits, copied) {
		return nil
	}
	whole := *j
	whole.test.Whole, whole.known, whole.beside = true, map[string]*run.Outcome{}, nil
	for i, c := range j.changes {
		if c.Unchanged {
			whole.beside = append(whole.beside, i)
		}
	}
	before, err := whole.run(nil)
	if err != nil {
		return err
	}
	whole.before = before
	out.Culprits = slices.DeleteFunc(out.Culprits, func(c Culprit) bool {
		if err != nil || !copied(c) {
			return false
		}
		var after *run.Outcome
		if before.Ending == run.Passed {
			after, err = whole.run(c.Changes)
		}
		if err != nil || after != nil && after.Ending.Fails() || after == nil && elsewhere(c.Outcome, before) {
			return false
		}
		for _, i := range c.Changes {
			proof, is := Proof{}, false
			if after != nil && after.Ending == run.Passed {
				proof, is = whole.prove(i, before, after)
			}
			if is {
				out.Proofs[i] = proof
			} else {
				out.Unproved = append(out.Unproved, i)
			}
		}
		return true
	})
	return err
}

// elsewhere tells whether a test failed at a place, or in a way, in which it did not fail otherwise.
func elsewhere(failed, otherwise *run.Outcome) bool {
	if failed.Ending != run.Failed {
		return failed.Ending != otherwise.Ending || Says(failed) != Says(otherwise)
	}
	known := map[string]bool{}
	for line := range strings.Lines(otherwise.Output) {
		if found := assertion.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil {
			known[found[1]] = true
		}
	}
	for line := range strings.Lines(failed.Output) {
		if found := assertion.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil && !known[found[1]] {
			return true
		}
	}
	return false
}
