package configtest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
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
		if !s.Fresh {
			all[i].Observations, is = kept.observations(s.seenKey(p))
		}
		if !is {
			missing = append(missing, p)
		}
	}
	text, known := kept.declared(s.keys)
	if !known || len(missing) > 0 {
		if !s.instrumentsKnown() {
			if err := s.instrumented(ctx); err != nil {
				return nil, err
			}
		}
		text = s.declared()
		kept.keepDeclared(s.keys, text)
	}
	if err := s.observe(ctx, missing, all); err != nil {
		return nil, err
	}
	if len(all) > 0 && !slices.ContainsFunc(all, func(p seen) bool { return p.Problem == "" }) {
		return nil, input("no tests can be built here: %s: %s: see that go vet passes", all[0].Name, all[0].Problem)
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

// watching is what becomes of the tests of packages that run.
type watching struct {
	*session
	of        map[string]*seen // packages, by their names
	done, all int              // tests
	mu        sync.Mutex
	asked     map[string]*run.Asked // by the processes of each package
}

// atOnce is how many packages are compiled at once: the tests of those that are run meanwhile.
const atOnce = 8

// observe runs the tests of packages, and keeps what was seen of each package when its last test is over.
func (s *session) observe(ctx context.Context, missing []run.Package, all []seen) error {
	w := &watching{session: s, of: map[string]*seen{}, asked: map[string]*run.Asked{}}
	for i := range all {
		w.of[all[i].Name], w.asked[all[i].Name] = &all[i], &run.Asked{}
	}
	s.runner.Asked = w.asks
	defer func() { s.runner.Asked = nil }()
	for _, p := range missing {
		w.all += len(p.Tests)
	}
	if err := w.together(ctx, missing); err != nil {
		return err
	}
	var jobs []run.Job
	for _, p := range missing {
		for _, test := range w.of[p.Name].left() {
			jobs = append(jobs, run.Job{Program: s.programs[p.Name], Test: test, Values: run.Values{Alone: s.instruments.Shared}})
		}
	}
	_, err := s.runner.All(ctx, jobs, s.Workers, func(i int, o *run.Outcome) {
		w.saw(jobs[i].Program, "running tests by themselves", map[string]*run.Outcome{jobs[i].Test: o})
	})
	return cmp.Or(err, ctx.Err())
}

// left are the tests of which nothing has been seen.
func (p *seen) left() []string {
	if p.Problem != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Tests), func(test string) bool {
		return slices.ContainsFunc(p.Observations, func(o observation) bool { return o.Test == test })
	})
}

// saw takes what became of some tests of a package.
func (w *watching) saw(p run.Program, doing string, outcomes map[string]*run.Outcome) {
	to := w.of[p.Name]
	for test, o := range outcomes {
		if o.Ending != run.Stopped {
			to.Observations = append(to.Observations, observe(w.module, test, o))
			w.done++
		}
	}
	w.tell(Progress{Doing: doing, Done: w.done, All: w.all})
	if len(to.Observations) == len(to.Tests) {
		slices.SortFunc(to.Observations, func(a, b observation) int { return strings.Compare(a.Test, b.Test) })
		cache(w.Cache).keep(w.seenKey(to.Package), to.Observations)
		w.mu.Lock()
		defer w.mu.Unlock()
		cache(w.Cache).keepContent(w.module, w.contentKey(to.Package), to.Observations, *w.asked[to.Name])
	}
}

// asks notes what a process of a package's tests asked the system for.
func (w *watching) asks(p run.Program, a run.Asked) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[p.Name].Add(a)
}

// contentKey is under what is kept what the tests of a package were seen to do whose program is linked from the same.
func (s *session) contentKey(p run.Package) string {
	return digest(slices.Concat([]string{generation, s.contents[p.Name], s.module.Directory, p.Path, p.Data}, p.Tests, []string{""}, s.sources.Keepers))
}

// known takes what was seen of a package whose program is linked from the same, of other texts as they may be.
func (w *watching) known(p run.Package) bool {
	if w.Fresh {
		return false
	}
	all, is := cache(w.Cache).content(w.module, w.contentKey(p))
	if is {
		w.of[p.Name].Observations = all
		w.done += len(all)
		cache(w.Cache).keep(w.seenKey(p), all)
	}
	return is
}

// worth bounds how often tests share a process again: as long as one of so many is sure afterwards.
const worth = 4

// together compiles packages, and runs the tests of each in one process, as far as they can be told apart there: that makes one start of a large program
// of many.
func (w *watching) together(ctx context.Context, packages []run.Package) error {
	var (
		mu    sync.Mutex
		wait  sync.WaitGroup
		first error
		next  = make(chan run.Program, len(packages))
	)
	relevant := func(e record.Event) bool { return matters(w.module, e) }
	w.runner.Keepers = w.sources.Keepers
	for range w.Workers {
		wait.Go(func() {
			for p := range next {
				for left := p.Tests; len(left) > 1; {
					outcomes, err := w.runner.Shared(ctx, p, left, run.Values{}, time.Duration(len(left))*w.Timeout, relevant)
					mu.Lock()
					first = cmp.Or(first, err)
					w.saw(p, "running tests by packages", outcomes)
					mu.Unlock()
					// What one keeps, none of those behind it is sure not to need: without those of which it is known that is seen.
					if len(outcomes)*worth < len(left) {
						break
					}
					left = slices.DeleteFunc(slices.Clone(left), func(test string) bool { return outcomes[test] != nil })
				}
			}
		})
	}
	var err error
	for some := range slices.Chunk(packages, atOnce) {
		if err = w.compile(ctx, some); err != nil {
			break
		}
		for _, p := range some {
			of := w.programs[p.Name]
			if mu.Lock(); of.Problem != "" {
				w.of[p.Name].Problem = of.Problem
				w.all -= len(p.Tests)
			}
			known := of.Problem == "" && w.known(p)
			if mu.Unlock(); of.Problem == "" && !known && len(p.Tests) > 1 && w.instruments.Shared {
				next <- of
			}
		}
	}
	close(next)
	wait.Wait()
	return cmp.Or(err, first, ctx.Err())
}
