package configtest

import (
	"cmp"
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// mostMinding is how many tests are asked whether they mind a value, the quickest first.
const mostMinding = 20

// minded looks for tests that open the file and pass with the new version, and of which one fails with some other value at a change: it reads what it is there, however
// it does that. The other values are of the form of the new one. That a text is refused which has another form shows only that it is looked through.
func (s *session) minded(ctx context.Context, out *Outcome) error {
	for _, i := range out.open() {
		c := out.Changes[i]
		if len(c.Parts) != 1 || c.Parts[0].New == nil || c.Unknown != "" || c.Parts[0].Old != nil && anotherForm(c.Parts[0]) {
			continue
		}
		var tests []*judge.Judged
		for _, t := range out.Tests {
			if t != nil && t.File != "" && t.Excluded == "" && len(t.Culprits) == 0 && slices.Contains(t.Unproved, i) {
				tests = append(tests, t)
			}
		}
		slices.SortStableFunc(tests, func(a, b *judge.Judged) int { return cmp.Compare(a.Took, b.Took) })
		for _, t := range tests[:min(len(tests), mostMinding)] {
			proof, is, err := s.minds(ctx, t.Test, c.Parts[0])
			if err != nil {
				return err
			}
			if is {
				t.Proofs[i] = proof
				t.Unproved = slices.DeleteFunc(t.Unproved, func(o int) bool { return o == i })
				break
			}
		}
	}
	return nil
}

// anotherForm tells whether a value was a number, a duration or a truth, and is none any more.
func anotherForm(c change.Change) bool {
	old, now := c.Old.Reveal(), c.New.Reveal()
	return value.AnotherForm(&old, &now)
}

// minds tells whether a test that passes with the new version fails with another value at one change of it.
func (s *session) minds(ctx context.Context, t choose.Test, c change.Change) (judge.Proof, bool, error) {
	text := s.textOf(t.File, 1)
	for _, other := range value.Extremes(c.New.Reveal()) {
		replaced, is := change.Replaced(t.File, text, c, other)
		if !is {
			continue
		}
		fails := 0
		for range judge.Repeats {
			minds, err := s.fails(ctx, t, replaced)
			if err != nil || !minds {
				fails = 0
				break
			}
			if does, err := s.fails(ctx, t, text); err != nil || does {
				return judge.Proof{}, false, err // it does not always pass
			}
			fails++
		}
		if fails > 0 {
			return judge.Proof{Minds: other}, true, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return judge.Proof{}, false, nil
}

// fails tells whether a test fails with a text in the file that it opens.
func (s *session) fails(ctx context.Context, t choose.Test, text []byte) (bool, error) {
	folder, err := s.copied(t.File, text)
	if err != nil {
		return false, err
	}
	o, err := s.runner.Test(ctx, s.programs[t.Package], t.Name, run.Values{Module: folder, Alone: t.Starts, Limit: t.Limit})
	return err == nil && o.Ending.Fails(), err
}
