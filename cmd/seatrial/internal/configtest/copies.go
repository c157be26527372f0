package configtest

import (
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// byHand runs tests that write a word into a configuration by hand, as what is deployed has it, with the new one there: of changes with which no test fails. What
// fails so is found; what passes, or asserts the word, has not read what is deployed, and is not told.
func (s *session) byHand(ctx context.Context, m *parameter.Map, out *Outcome, compiled []run.Package) error {
	chosen := choose.Same(m, out.Changes, out.unhurt())
	if len(chosen) == 0 || ctx.Err() != nil {
		return nil
	}
	if err := s.compileOthers(ctx, chosen, compiled); err != nil {
		return err
	}
	tests, err := s.judged(ctx, chosen, slices.Concat(out.Changes, out.Around))
	for _, t := range tests {
		if t != nil && slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return !c.HardCoded }) {
			out.Tests = append(out.Tests, t)
		}
	}
	return err
}

// compileOthers compiles the packages of tests that are not compiled.
func (s *session) compileOthers(ctx context.Context, of []choose.Test, compiled []run.Package) error {
	packages := slices.DeleteFunc(s.with(of), func(p run.Package) bool {
		return slices.ContainsFunc(compiled, func(o run.Package) bool { return o.Name == p.Name })
	})
	if len(packages) == 0 {
		return nil
	}
	return s.compile(ctx, packages)
}

// unhurt are the changes with which no test fails, but for what is hard-coded.
func (o *Outcome) unhurt() (out []int) {
	for i := range o.Changes {
		if !slices.ContainsFunc(o.Tests, func(t *judge.Judged) bool {
			return t != nil && slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return !c.HardCoded && slices.Contains(c.Changes, i) })
		}) {
			out = append(out, i)
		}
	}
	return out
}
