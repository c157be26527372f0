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
		if !s.Fresh {
			if o, is := kept.observed(s.module, byText, s.seenKey(p)); is {
				all[i].take(o)
			}
		}
		if len(all[i].left()) > 0 {
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

// seenKey is under what is kept which tests of a package were seen to do what: a type may become one of configuration
// by what another package does with it.
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
	of     map[string]*seen // packages, by their names
	turns  chan struct{}    // of processes that run at once
	failed context.CancelCauseFunc
	// standing is what there is of the module before the tests run.
	standing *run.Standing
	mu       sync.Mutex

	done, all int // tests
	// What the session knows of programs and instruments changes while the next packages are compiled: keys are those
	// of the contents of packages whose tests have begun, and shared says whether tests can be told apart in one
	// process.
	keys   map[string]string
	shared bool
}

// atOnce is how many packages are compiled at once: the tests of those that are run meanwhile.
const atOnce = 8

// observe compiles packages, runs their tests, and keeps what was seen of each package when its last test is over. A
// package that waits for something, as one that starts programs does, holds up no other one.
func (s *session) observe(ctx context.Context, missing []run.Package, all []seen) error {
	ctx, failed := context.WithCancelCause(ctx)
	defer failed(nil)
	w := &watching{
		session: s, of: map[string]*seen{}, keys: map[string]string{}, shared: s.instruments != nil && s.instruments.Shared,
		turns: make(chan struct{}, max(1, s.Workers)), failed: failed,
	}
	for i := range all {
		w.of[all[i].Name] = &all[i]
	}
	if len(missing) > 0 {
		w.standing = s.module.Standing(ctx)
	}
	s.runner.Asked = w.asks
	s.runner.Late = w.later
	defer func() { s.runner.Asked, s.runner.Late = nil, nil }()
	for _, p := range missing {
		w.all += len(w.of[p.Name].left())
	}
	s.runner.Keepers = s.sources.Keepers
	var (
		wait sync.WaitGroup
		err  error
	)
	for some := range slices.Chunk(missing, atOnce) {
		if err = w.compile(ctx, some); err != nil {
			break
		}
		for _, p := range some {
			if of := w.programs[p.Name]; w.runs(p, of.Problem) {
				wait.Go(func() { w.tests(ctx, of) })
			}
		}
	}
	wait.Wait()
	return cmp.Or(context.Cause(ctx), err)
}

// runs is whether the tests of a package are to run: they can be built, and what they do is not known.
func (w *watching) runs(p run.Package, problem string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keys[p.Name] = w.contentKey(p)
	if problem != "" {
		w.all -= len(w.of[p.Name].left())
		w.of[p.Name].Problem = problem
	}
	return problem == "" && !w.known(p)
}

// tests runs those of a package: in one process as far as they can be told apart there, which makes one start of a
// large program of many, and the others by themselves. Those are remembered, since most of them are long, and need not
// be run twice the next time.
func (w *watching) tests(ctx context.Context, p run.Program) {
	kept, of := cache(w.Cache), w.of[p.Name]
	alone := kept.alone(w.aloneKey(p.Package))
	w.together(ctx, p, slices.DeleteFunc(of.left(), func(test string) bool { return slices.Contains(alone, test) }))
	left := of.left()
	var wait sync.WaitGroup
	for _, test := range left { // those that may not run beside others first, as with go test
		if !slices.Contains(p.Parallel, test) {
			w.byItself(ctx, p, test)
		}
	}
	for _, test := range left {
		if slices.Contains(p.Parallel, test) {
			wait.Go(func() { w.byItself(ctx, p, test) })
		}
	}
	wait.Wait()
	if ctx.Err() == nil && w.shared {
		kept.keepAlone(w.aloneKey(p.Package), left)
	}
}

// byItself runs one test in a process of its own.
func (w *watching) byItself(ctx context.Context, p run.Program, test string) {
	w.turn(ctx, func() error {
		o, err := w.runner.Test(ctx, p, test, run.Values{Alone: w.shared})
		if err == nil {
			w.saw(p, map[string]*run.Outcome{test: o})
		}
		return err
	})
}

// turn does something when few enough others do; a failure of it ends all.
func (w *watching) turn(ctx context.Context, does func() error) {
	select {
	case w.turns <- struct{}{}:
		defer func() { <-w.turns }()
	case <-ctx.Done():
		return
	}
	if ctx.Err() != nil {
		return
	}
	if err := does(); err != nil {
		w.failed(err)
	}
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
func (w *watching) saw(p run.Program, outcomes map[string]*run.Outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	to := w.of[p.Name]
	for test, o := range outcomes {
		if o.Ending != run.Stopped {
			one := observe(w.module, test, o).without(w.standing.Made)
			one.Late = sorted(slices.Clone(to.after[test]))
			one.Twice = o.Ending == run.TimedOut && slices.Contains(to.late, test)
			to.Observations = append(to.Observations, one)
			w.done++
		}
	}
	w.tell(Progress{Doing: "running tests", Done: w.done, All: w.all})
	if len(to.Observations) == len(to.Tests) {
		slices.SortFunc(to.Observations, func(a, b observation) int { return strings.Compare(a.Test, b.Test) })
		cache(w.Cache).keep(w.module, byText, w.seenKey(to.Package), to.observed)
		cache(w.Cache).keep(w.module, byContent, w.keys[to.Name], to.observed)
	}
}

// asks notes what a process of a package's tests asked the system for.
func (w *watching) asks(p run.Program, a run.Asked) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of[p.Name].Asked.Add(a)
}

// later notes what goroutines of tests read when these are over.
func (w *watching) later(p run.Program, reads map[string][]parameter.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	to := w.of[p.Name]
	if to.after == nil {
		to.after = map[string][]parameter.ID{}
	}
	for test, ids := range reads {
		to.after[test] = append(to.after[test], ids...)
	}
}

// contentKey is under what is kept what the tests of a package were seen to do whose program is linked from the same.
func (s *session) contentKey(p run.Package) string {
	return digest(slices.Concat([]string{generation, s.contents[p.Name], s.module.Directory, p.Path, p.Data}, p.Tests, []string{""}, s.sources.Keepers))
}

// aloneKey is under what is kept which tests of a package are run by themselves.
func (s *session) aloneKey(p run.Package) string {
	return digest([]string{generation, s.module.Directory, p.Path})
}

// known takes what was seen of a package whose program is linked from the same, of other texts as they may be; it tells
// whether that is all.
func (w *watching) known(p run.Package) bool {
	of := w.of[p.Name]
	if w.Fresh || len(of.Observations) > 0 {
		return false
	}
	o, is := cache(w.Cache).observed(w.module, byContent, w.keys[p.Name])
	if !is {
		return false
	}
	of.take(o)
	w.done += len(of.Observations)
	if len(of.left()) > 0 {
		return false
	}
	cache(w.Cache).keep(w.module, byText, w.seenKey(p), o)
	return true
}

// take takes what is kept of a package, but for tests that are to be seen once more.
func (p *seen) take(o observed) {
	p.observed = o
	p.Observations = slices.DeleteFunc(p.Observations, func(o observation) bool {
		late := o.Ending == run.TimedOut && !o.Twice
		if late {
			p.late = append(p.late, o.Test)
		}
		return late
	})
}

// worth bounds how often tests share a process again: as long as one of so many is sure afterwards.
const worth = 4

// together runs tests of a package in one process, and those that it says nothing of once more without the others, as
// long as that is worth it.
func (w *watching) together(ctx context.Context, p run.Program, left []string) {
	relevant := func(e record.Event) bool { return matters(w.module, e) }
	for more := w.shared; more && len(left) > 1; {
		w.turn(ctx, func() error {
			outcomes, err := w.runner.Shared(ctx, p, left, run.Values{}, time.Duration(len(left))*w.Timeout, relevant)
			w.saw(p, outcomes)
			// What one keeps, none of those behind it is sure not to need: without those of which it is known that is
			// seen.
			more = len(outcomes)*worth >= len(left)
			left = slices.DeleteFunc(left, func(test string) bool { return outcomes[test] != nil })
			return err
		})
		more = more && ctx.Err() == nil
	}
}
