package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// around tries changes that broke nothing together with all that does not change. A new value may agree with what a
// test has made, and not with what is deployed: a timeout that is longer than the interval, which nobody touches. Tests
// that read nothing of that, or do not pass with it and the old values, have no say.
func (j *judging) around(out *Judged, left []int) error {
	all := j.withAll()
	if len(left) == 0 || len(all.beside) == 0 {
		return nil
	}
	after, err := all.here(left)
	if err != nil || !after.Ending.Fails() && len(out.Unproved)+len(j.test.Loads) == 0 {
		return err
	}
	if passes, err := all.passes(); !passes {
		return err
	}
	found := &Judged{Test: j.test}
	if left, after, err = all.sift(found, left); err != nil || found.Excluded != "" {
		return err
	}
	for _, c := range found.Culprits {
		if c.Beside, err = all.needed(c.Changes); err != nil {
			return err
		}
		out.Culprits = append(out.Culprits, c)
	}
	known := slices.Collect(maps.Keys(out.Proofs))
	all.loaded(out, left, after)
	// What is read only where something else is configured is read now.
	out.Unproved = slices.DeleteFunc(out.Unproved, func(i int) bool {
		if after.Ending != run.Passed || !slices.Contains(left, i) {
			return false
		}
		proof, is := all.prove(i, all.before, after)
		if is {
			out.Proofs[i] = proof
		}
		return is
	})
	return all.silent(out, slices.DeleteFunc(slices.Clone(left), func(i int) bool { return slices.Contains(known, i) }), left, after)
}

// deployed is the same with all that does not change, for a test that fails with the old values alone: a bound that is
// deployed agrees with the other bound that is, and not with what the test has made. Nil if it fails with all of the
// old version, too.
func (j *judging) deployed() (*judging, error) {
	if !j.before.Ending.Fails() || j.test.Same {
		return nil, nil
	}
	return j.withUnchanged()
}

// withUnchanged is the same with all that does not change, nil if that is nothing or the test does not pass with it and
// the old values.
func (j *judging) withUnchanged() (*judging, error) {
	all := j.withAll()
	if len(all.beside) == 0 {
		return nil, nil
	}
	if passes, err := all.passes(); !passes {
		return nil, err
	}
	return all, nil
}

// passes tells whether the test passes with the old values beside what is given in each run. If it does not, what names
// a path at which nothing is here is left out from then on: a certificate that is deployed is none of the machine that
// the tests run on.
func (j *judging) passes() (bool, error) {
	var err error
	if j.before, err = j.run(nil); err != nil || j.before.Ending == run.Passed {
		return err == nil, err
	}
	here := slices.DeleteFunc(slices.Clone(j.beside), func(i int) bool { return j.changes[i].Absent })
	if len(here) == len(j.beside) {
		return false, nil
	}
	j.beside = here
	return j.passes()
}

// here runs the test with some changes beside what is given in each run. A path of that of which the test says that
// nothing is there is left out from then on: the new values may have it opened where the old ones do not.
func (j *judging) here(in []int) (*run.Outcome, error) {
	o, err := j.run(in)
	if err != nil || !o.Ending.Fails() || !strings.Contains(o.Output, "no such file") {
		return o, err
	}
	left := slices.DeleteFunc(slices.Clone(j.beside), func(i int) bool {
		return j.changes[i].Absent && strings.Contains(o.Output, value.Bare(*j.changes[i].New))
	})
	if len(left) == len(j.beside) {
		return o, nil
	}
	j.beside = left
	return j.here(in)
}

// withAll is the same with all that does not change, if that is anything to the test.
func (j *judging) withAll() *judging {
	if j.whole == nil {
		all := *j
		all.beside, all.before, all.repeated, all.failed = j.unchanged(), nil, false, map[string]bool{}
		j.whole = &all
	}
	return j.whole
}

// withDeployed takes back what breaks a test only beside what the test has made: that passes with all that is deployed,
// with the new values as with the old ones.
func (j *judging) withDeployed(out *Judged) error {
	if !slices.ContainsFunc(out.Culprits, func(c Culprit) bool { return !j.certain(c.Changes) }) {
		return nil
	}
	all, err := j.withUnchanged()
	if all == nil {
		return err
	}
	out.Culprits = slices.DeleteFunc(out.Culprits, func(c Culprit) bool {
		if c.HardCoded || err != nil || j.certain(c.Changes) {
			return false
		}
		var after *run.Outcome
		if after, err = all.here(c.Changes); err != nil || after.Ending != run.Passed {
			return false
		}
		for _, i := range c.Changes {
			if proof, is := all.prove(i, all.before, after); is {
				out.Proofs[i] = proof
			} else {
				out.Unproved = append(out.Unproved, i)
			}
		}
		err = all.silent(out, c.Changes, c.Changes, after)
		return true
	})
	return err
}

// unchanged are all parameters that do not change, if the test reads any of them and does not set it itself.
func (j *judging) unchanged() []int {
	var out []int
	reads := false
	for i, c := range j.changes {
		if !c.Unchanged {
			continue
		}
		out = append(out, i)
		reads = reads || len(events(c, j.before, record.Read)) > 0 && len(events(c, j.before, record.Set)) == 0
	}
	if !reads || j.test.File != "" { // a test that opens the file has all of it
		return nil
	}
	return out
}

// needed are the unchanged parameters without any of which the test does not fail with some changes.
func (j *judging) needed(changes []int) ([]choose.Change, error) {
	if len(changes) == 1 && j.certain(changes) {
		return j.bench.refused[changes[0]], nil
	}
	found, err := j.neededOf(changes)
	var out []choose.Change
	for _, i := range found {
		out = append(out, j.changes[i])
	}
	return out, err
}

// neededOf are their indexes.
func (j *judging) neededOf(changes []int) ([]int, error) {
	var failed error
	part := *j
	fails := func(beside []int) bool {
		part.beside = beside
		after, err := part.run(changes)
		var before *run.Outcome
		if err == nil && after.Ending.Fails() {
			before, err = part.run(nil)
		}
		if err != nil {
			failed = err
		}
		return before != nil && before.Ending == run.Passed
	}
	from := j.enough
	if len(from) == 0 || !slices.Equal(changes, j.all()) {
		from = slices.DeleteFunc(slices.Clone(j.beside), func(i int) bool { return len(events(j.changes[i], j.before, record.Read)) == 0 })
		if !fails(from) {
			from = j.beside
		}
	}
	return Smallest(from, fails), failed
}
