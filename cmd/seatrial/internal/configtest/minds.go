package configtest

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// How many tests are asked whether they mind a value, the quickest first, of those that take no longer than so long;
// and for how long each.
const (
	mostMinding    = 20
	longestMinding = time.Second
	patience       = 10 * time.Second
)

// minded looks for tests that open the file and pass with the new version, and of which one fails with some other value
// at a change: it reads what it is there, however it does that. The other values are of the form of the new one. That a
// text is refused which has another form shows only that it is looked through.
func (s *session) minded(ctx context.Context, out *Outcome) error {
	for _, i := range out.open() {
		c := out.Changes[i]
		if len(c.Parts) != 1 || c.Parts[0].New == nil || c.Unknown != "" || c.Parts[0].Old != nil && anotherForm(c.Parts[0]) {
			continue
		}
		if c.Class != nil && c.Class.ID.Kind() == parameter.Field && value.Word(c.Parts[0].New.Reveal()) {
			continue // who uses it would have been seen: it is what loads it that refuses a word which is made up, as it would refuse none that is meant
		}
		var tests []*judge.Judged
		for _, t := range out.Tests {
			if t != nil && t.File != "" && t.Excluded == "" && len(t.Culprits) == 0 && t.Took <= longestMinding && slices.Contains(t.Unproved, i) {
				tests = append(tests, t)
			}
		}
		slices.SortStableFunc(tests, func(a, b *judge.Judged) int { return cmp.Compare(a.Took, b.Took) })
		t, other, err := s.minds(ctx, tests[:min(len(tests), mostMinding)], c.Parts[0])
		if err != nil {
			return err
		}
		if t != nil {
			t.Proofs[i] = judge.Proof{Minds: other}
			t.Unproved = slices.DeleteFunc(t.Unproved, func(o int) bool { return o == i })
		}
	}
	return nil
}

// minds is a test that passes with the new version and fails with another value at one change of it, and that value;
// nil for none.
func (s *session) minds(ctx context.Context, tests []*judge.Judged, c change.Change) (*judge.Judged, string, error) {
	for _, other := range value.Extremes(c.New.Reveal()) {
		hanging := 0
		for _, t := range tests {
			text := s.textOf(t.File, 1)
			replaced, is := change.Replaced(t.File, text, c, other)
			if !is || ctx.Err() != nil {
				break
			}
			is, hangs, err := s.repeats(ctx, t.Test, replaced, text)
			if err != nil || is {
				return t, other, err
			}
			if hangs {
				hanging++
			}
			if hanging > 1 { // as others may
				break
			}
		}
	}
	return nil, "", nil
}

// repeats tells whether a test fails with one text each time, and passes with another one in between; and whether it
// has no end, which shows nothing.
func (s *session) repeats(ctx context.Context, t choose.Test, fails, passes []byte) (is, hangs bool, err error) {
	for range judge.Repeats {
		for _, text := range [][]byte{fails, passes} {
			o, err := s.having(ctx, t, text)
			if err != nil || o.Ending == run.TimedOut {
				return false, err == nil, err
			}
			if o.Ending.Fails() != (bytes.Equal(text, fails)) {
				return false, false, nil
			}
		}
	}
	return true, false, nil
}

// anotherForm tells whether a value was a number, a duration or a truth, and is none any more.
func anotherForm(c change.Change) bool {
	old, now := c.Old.Reveal(), c.New.Reveal()
	return value.AnotherForm(&old, &now)
}

// having runs a test with a text in the file that it opens.
func (s *session) having(ctx context.Context, t choose.Test, text []byte) (*run.Outcome, error) {
	folder, err := s.copied(t.File, text)
	if err != nil {
		return nil, err
	}
	return s.runner.Test(ctx, s.programs[t.Package], t.Name, run.Values{Module: folder, Alone: t.Starts, Limit: patience})
}
