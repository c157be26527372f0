package judge

import (
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// judging is one test.
type judging struct {
	ctx     context.Context
	test    choose.Test
	changes []choose.Change
	trial   Trial
	bench   *Bench
	without map[int]bool // changes that it is run without
	beside  []int        // the unchanged ones that are given in each run
	before  *run.Outcome // with the old values
	known   map[string]*run.Outcome
	twice   map[*run.Outcome]*run.Outcome // of some of these the same once more
	// amid is what others of the package may have run beside, and fell what of that failed, and is to be seen alone.
	amid, fell map[string]bool
	hung       bool // it had all of its time
	// repeated: repeats of both versions ended as the first ones. failed are other values, as texts, with which it is
	// known to fail, and enough a part of beside with which it is known to fail as with all of it; nil if none is
	// known.
	repeated bool
	failed   map[string]bool
	enough   []int
	whole    *judging // the same beside all that does not change; nil before that is asked for
}

func (b *Bench) begin(ctx context.Context, test choose.Test) *judging {
	return &judging{ctx: ctx, test: test, changes: b.Changes, trial: b.Trial, bench: b, without: b.without, known: map[string]*run.Outcome{}, twice: map[*run.Outcome]*run.Outcome{}, amid: map[string]bool{}, fell: map[string]bool{}, failed: map[string]bool{}}
}

// fails runs both versions once. It is nil unless the test passes with the old one and fails with the new one: by
// itself, or else beside all that does not change.
func (j *judging) fails() (*judging, error) {
	before, err := j.old()
	if err != nil {
		return nil, err
	}
	j.before = before
	if before.Ending == run.Passed {
		after, err := j.run(j.all())
		if err != nil || after.Ending.Fails() {
			return j, err
		}
	} else if !before.Ending.Fails() || j.test.Same { // what it has brought along goes with its own value only
		return nil, nil
	}
	all := j.withAll()
	if len(all.beside) == 0 {
		return nil, nil
	}
	after, err := all.here(j.all())
	if err != nil || !after.Ending.Fails() {
		return nil, err
	}
	if passes, err := all.passes(); !passes {
		return nil, err
	}
	if after, err = all.here(j.all()); err != nil || !after.Ending.Fails() { // something may have been left out
		return nil, err
	}
	return all, nil
}

// judged judges the test.
func (j *judging) judged() (*Judged, error) {
	out := &Judged{Test: j.test, Proofs: map[int]Proof{}, At: map[int][]string{}, Copied: map[int]Proof{}}
	var err error
	if j.before, err = j.run(nil); err != nil {
		return nil, err
	}
	if j.before.Ending != run.Passed {
		deployed, err := j.deployed()
		if err != nil {
			return nil, err
		}
		if deployed == nil {
			out.Excluded = j.excluded(j.before)
			return out, nil
		}
		j = deployed
	}
	left, after, err := j.sift(out, j.all())
	if err != nil {
		return nil, err
	}
	for _, i := range j.test.Reads {
		if !slices.Contains(left, i) {
			continue
		}
		if after.Ending == run.Passed {
			if proof, is := j.prove(i, j.before, after); is {
				out.Proofs[i], out.At[i] = proof, reads(j.changes[i], after)
				continue
			}
		}
		out.Unproved = append(out.Unproved, i)
		if copied := onlyCopied(j.changes[i], j.before, after); copied.At != "" {
			out.Copied[i] = copied
		}
	}
	out.Skips = after.Ending == run.Skipped
	j.loaded(out, left, after)
	if err := j.silent(out, left, left, after); err != nil {
		return nil, err
	}
	if err := j.stays(out, left, after); err != nil {
		return nil, err
	}
	j.strange(out)
	switch {
	case out.Excluded != "":
	case len(j.beside) == 0:
		if err = j.withDeployed(out); err == nil {
			err = j.around(out, left)
		}
	default:
		for i := range out.Culprits {
			c := &out.Culprits[i]
			if c.Beside, err = j.needed(c.Changes); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = j.asDeployed(out)
	}
	j.named(out)
	return out, err
}

// loaded notes what a test that was run only to load changes has read of them all the same.
func (j *judging) loaded(out *Judged, left []int, after *run.Outcome) {
	for _, i := range j.test.Loads {
		if after.Ending != run.Passed || !slices.Contains(left, i) {
			continue
		}
		if proof, is := j.prove(i, j.before, after); is {
			out.Proofs[i] = proof
		}
	}
}

// sift finds the parts of some changes with which the test fails, one after the other, and gives what is left of the
// changes and what becomes of the test with that.
func (j *judging) sift(out *Judged, left []int) ([]int, *run.Outcome, error) {
	after, err := j.run(left)
	for err == nil && after.Ending.Fails() {
		var flaky string
		if flaky, err = j.flaky(left); err != nil || flaky != "" {
			out.Excluded = flaky
			break
		}
		var culprit Culprit
		if culprit, err = j.culprit(left); err != nil {
			break
		}
		out.Culprits = append(out.Culprits, culprit)
		// What is left may break the test in another way, or pass.
		left = slices.DeleteFunc(slices.Clone(left), func(i int) bool { return slices.Contains(culprit.Changes, i) })
		if len(left) > 0 && j.apart(left) {
			after, err = j.run(left)
		} else {
			left, after = nil, j.before
		}
	}
	return left, after, err
}

// culprit is the smallest part of some changes with which the test fails, and whether any value would.
func (j *judging) culprit(in []int) (Culprit, error) {
	var failed error
	fails := func(part []int) bool {
		if !j.apart(part) {
			return false
		}
		o, err := j.run(part)
		if err != nil {
			failed = err
			return false
		}
		return o.Ending.Fails()
	}
	out := Culprit{Changes: slices.Clone(in)}
	if part := Smallest(in, fails); failed == nil && fails(part) {
		out.Changes = part
	}
	if failed != nil {
		return out, failed
	}
	o, err := j.run(out.Changes)
	if err != nil {
		return out, err
	}
	out.Outcome, out.Proofs = unlogged(o, j.before), map[int]Proof{}
	for _, i := range out.Changes {
		if proof, is := j.proves(i, j.before, o, o); is { // that only shows where it is read
			out.Proofs[i] = proof
		}
	}
	switch {
	case len(out.Changes) == 2 && j.test.Same:
		return out, j.swapped(&out)
	case len(out.Changes) != 1 || j.bench.Others == nil:
		return out, nil
	case j.bench.sites == nil:
		return out, errLater
	}
	i := out.Changes[0]
	if j.test.Same && j.counted(i) {
		return out, j.far(&out)
	}
	if j.test.Same && j.isEmptied(i) {
		return out, j.emptied(&out)
	}
	if j.meant(i, o) {
		out.HardCoded, out.Meant = true, true
		return out, nil
	}
	if c := j.changes[i]; c.Strange || c.Moved != "" || c.Class != nil && !c.Class.Several && refusesNow(c, j.before, o) != "" {
		return out, nil // what loads it does not take it, whatever the test holds: of a key that nobody knows no value, and what has moved is meant to be as it was
	}
	if c := j.changes[i]; c.Old != nil && c.New != nil && value.Alike(*c.Old, *c.New) && !j.echoes(i, o) {
		out.Alike = true // the same is meant, whichever the test holds
		return out, nil
	}
	if j.bench.Unknown != nil {
		like, unknown, unsure := j.bench.Unknown(i, j.sites(i, o))
		switch {
		case unsure && j.echoes(i, o): // it asserts how the word is written
		case unknown && like != "": // whatever the test holds
			out.Foreign, out.Like = true, like
			return out, nil
		case unknown && j.bench.Unlisted != nil && j.bench.Unlisted(i):
			out.Foreign = true
			return out, nil
		case unknown:
			return out, j.foreign(&out, j.otherValues(i, o))
		}
	}
	if j.test.Same && j.textual(i, o) {
		return out, j.edited(&out)
	}
	others := j.otherValues(i, o)
	if err := j.hardCoded(&out, others); err != nil || !j.test.Same || out.HardCoded {
		return out, err
	}
	return out, j.likely(&out, others)
}
