package configtest

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// nearly runs tests that open a file of their own which is nearly what is deployed, in a folder testdata mostly, if
// nothing was shown of a change otherwise: nobody is known to read it, or what is given to those who do does not
// arrive. They find there what they have, with the changes. Where tests open a known file, which is what is deployed,
// one that is nearly that is another on purpose. compiled are the packages that are.
func (s *session) nearly(ctx context.Context, m *parameter.Map, out *Outcome, known []string, compiled []run.Package) error {
	opened := openedBy(m)
	if len(out.open()) == 0 || ctx.Err() != nil || slices.ContainsFunc(known, func(file string) bool { return slices.Contains(opened, file) }) {
		return nil
	}
	if slices.ContainsFunc(out.Changes, func(c choose.Change) bool { return c.In != out.Changes[0].In }) {
		return nil // a file has those of one
	}
	s.near = s.nearCopies(m)
	chosen := choose.Opening(m, out.Changes, slices.Sorted(maps.Keys(s.near)))
	if len(chosen) == 0 {
		return nil
	}
	if err := s.compileOthers(ctx, chosen, compiled); err != nil {
		return err
	}
	tests, err := s.judged(ctx, chosen, slices.Concat(out.Changes, out.Around), out.seen())
	out.Tests = append(out.Tests, tests...)
	return err
}

// nearCopies are files that tests open and that say most of what the old version does, each as it is and as it is with
// what changes.
func (s *session) nearCopies(m *parameter.Map) map[string][2][]byte {
	name, before, after := s.versions[0].base(), s.versions[0].Text, s.versions[1].Text
	if differs := s.differs(); differs != "" {
		name, before, after = differs, []byte(s.versions[0].objects()[differs]), []byte(s.versions[1].objects()[differs])
	}
	candidates := openedBy(m)
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			candidates = append(candidates, t.Data...)
		}
	}
	slices.Sort(candidates)
	out := map[string][2][]byte{}
	for _, file := range slices.Compact(candidates) {
		if !sameFormat(file, name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.module.Directory, filepath.FromSlash(file)))
		if err != nil || !change.Alike(name, before, text) {
			continue
		}
		if with, is := change.Ported(name, before, after, text); is {
			out[file] = [2][]byte{text, with}
		}
	}
	return out
}
