// Package configtest runs the tests of a Go module under a configuration that is about to be rolled out, and says
// what a change of it breaks. Which room does what is in docs/adr/0036-configuration-tests.md.
package configtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/instrument"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/source"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/temporary"
)

// generation is part of the keys of what is kept: it goes up when tests are seen to do something else than before.
const generation = "47"

// Options say what is run.
type Options struct {
	// Directory is in the module.
	Directory string
	// Packages are patterns as those of go test.
	Packages []string
	// Tags are build tags, apart by commas; Race is for the race detector.
	Tags string
	Race bool
	// Timeout is for one test.
	Timeout time.Duration
	// Workers is how many tests run at once.
	Workers int
	// Cache is the folder in which is kept what was seen of tests; empty for none.
	Cache string
	// Builds is the folder in which are kept what programs are built from that is not the module's, and programs; empty
	// for none.
	Builds string
	// Fresh: what was seen of tests is not believed; what is known of the sources is, since its key is their text.
	Fresh bool
	// AllTests: for a parameter that more than a fifth of all tests read all of them run, and those that take long.
	AllTests bool
	// Budget is how long the tests of a comparison are to take beside the quickest, as they did when they were mapped,
	// each once and one after the other: of more the longest are left out. 0 is for any time.
	Budget time.Duration
	// Shard and Shards run one part of several of the packages: 1 to Shards; 0 for all.
	Shard, Shards int
	// Start is how the program itself is started; without a command it is not.
	Start Start
	// Environment is that of the go command and of the tests, as NAME=value.
	Environment []string
	// Progress, if set, is called from one goroutine at a time.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	// Doing is what is done now.
	Doing string
	// Done of All tests have run; All is 0 where no test is run yet.
	Done, All int
}

// DefaultTimeout is for one test.
const DefaultTimeout = time.Minute

// DefaultBudget is for the tests of a comparison, which run each test several times, and several at once.
const DefaultBudget = 20 * time.Second

// session is a module, and what is needed to run its tests.
type session struct {
	Options
	module   *run.Module
	code     *source.Module // what its text says, read once
	packages []run.Package
	folder   string // of ours; it goes when the session ends, by remove
	remove   func()
	builds   []string // folders in which programs are built
	sources  *field.Sources
	plan     *instrument.Plan
	// instruments are those of the plan, known also where there was no need of it.
	instruments *instrument.Instruments
	runner      *run.Runner
	broken      map[string]bool        // packages of which a process crashed, and no test in it
	programs    map[string]run.Program // by the name of the package
	contents    map[string]string      // what each program is linked from, by the name of the package
	versions    [2]Version             // the old one and the new one
	near        map[string][2][]byte   // files of the module that are nearly what is deployed, as they are and with what changes
	stands      map[string]string      // files of the module, and which ones of an object they stand for
	keys        []string               // of the sources, and of the packages
	tools       string                 // what the go command compiles with
	mu          sync.Mutex             // for copies of the module
	telling     sync.Mutex             // for Progress
}

// begin looks at the module. The session has to be closed.
func begin(ctx context.Context, o Options) (*session, error) {
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	s := &session{Options: o, programs: map[string]run.Program{}, contents: map[string]string{}}
	s.say("reading the module")
	var err error
	if s.folder, s.remove, err = temporary.Folder("seatrial-configtest-"); err != nil {
		return nil, err
	}
	if err := s.read(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// read finds the module and its tests.
func (s *session) read(ctx context.Context) error {
	for _, name := range []string{"workspace", "instrument", "programs", "tests"} {
		if err := os.Mkdir(filepath.Join(s.folder, name), 0o700); err != nil {
			return err
		}
	}
	var err error
	if s.module, err = run.Find(ctx, cmp.Or(s.Directory, "."), s.Tags, s.Environment, filepath.Join(s.folder, "workspace")); err != nil {
		return err
	}
	s.code = source.Of(s.module.Directory, s.module.Path)
	if s.packages, err = s.module.Packages(ctx, s.Options.Packages, generation); err != nil {
		return err
	}
	if len(s.packages) == 0 {
		return input("there are no tests in %s of %s", strings.Join(s.Options.Packages, " "), s.module.Directory)
	}
	text, err := s.module.Text()
	if err != nil {
		return err
	}
	s.keys = []string{text}
	for _, p := range s.packages {
		s.keys = append(s.keys, p.Key)
	}
	s.runner = &run.Runner{Module: s.module, Folder: filepath.Join(s.folder, "tests"), Timeout: s.Timeout}
	return nil
}

// most is how many bytes of memory of its own each process of a test may have, and write into a file: some values make
// a program ask for all there is.
const most = 2 << 30

// How many processes a test may have at once, and how many bytes of memory together. The race detector needs several
// times as much memory as the program.
const (
	mostProcesses = 256
	mostResident  = 4 * most
)

// bound bounds the processes from here on, in which there are values that nobody has tried.
func (s *session) bound() {
	s.runner.File, s.runner.Processes, s.runner.Resident = most, mostProcesses, mostResident
	if !s.Race { // the race detector reserves more than there is
		s.runner.Memory = most
	}
}

func (s *session) say(format string, args ...any) {
	s.tell(Progress{Doing: fmt.Sprintf(format, args...)})
}

func (s *session) tell(p Progress) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.Progress != nil {
		s.Progress(p)
	}
}

// instrumented makes sure that there is a plan by which the go command builds what records.
func (s *session) instrumented(ctx context.Context) error {
	if s.plan != nil {
		return nil
	}
	if err := s.analyzed(ctx); err != nil {
		return err
	}
	var err error
	work := filepath.Join(s.folder, "instrument")
	copies := work
	if s.Builds != "" && os.MkdirAll(filepath.Join(s.Builds, "libraries"), 0o700) == nil {
		copies = filepath.Join(s.Builds, "libraries")
	}
	if s.plan, err = instrument.Prepare(ctx, s.module, work, copies, s.sources.Replace); err == nil {
		s.instruments = &s.plan.Instruments
		cache(s.Cache).write("plan-"+s.instrumentKey(), s.instruments)
	}
	return err
}

// analyzed makes sure that it is known what reads a configuration in the sources: what is kept is taken, if they are
// still the same.
func (s *session) analyzed(ctx context.Context) error {
	if s.sources != nil {
		return nil
	}
	var err error
	if s.tools, err = s.module.Toolchain(ctx); err != nil {
		return err
	}
	key := s.sourcesKey()
	kept := cache(s.Cache)
	var is bool
	if s.sources, is = kept.sources(s.module.Directory, key); is {
		return nil
	}
	s.say("looking for what reads a configuration")
	if s.sources, err = field.Analyze(ctx, s.module, []string{"./..."}); err == nil {
		kept.keepSources(s.module.Directory, key, s.sources)
	}
	return err
}

// declared is what the text of the module says.
func (s *session) declared() declared {
	out := declared{Notes: slices.Clone(s.sources.Problems), Aliases: s.sources.Aliases, Parameters: slices.Clone(s.sources.Declared), Several: s.sources.Several, Parts: s.sources.Parts, Strict: s.sources.Strict, Items: s.sources.Items, OfTests: s.sources.OfTests}
	for _, root := range s.sources.Roots {
		if out.Types = append(out.Types, root.ID); root.Itself {
			out.Itself = append(out.Itself, root.ID)
		}
		for _, leaf := range root.Leaves {
			out.Parameters = append(out.Parameters, leaf.ID)
		}
	}
	for _, l := range s.instruments.Libraries {
		if l.Problem == "" {
			out.Libraries = append(out.Libraries, l.String())
		} else {
			out.Notes = append(out.Notes, l.String()+": "+l.Problem)
		}
	}
	slices.Sort(out.Libraries)
	slices.Sort(out.Notes)
	return out
}

// InputError is about what the user gives.
type InputError struct{ text string }

func (e *InputError) Error() string { return e.text }

func input(format string, args ...any) error { return &InputError{fmt.Sprintf(format, args...)} }

// IsInput tells whether an error is about what the user gives: the module, its tests, the files.
func IsInput(err error) bool {
	var ours *InputError
	var module *run.InputError
	return errors.As(err, &ours) || errors.As(err, &module)
}

// trial runs a test once with some values.
func (s *session) trial(changes []choose.Change) func(context.Context, choose.Test, choose.Values) (*run.Outcome, error) {
	give := giving(changes)
	return func(ctx context.Context, t choose.Test, values choose.Values) (*run.Outcome, error) {
		v := give(values)
		if t.File != "" {
			folder, err := s.copied(t.File, s.textWith(t.File, changes, values))
			if err != nil {
				return nil, err
			}
			v = run.Values{Module: folder}
		}
		if t.Same {
			v.Inject = maps.Clone(v.Inject)
			maps.Copy(v.Inject, choose.ByHand(changes, values))
			v.Whole = choose.Filed(changes, t.Reads, t.Other)
		}
		if t.Other {
			bounds := t.Bounds(values)
			maps.Copy(v.Inject, choose.InPlace(changes, values, slices.Concat(t.Reads, bounds)))
			v.Whole = append(v.Whole, choose.Names(changes, bounds)...)
		}
		v.Limit = t.Limit
		if v.Alone = t.Starts || t.Alone; t.Whole {
			v.Whole = harmless(changes)
		}
		return s.runner.Test(ctx, s.programs[t.Package], t.Name, v)
	}
}

// batch runs tests of a package in one process with some values.
func (s *session) batch(changes []choose.Change) judge.Batch {
	give := giving(changes)
	return func(ctx context.Context, tests []choose.Test, values choose.Values, limit time.Duration) (map[string]run.Ending, error) {
		v := give(values)
		v.Alone = true
		return s.runner.Together(ctx, s.programs[tests[0].Package], inPackage(tests), v, min(limit+s.Timeout, time.Duration(len(tests))*s.Timeout))
	}
}

// sharing runs tests of a package in one process with some values, and tells them apart by what they do with the
// changes.
func (s *session) sharing(changes []choose.Change) judge.Sharing {
	about := map[parameter.ID]bool{}
	for _, c := range changes {
		if c.Class != nil {
			for _, id := range c.Class.Identities() {
				about[id] = true
			}
		}
		for _, id := range c.IDs {
			about[id] = true
		}
		for _, l := range c.Leaves {
			for _, id := range l.IDs {
				about[id] = true
			}
		}
	}
	matters := func(e record.Event) bool {
		switch e.Verb {
		case record.Begin, record.End, record.Checked, record.Left, record.Copied, record.Carried:
			return true
		case record.Getenv:
			return about[parameter.New(parameter.Env, string(e.Subject))]
		case record.Item: // which map it is of only its value says
			return about[e.Subject] || strings.HasPrefix(string(e.Subject), string(parameter.Key("")))
		case record.Read, record.Set, record.Gave:
			return about[e.Subject]
		default:
			return false
		}
	}
	s.runner.Keepers = s.sources.Keepers
	s.broken = map[string]bool{}
	s.runner.Broken = func(p run.Program) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.broken[p.Name] = true
	}
	give := giving(changes)
	return func(ctx context.Context, tests []choose.Test, values choose.Values, limit time.Duration) (map[string]*run.Outcome, error) {
		return s.runner.Shared(ctx, s.programs[tests[0].Package], inPackage(tests), give(values), limit, matters)
	}
}

// giving is how values of some changes come to a process.
func giving(changes []choose.Change) func(choose.Values) run.Values {
	old := choose.Before(changes)
	for i, c := range changes {
		if c.Unchanged {
			old[i] = c.Old
		}
	}
	deployed, _, _ := choose.Inject(changes, old)
	copied := map[parameter.ID]string{}
	for _, c := range changes {
		if c.Copied() {
			for id, was := range c.Copies() {
				if deployed[id] = was; id.Kind() != parameter.Env {
					copied[record.CopyOf(id)] = was
				}
			}
		}
	}
	return func(values choose.Values) run.Values {
		inject, environment, unset := choose.Inject(changes, values)
		maps.Copy(inject, copied)
		return run.Values{Inject: inject, Deployed: deployed, Environment: environment, Unset: unset}
	}
}

// harmless are parameters that may be as they are deployed where a test sets them itself. It has its own for whom it
// calls, and where it writes: that stays the test's.
func harmless(changes []choose.Change) (out []parameter.ID) {
	for _, c := range changes {
		if c.Class == nil || c.Old == nil || secret(c) || !value.Harmless(c.Path, value.Bare(*c.Old)) {
			continue
		}
		out = append(out, c.Class.Identities()...)
	}
	return out
}

// inPackage are the names of tests of one package.
func inPackage(tests []choose.Test) (out []string) {
	for _, t := range tests {
		out = append(out, t.Name)
	}
	return out
}

// Map runs all tests that it does not know, and says what each reads and sets.
func Map(ctx context.Context, o Options) (*parameter.Map, error) {
	s, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.mapped(ctx)
}
