package configtest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// mapped is the map: of what is kept, and of what is not after its tests have run.
func (s *session) mapped(ctx context.Context) (*parameter.Map, error) {
	if err := s.analyzed(ctx); err != nil {
		return nil, err
	}
	kept := cache(s.Cache)
	packages := s.shard()
	all := make([]seen, len(packages))
	var missing []run.Package
	for i, p := range packages {
		all[i].Package = p
		if p.Problem != "" {
			continue
		}
		var is bool
		if all[i].Observations, is = kept.observations(s.seenKey(p)); !is {
			missing = append(missing, p)
		}
	}
	text, known := kept.declared(s.keys)
	if !known || len(missing) > 0 {
		if err := s.instrumented(ctx); err != nil {
			return nil, err
		}
		text = s.declared()
		kept.keepDeclared(s.keys, text)
	}
	if err := s.observe(ctx, missing, all); err != nil {
		return nil, err
	}
	return newMap(s.module, text, all), nil
}

// seenKey is under what is kept which tests of a package were seen to do what: a type may become one of configuration by what another
// package does with it.
func (s *session) seenKey(p run.Package) string { return digest([]string{p.Key, s.sources.Key}) }

// shard is the part of the packages that is asked for: every so many-th.
func (s *session) shard() []run.Package {
	if s.Shards < 2 {
		return s.packages
	}
	var out []run.Package
	for i, p := range s.packages {
		if i%s.Shards == s.Shard-1 {
			out = append(out, p)
		}
	}
	return out
}

// observe runs the tests of packages, and keeps what was seen of each package when its last test is over.
func (s *session) observe(ctx context.Context, missing []run.Package, all []seen) error {
	if len(missing) == 0 {
		return nil
	}
	if err := s.compile(ctx, missing); err != nil {
		return err
	}
	var jobs []run.Job
	var of []*seen
	left := map[string]int{}
	for i := range all {
		to := &all[i]
		p, is := s.programs[to.Name]
		if !is || to.Observations != nil {
			continue
		}
		if to.Problem = p.Problem; to.Problem != "" {
			continue
		}
		to.Observations = make([]observation, 0, len(p.Tests))
		for _, test := range p.Tests {
			jobs, of = append(jobs, run.Job{Program: p, Test: test}), append(of, to)
		}
		left[to.Name] = len(p.Tests)
	}
	done := 0
	_, err := s.runner.All(ctx, jobs, s.Workers, func(i int, o *run.Outcome) {
		done++
		if s.Progress != nil {
			s.Progress(Progress{Doing: "running each test by itself", Done: done, All: len(jobs)})
		}
		to := of[i]
		if o.Ending == run.Stopped {
			return
		}
		to.Observations = append(to.Observations, observe(s.module, jobs[i].Test, o))
		if left[to.Name]--; left[to.Name] == 0 {
			slices.SortFunc(to.Observations, func(a, b observation) int { return strings.Compare(a.Test, b.Test) })
			cache(s.Cache).keep(s.seenKey(to.Package), to.Observations)
		}
	})
	return cmp.Or(err, ctx.Err())
}
