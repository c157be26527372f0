package judge

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Sharing runs tests of one package in one process with some values, for so long at most, and gives the outcomes of
// those that passed and of which it is sure what they did, without what they printed.
type Sharing func(ctx context.Context, tests []choose.Test, v choose.Values, limit time.Duration) (map[string]*run.Outcome, error)

// Tests that share a process have patience times as long as is known of them, and a moment for the process; those of
// which nothing is known are taken for so long.
const (
	beginning  = 5 * time.Second
	takenFor   = time.Second
	leastShare = 4 // fewer are not divided among workers
	// longest is for tests that share one: what waits for longer is better off beside others, each in a process.
	longest = time.Second / 4
)

// first runs tests in the processes of their packages: a large program takes longer to begin than most of its tests to
// end, and most changes break none. What is known of a test afterwards is that it passes, with which reads; one that
// does not pass with each of the values in turn is looked at by itself from the beginning, and so is one of which the
// process of many cannot tell what it did.
func (b *Bench) first(ctx context.Context, all []*judging) error {
	if b.Sharing == nil {
		return nil
	}
	shares := b.shares(all)
	return b.each(ctx, len(shares), func(n int) error { return b.share(ctx, shares[n]) })
}

// shares are the tests that may share a process, in parts of one package each.
func (b *Bench) shares(all []*judging) [][]*judging {
	var order []string
	packages := map[string][]*judging{}
	for _, j := range all {
		if j.test.File != "" || j.test.Starts || j.test.Took > longest {
			continue
		}
		if packages[j.test.Package] == nil {
			order = append(order, j.test.Package)
		}
		packages[j.test.Package] = append(packages[j.test.Package], j)
	}
	var out [][]*judging
	for _, name := range order {
		of := packages[name]
		each := max(leastShare, (len(of)+b.Workers-1)/max(1, b.Workers))
		out = slices.AppendSeq(out, slices.Chunk(of, each))
	}
	return slices.DeleteFunc(out, func(of []*judging) bool { return len(of) < 2 })
}

// share runs tests in one process with the old values, with the new ones, and with both beside all that does not
// change. It keeps what became of a test that passes with each and is seen to read each new value: one that is not may
// have come to what another test has set, and passes for that.
func (b *Bench) share(ctx context.Context, of []*judging) error {
	nothing := func(*judging) []int { return nil }
	before, err := b.passing(ctx, of, nothing)
	if err != nil {
		return err
	}
	after, err := b.passing(ctx, having(of, before), (*judging).all)
	if err != nil {
		return err
	}
	again, err := b.passing(ctx, doubted(having(of, after), before, after), (*judging).all)
	if err != nil {
		return err
	}
	var beside, unproved []*judging
	for _, j := range having(of, after) {
		if again[j] != nil {
			j.twice[after[j]] = again[j]
		}
		whole := j.after(before[j])
		if len(whole.beside) > 0 {
			beside = append(beside, whole)
		}
		if len(whole.beside) > 0 && len(j.unproved(before[j], after[j], j.test.Reads)) > 0 {
			unproved = append(unproved, whole)
		}
	}
	with, err := b.passing(ctx, beside, (*judging).all)
	if err != nil {
		return err
	}
	without, err := b.passing(ctx, having(unproved, with), nothing)
	if err != nil {
		return err
	}
	for _, j := range having(of, after) {
		whole := j.whole
		missing := j.unproved(before[j], after[j], j.test.Reads)
		if missing != nil && without[whole] != nil {
			missing = j.unproved(without[whole], with[whole], missing)
		}
		if j.before, j.whole = nil, nil; missing != nil || len(whole.beside) > 0 && with[whole] == nil {
			continue
		}
		j.known[keyOf(nil)], j.known[keyOf(j.all())] = before[j], after[j]
		if len(whole.beside) > 0 {
			j.known[keyOf(slices.Concat(whole.beside, j.all()))] = with[whole]
		}
		if without[whole] != nil {
			j.known[keyOf(whole.beside)] = without[whole]
		}
	}
	return nil
}

// after is the same beside all that does not change, by what the test did with the old values.
func (j *judging) after(before *run.Outcome) *judging {
	j.before = before
	return j.withAll()
}

// passing are the outcomes of tests that pass in one process with some changes.
func (b *Bench) passing(ctx context.Context, of []*judging, in func(*judging) []int) (map[*judging]*run.Outcome, error) {
	if len(of) < 2 {
		return nil, ctx.Err()
	}
	tests := make([]choose.Test, len(of))
	limit := beginning
	for i, j := range of {
		tests[i] = j.test
		limit += patience * cmp.Or(j.test.Took, takenFor)
	}
	v := of[0].given(in(of[0]))
	found, err := b.Sharing(ctx, tests, v, limit)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	out := map[*judging]*run.Outcome{}
	for _, j := range of {
		if o := found[j.test.Name]; o != nil && o.Ending == run.Passed && !slices.ContainsFunc(in(j), func(i int) bool { return refusal(j.changes[i], o) != "" }) {
			out[j] = o
		}
	}
	return out, nil
}

// having are those of some tests that are in a map.
func having(of []*judging, in map[*judging]*run.Outcome) (out []*judging) {
	for _, j := range of {
		if in[j] != nil {
			out = append(out, j)
		}
	}
	return out
}

// doubted are tests of which only one more run can tell whether what they read is a new value.
func doubted(of []*judging, before, after map[*judging]*run.Outcome) (out []*judging) {
	for _, j := range of {
		if slices.ContainsFunc(j.unproved(before[j], after[j], j.test.Reads), func(i int) bool {
			_, is := j.proves(i, before[j], after[j], after[j])
			return is
		}) {
			out = append(out, j)
		}
	}
	return out
}

// unproved are those of some changes that the test was not seen to read with their new values.
func (j *judging) unproved(before, after *run.Outcome, of []int) (out []int) {
	for _, i := range of {
		if _, is := j.proves(i, before, after, j.twice[after]); !is && slices.Contains(j.all(), i) {
			out = append(out, i)
		}
	}
	return out
}
