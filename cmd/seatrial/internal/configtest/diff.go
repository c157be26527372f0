package configtest

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Outcome is what a run under a changed configuration shows.
type Outcome struct {
	// Changes are what differs, each with the parameter that it is of.
	Changes []choose.Change
	// Around are the parameters that do not change.
	Around []choose.Change
	// Left are changes of which not all tests that read them were run.
	Left []choose.Left
	// Tests are those that read or set something of it; nil is one that had no turn.
	Tests []*judge.Judged
	// All is how many tests the module has.
	All int
	// Problems are packages whose tests could not be run, a line each.
	Problems []string
	// Notes are what cannot be seen of the module.
	Notes []string
	// Untrue is what tests say of themselves that is not so, a line each.
	Untrue      []string
	Interrupted bool

	start *start
	// late are tests whose goroutines read a change, by its index, when they are over.
	late map[int][]string
	// secrets are those of both versions, also what no parameter has: a program may be given the whole file.
	secrets []change.Value
	doubts  map[int][]doubt // of a change, tests that fail with it in the place of a value of their own
	mask    *change.Mask
	// elsewhere are changes, by their indexes, that no code here is known to read, and that of another component does:
	// its name.
	elsewhere map[int]string
	// unread are changes, by their indexes, of fields that the program does not mention but to give them values.
	unread map[int]bool
	// above are the files of the module that say something else of a change, by its index, and that the tests open as
	// well which read it.
	above map[int][]string
}

// Version is one of two of a configuration.
type Version struct {
	// Settings are what it says, and Text is it whole.
	Settings []change.Setting
	Text     []byte
	// Name is what the user calls it: a path, or REV:path. File is where it is, as an absolute path; empty if git has
	// it, and nobody else.
	Name, File string
	// Mounted are files by the paths at which the program has them; nil if it is not known what it has.
	Mounted map[string][]byte
}

// Diff runs the tests that read what differs between two versions of a configuration.
func Diff(ctx context.Context, o Options, before, after Version) (*Outcome, error) {
	if len(change.Between(before.Settings, after.Settings)) == 0 && !change.MayDiffer(before.Settings, after.Settings) {
		return &Outcome{}, nil
	}
	s, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.diff(ctx, before, after)
}

// diff is one comparison; a session may have several.
func (s *session) diff(ctx context.Context, before, after Version) (*Outcome, error) {
	m, err := s.mapped(ctx)
	if err != nil {
		return nil, err
	}
	secrets := change.Credible(slices.Concat(before.Settings, after.Settings))
	foreign := s.ownOnly(&before, &after)
	olds, news := s.arguments(m, before.Settings), s.arguments(m, after.Settings)
	changes := choose.Apart(m, choose.Link(m, change.Between(olds, news), olds, news), olds, news)
	choose.Misspell(m, changes, olds, news, s.module.Says)
	out := &Outcome{Notes: m.Notes, Untrue: m.Untrue(), Changes: append(changes, foreign...), secrets: secrets}
	s.unread(out, func(string) bool { return true })
	out.Around = choose.Around(m, out.Changes, olds, news)
	absent(out.Around)
	choose.Cross(out.Changes, out.Around, func(c choose.Change) []parameter.ID {
		names := askedAs(m, c)
		for _, id := range slices.Clone(names) {
			for _, feed := range s.sources.Feeds[id] {
				names = append(names, feed.ID)
			}
		}
		return names
	})
	s.versions, s.near = [2]Version{before, after}, nil
	files := s.within(before.File, after.File)
	if file := s.shippedAs(m, out.Changes); file != "" {
		files = append(files, file)
	}
	files = append(files, s.copies(m, out.Changes, files)...)
	chosen := choose.Tests(m, out.Changes, files...)
	if !s.AllTests {
		chosen, out.Left = choose.Cover(m, out.Changes, chosen, s.Budget)
	}
	chosen = choose.Copying(m, out.Changes, out.Around, choose.Loading(m, out.Changes, chosen))
	for _, p := range m.Packages {
		out.All += len(p.Tests)
		if p.Problem != "" {
			out.Problems = append(out.Problems, p.Path+": "+p.Problem)
		}
	}
	packages := s.with(chosen)
	if len(packages) > 0 {
		if err := s.compile(ctx, packages); err != nil {
			return nil, err
		}
	}
	s.bound()
	if out.start, err = s.started(ctx, change.Between(before.Settings, after.Settings)); err != nil && ctx.Err() == nil {
		return nil, err
	}
	if out.Tests, err = s.judged(ctx, chosen, slices.Concat(out.Changes, out.Around), nil); err == nil {
		err = s.further(ctx, m, out, chosen, packages)
	}
	if out.takeBack(choose.Wholly(m, out.Changes, out.Around)); err == nil {
		err = s.byHand(ctx, m, out, packages)
	}
	if err == nil && ctx.Err() == nil {
		err = cmp.Or(s.documents(ctx, m, out, packages), s.nearly(ctx, m, out, files, packages))
	}
	if err == nil && ctx.Err() == nil {
		err = cmp.Or(s.minded(ctx, out), s.outlived(ctx, m, out))
		s.layers(m, out, files)
	}
	if out.Interrupted = ctx.Err() != nil; !out.Interrupted {
		out.leave(chosen)
	}
	return out, err
}

// arguments are settings in which those of containers are as the program takes them.
func (s *session) arguments(m *parameter.Map, settings []change.Setting) []change.Setting {
	truth := func(id parameter.ID) bool {
		of := s.sources.Facts[id].Type
		return id.Kind() == parameter.Flag && (of == "bool" || of == "*bool")
	}
	return choose.Negated(m, choose.Positional(m, truth, settings))
}

// further runs tests that load what nothing was shown of. compiled are the packages that are.
func (s *session) further(ctx context.Context, m *parameter.Map, out *Outcome, chosen []choose.Test, compiled []run.Package) error {
	more := choose.Further(m, out.Changes, out.open(), chosen)
	if len(more) == 0 || ctx.Err() != nil {
		return nil
	}
	if err := s.compileOthers(ctx, more, compiled); err != nil {
		return err
	}
	tests, err := s.judged(ctx, more, slices.Concat(out.Changes, out.Around), nil)
	out.Tests = append(out.Tests, tests...)
	return err
}

// open are the changes of which nothing was shown: no test was seen to read them and passes, and none fails with them.
func (o *Outcome) open() (out []int) {
	lost := o.lost()
	for i := range o.Changes {
		shown := func(j *judge.Judged) bool {
			if j == nil {
				return false
			}
			_, proved := j.Proofs[i]
			return proved || slices.ContainsFunc(j.Culprits, func(c judge.Culprit) bool { return !c.HardCoded && slices.Contains(c.Changes, i) })
		}
		if !lost[i] && !slices.ContainsFunc(o.Tests, shown) {
			out = append(out, i)
		}
	}
	return out
}

// lost are the changes that are what is missing in the place of a misspelt key, which what loads it refuses, or the key
// to which what is missing has moved: they are told with that.
func (o *Outcome) lost() map[int]bool {
	out := map[int]bool{}
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		for _, c := range t.Culprits {
			for i := range o.Changes {
				out[i] = out[i] || !c.HardCoded && slices.ContainsFunc(c.Changes, func(by int) bool { return by < len(o.Changes) && o.Changes[i].Lost(o.Changes[by]) })
			}
		}
	}
	return out
}

// with are the packages of tests that are to be run, in order.
func (s *session) with(tests []choose.Test) (out []run.Package) {
	for _, p := range s.packages {
		if slices.ContainsFunc(tests, func(t choose.Test) bool { return t.Package == p.Name && t.Runs() }) {
			out = append(out, p)
		}
	}
	return out
}

// leave notes of what changes which tests were not run, as what loads it refuses it.
func (o *Outcome) leave(chosen []choose.Test) {
	for i, c := range o.Changes {
		all := 0
		reads := func(t choose.Test) bool { return c.Class != nil && slices.Contains(t.Reads, i) }
		for _, t := range chosen {
			if reads(t) {
				all++
			}
		}
		ran := map[[2]string]bool{}
		for _, t := range o.Tests {
			is := func(of choose.Test) bool {
				return t != nil && of.Package == t.Package && of.Name == t.Name && reads(of)
			}
			if t != nil && !t.Same && reads(t.Test) && slices.ContainsFunc(chosen, is) {
				ran[[2]string{t.Package, t.Name}] = true // others are run with a file of their own, some of these once more
			}
		}
		run := len(ran)
		if run == all {
			continue
		}
		at := slices.IndexFunc(o.Left, func(l choose.Left) bool { return l.Change == i })
		if at < 0 {
			o.Left = append(o.Left, choose.Left{Change: i, Run: run, All: all})
			continue
		}
		o.Left[at].Run, o.Left[at].Places = run, false
	}
}

// within are those of some files that are in the module, as paths from its root.
func (s *session) within(files ...string) []string {
	var out []string
	for _, file := range files {
		real, err := filepath.EvalSymlinks(file)
		if file == "" || err != nil {
			continue
		}
		if below, err := filepath.Rel(s.module.Directory, real); err == nil && filepath.IsLocal(below) {
			out = append(out, filepath.ToSlash(below))
		}
	}
	return out
}

// copied is where the module seems to be, with another text in a file.
func (s *session) copied(file string, text []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	folder := filepath.Join(s.folder, "modules", digest([]string{file, string(text)}))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return folder, s.module.Copy(folder, map[string][]byte{file: text})
}

// judged runs the tests that read something. Those that only set it have nothing to say, and are kept as they are. seen
// are places at which others were seen to read each change; nil for none.
func (s *session) judged(ctx context.Context, chosen []choose.Test, changes []choose.Change, seen [][]string) ([]*judge.Judged, error) {
	var reading []choose.Test
	var out []*judge.Judged
	for _, t := range chosen {
		if t.Runs() {
			reading = append(reading, t)
		} else {
			out = append(out, &judge.Judged{Test: t})
		}
	}
	bench, done := s.bench(changes, seen), 0
	same := slices.ContainsFunc(chosen, func(t choose.Test) bool { return t.Same }) // each by itself, since others are not to have it
	if s.instrumentsKnown() && s.instruments.Shared && !same {
		bench.Batch, bench.Sharing = s.batch(changes), s.sharing(changes)
	}
	bench.Done = func(*judge.Judged) {
		done++
		if s.Progress != nil {
			s.Progress(Progress{Doing: "running tests under both versions", Done: done, All: len(reading)})
		}
	}
	judged, err := bench.All(ctx, reading)
	return append(out, judged...), err
}
