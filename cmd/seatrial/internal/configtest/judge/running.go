package judge

import (
	"context"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// all are the changes that can be tried.
func (j *judging) all() (out []int) {
	for i, c := range j.changes {
		if !c.Unchanged && (j.test.File != "" || c.Unknown == "" && (c.Class != nil || j.test.Same && len(c.Feeds) > 0)) {
			out = append(out, i)
		}
	}
	left := slices.DeleteFunc(slices.Clone(out), func(i int) bool { return j.without[i] })
	if j.test.File != "" && len(left) < len(out) && (j.bench.Apart == nil || !j.bench.Apart(j.test, left)) {
		return out
	}
	return left
}

// given are the values with some changes.
func (j *judging) given(in []int) choose.Values {
	return choose.Before(j.changes).With(j.changes, j.beside).With(j.changes, in)
}

// run runs the test with some changes.
func (j *judging) run(in []int) (*run.Outcome, error) {
	key := keyOf(slices.Concat(j.beside, in))
	if o, is := j.known[key]; is {
		return o, nil
	}
	limit := time.Duration(0)
	if len(j.beside) > 0 || j.test.Whole { // what it has shown alone is known
		limit = j.limit()
	}
	o, err := j.within(limit, j.given(in))
	for n := 1; err == nil && n < Repeats && j.fell[key] && !o.Ending.Fails(); n++ {
		o, err = j.within(limit, j.given(in)) // that it passes alone is not believed at once
	}
	if err == nil {
		j.amid[key] = !j.test.Alone
		j.known[key] = o
	}
	return o, err
}

// values runs the test with some values to confirm what its run with some changes has shown, or what it holds.
func (j *judging) values(v choose.Values) (*run.Outcome, error) {
	return j.within(j.limit(), v)
}

// A test that has once had all of its time, and not ended, has so many times what it takes with the old values, and so
// much at least, when that is repeated.
const (
	hangs   = 30
	atLeast = 10 * time.Second
)

// limit is how long a repeat may take; 0 for as long as any.
func (j *judging) limit() time.Duration {
	if !j.hung || j.before == nil {
		return 0
	}
	return max(atLeast, hangs*j.before.Took)
}

func (j *judging) within(limit time.Duration, v choose.Values) (*run.Outcome, error) {
	test := j.test
	if limit > 0 {
		test.Limit = limit
	}
	o, err := j.trial(j.ctx, test, v)
	switch {
	case err != nil:
		return nil, err
	case o.Ending == run.Stopped:
		return nil, context.Cause(j.ctx)
	}
	j.hung = j.hung || o.Ending == run.TimedOut
	return j.refused(v, o)
}

func keyOf(in []int) string {
	key := make([]byte, 0, len(in))
	for _, i := range in {
		key = append(key, byte(i>>8), byte(i))
	}
	return string(key)
}

// apart tells whether the test can be run with some changes and not the others.
func (j *judging) apart(in []int) bool {
	return j.test.File == "" || len(in) == 0 || slices.Equal(in, j.all()) || j.bench.Apart != nil && j.bench.Apart(j.test, in)
}
