package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Batch runs tests of one package in one process with some values, and says how those ended that had their turn. They
// have so much time.
type Batch func(ctx context.Context, tests []choose.Test, v choose.Values, limit time.Duration) (map[string]run.Ending, error)

// repeat runs tests that fail again, those of a package in one process: a value that breaks one test often breaks many,
// and a large program takes longer to begin than most of its tests to end. That is only to confirm what was seen of
// each by itself. Where a process of many does not say the same, which may be for the others that are in it, each test
// is repeated by itself.
func (b *Bench) repeat(ctx context.Context, failing []*judging) error {
	if b.Batch == nil {
		return nil
	}
	var order []string
	packages := map[string][]*judging{}
	for _, j := range failing {
		after, err := j.run(j.all())
		if err != nil || after.Ending != run.Failed || j.test.File != "" || j.certain(j.all()) { // of the others, one would end the process for all
			continue
		}
		key := fmt.Sprint(j.test.Package, j.beside)
		if packages[key] == nil {
			order = append(order, key)
		}
		packages[key] = append(packages[key], j)
	}
	return b.each(ctx, len(order), func(n int) error {
		if of := packages[order[n]]; len(of) > 1 {
			return b.together(ctx, of)
		}
		return nil
	})
}

// together repeats both versions for tests of a package that fail with the new one.
func (b *Bench) together(ctx context.Context, of []*judging) error {
	first := of[0]
	for range Repeats - 1 {
		for _, v := range []struct {
			values choose.Values
			want   run.Ending
		}{{first.given(nil), run.Passed}, {first.given(first.all()), run.Failed}} {
			var err error
			if of, err = b.ending(ctx, of, v.values, v.want); err != nil || len(of) < 2 {
				return err
			}
		}
	}
	for _, j := range of {
		j.repeated = true
	}
	all := first.all()
	if len(all) != 1 {
		return nil
	}
	if b.Others != nil {
		if err := b.otherwise(ctx, of, all[0]); err != nil {
			return err
		}
	}
	return b.alike(ctx, of)
}

// alike looks which tests fail beside that what the first one of them needs beside the change, too.
func (b *Bench) alike(ctx context.Context, of []*judging) error {
	first, left := *of[0], of[1:]
	first.test.Alone = true
	if len(first.beside) == 0 {
		return nil
	}
	enough, err := first.neededOf(first.all())
	if err != nil {
		return err
	}
	first.beside = enough
	if left, err = b.ending(ctx, left, first.given(first.all()), run.Failed); err == nil {
		left, err = b.ending(ctx, left, first.given(nil), run.Passed)
	}
	if err != nil {
		return err
	}
	for _, j := range left {
		j.enough = enough
	}
	return nil
}

// otherwise looks which tests fail with other values of the only change, too. One that passes is asked again by itself:
// another test in the process may have set what it reads.
func (b *Bench) otherwise(ctx context.Context, of []*judging, change int) error {
	var order []string
	same := map[string][]*judging{} // by the values that are tried
	values := map[string][]string{}
	for _, j := range of {
		after, err := j.run([]int{change})
		if err != nil {
			return err
		}
		others := j.otherValues(change, after)
		key := fmt.Sprintf("%q", others)
		if same[key] == nil {
			order = append(order, key)
		}
		same[key], values[key] = append(same[key], j), others
	}
	for _, key := range order {
		left := same[key]
		for _, other := range values[key] {
			if len(left) < 2 {
				break
			}
			v := left[0].given(nil)
			v[change] = &other
			var err error
			if left, err = b.ending(ctx, left, v, run.Failed); err != nil {
				return err
			}
			for _, j := range left {
				j.failed[other] = true
			}
		}
	}
	return nil
}

// patience is how many times as long a test may take beside others as it took by itself.
const patience = 4

// ending runs tests in one process with some values, and gives those that end in one way.
func (b *Bench) ending(ctx context.Context, of []*judging, v choose.Values, want run.Ending) ([]*judging, error) {
	if len(of) == 0 {
		return nil, nil
	}
	tests := make([]choose.Test, len(of))
	var took time.Duration
	for i, j := range of {
		tests[i] = j.test
		after, err := j.run(j.all())
		if err != nil {
			return nil, err
		}
		took += max(j.before.Took, after.Took)
	}
	endings, err := b.Batch(ctx, tests, v, patience*took)
	return slices.DeleteFunc(slices.Clone(of), func(j *judging) bool { return endings[j.test.Name] != want }), cmp.Or(err, ctx.Err())
}
