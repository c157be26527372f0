package configtest

import (
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// A test that loads a document of its own shows nothing of one that is deployed: it has other values beside those that
// change, and asserts what it has. But it goes through what the program does to load one, and to check it as a whole.
// So it is run with all that is deployed in the place of its own document, in both versions: what it asserts fails with
// both, and what the program refuses in the new one only is found.

// document is one that is deployed: what it is in, and the type that the program decodes it into.
type document struct {
	in   string
	root parameter.ID
}

// documents runs tests with whole documents, of changes with which no test fails.
func (s *session) documents(ctx context.Context, m *parameter.Map, out *Outcome, compiled []run.Package) error {
	of := map[document][]int{}
	var all []document
	for _, i := range out.unhurt() {
		if c := out.Changes[i]; c.OfDocument() && len(c.Parts) > 0 {
			d := document{c.Parts[0].In, c.Type}
			if of[d] == nil {
				all = append(all, d)
			}
			of[d] = append(of[d], i)
		}
	}
	for _, d := range all {
		tests := choose.Documents(m, out.Changes, of[d])
		if len(tests) == 0 || ctx.Err() != nil {
			continue
		}
		if err := s.compileOthers(ctx, tests, compiled); err != nil {
			return err
		}
		for _, t := range tests {
			c, err := s.refusedDocument(ctx, out, t, d, of[d])
			if err != nil {
				return err
			}
			if c != nil {
				out.Tests = append(out.Tests, &judge.Judged{Test: t, Culprits: []judge.Culprit{*c}})
				break // the others load it, too
			}
		}
	}
	return nil
}

// refusedDocument is what a test fails with when it has the new version in the place of its document, and why; nil if
// it does not, or not each time. One change by itself is looked for first.
func (s *session) refusedDocument(ctx context.Context, out *Outcome, t choose.Test, d document, changed []int) (*judge.Culprit, error) {
	old, err := s.inPlace(ctx, t, d, out, nil)
	if err != nil {
		return nil, err
	}
	fails := func(with []int) (*run.Outcome, error) {
		o, err := s.inPlace(ctx, t, d, out, with)
		if err != nil {
			return nil, err
		}
		return judge.HandsOn(s.handsOn).RefusedDocument(t, old, o), nil
	}
	found, err := fails(changed)
	if found == nil || err != nil {
		return nil, err
	}
	found, culprits, err := alone(found, changed, fails)
	if err != nil {
		return nil, err
	}
	for range judge.Repeats - 1 {
		if old, err = s.inPlace(ctx, t, d, out, nil); err != nil {
			return nil, err
		}
		if again, err := fails(culprits); again == nil || err != nil || judge.Says(again) != judge.Says(found) {
			return nil, err
		}
	}
	return &judge.Culprit{Changes: culprits, Outcome: found, Document: true}, nil
}

// alone is the only change with which a test fails, and what becomes of it: one with which it says the same as with
// all, or else the first one; all if there is none.
func alone(with *run.Outcome, all []int, fails func([]int) (*run.Outcome, error)) (*run.Outcome, []int, error) {
	of, first := with, all
	for _, i := range all {
		if len(all) == 1 {
			break
		}
		o, err := fails([]int{i})
		switch {
		case err != nil:
			return nil, nil, err
		case o == nil:
		case judge.Says(o) == judge.Says(with):
			return o, []int{i}, nil
		case len(first) == len(all):
			of, first = o, []int{i}
		}
	}
	return of, first, nil
}

// inPlace runs a test with a document in the place of its own one: what is deployed, with some changes.
func (s *session) inPlace(ctx context.Context, t choose.Test, d document, out *Outcome, with []int) (*run.Outcome, error) {
	changed := map[change.Identity]bool{}
	for _, i := range with {
		for _, part := range out.Changes[i].Parts {
			changed[part.Identity] = true
		}
	}
	settings := slices.DeleteFunc(slices.Clone(s.versions[0].Settings), func(s change.Setting) bool { return changed[s.Identity] })
	for _, now := range s.versions[1].Settings {
		if changed[now.Identity] {
			settings = append(settings, now)
		}
	}
	text, err := change.Document(settings, d.in)
	if err != nil {
		return nil, err
	}
	v := run.Values{Inject: map[parameter.ID]string{record.DocumentOf(d.root): string(text)}, Alone: t.Starts, Limit: t.Limit}
	return s.runner.Test(ctx, s.programs[t.Package], t.Name, v)
}
