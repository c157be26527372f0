package configtest

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/instrument"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// sourcesKey is under what is kept what is known of the sources.
func (s *session) sourcesKey() string {
	return digest(append(append([]string{}, s.keys...), generation, s.module.Tags, s.tools))
}

// instrumentKey is under what is kept what the tests are instrumented with.
func (s *session) instrumentKey() string {
	return digest([]string{s.sourcesKey(), instrument.Version()})
}

// programKey is under what the program of a package is kept: all that it is built from.
func (s *session) programKey(p run.Package) string {
	race := ""
	if s.Race {
		race = "race"
	}
	return p.ProgramKey(s.sources.Replace, s.tools, s.module.Directory, s.module.Tags, race, instrument.Version())
}

// kept are the programs of former runs.
func (s *session) kept() run.Kept {
	if s.Builds == "" {
		return run.Kept{}
	}
	return run.Kept{Folder: filepath.Join(s.Builds, "programs")}
}

// compile makes programs of the tests of some packages, if there are none yet.
func (s *session) compile(ctx context.Context, packages []run.Package) error {
	if err := s.analyzed(ctx); err != nil {
		return err
	}
	kept := s.kept()
	var missing []run.Package
	for _, p := range packages {
		if _, is := s.programs[p.Name]; !is && !s.take(kept, p, cache(s.Cache).linked(s.programKey(p))) {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if err := s.instrumented(ctx); err != nil {
		return err
	}
	s.say("compiling the tests of %d packages", len(missing))
	build := run.Build{Flags: s.plan.Flags, Environment: s.plan.Environment, Race: s.Race}
	missing = s.unlinked(ctx, kept, build, missing)
	if len(missing) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	var err error
	if build.Folder, err = s.building(kept); err != nil {
		return err
	}
	programs, err := s.module.Compile(ctx, build, missing)
	for _, p := range programs {
		s.programs[p.Name] = kept.Keep(p, s.contents[p.Name])
	}
	return err
}

// take takes the program of a package that was kept of the same content, if there is one.
func (s *session) take(kept run.Kept, p run.Package, content string) bool {
	program, is := kept.Program(p, content)
	if is {
		s.programs[p.Name], s.contents[p.Name] = program, content
	}
	return is
}

// unlinked are the packages of some of which no program is kept, whatever texts it was of. It is known from here on
// what each is linked from.
func (s *session) unlinked(ctx context.Context, kept run.Kept, b run.Build, packages []run.Package) []run.Package {
	var paths []string
	for _, p := range packages {
		if p.Problem == "" {
			paths = append(paths, p.Path)
		}
	}
	contents := s.module.Contents(ctx, b, paths, s.tools, instrument.Version())
	return slices.DeleteFunc(packages, func(p run.Package) bool {
		key := s.programKey(p)
		content := cmp.Or(contents[p.Path], key)
		s.contents[p.Name] = content
		cache(s.Cache).keepLinked(key, content)
		return s.take(kept, p, content)
	})
}

// building is an empty folder in which programs are built. It goes when the session ends.
func (s *session) building(kept run.Kept) (string, error) {
	if folder, err := kept.Building(); err == nil {
		s.builds = append(s.builds, folder)
		return folder, nil
	}
	return os.MkdirTemp(filepath.Join(s.folder, "programs"), "some-")
}

// instrumentsKnown tells whether it is known what tests are instrumented with, without making it.
func (s *session) instrumentsKnown() bool {
	if s.instruments == nil {
		var out instrument.Instruments
		if cache(s.Cache).read("plan-"+s.instrumentKey(), &out) {
			s.instruments = &out
		}
	}
	return s.instruments != nil
}

// close removes what is of this session alone, and programs that nobody has used for long.
func (s *session) close() {
	for _, folder := range s.builds {
		_ = os.RemoveAll(folder)
	}
	s.kept().Sweep(time.Now())
	cache(s.Cache).sweep(time.Now())
	s.remove()
}
