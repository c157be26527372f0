package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/pluscal"
	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
)

// Load reads a specification and its configuration and compiles them. A configuration that is empty is the file beside
// the specification with the ending .cfg. Modules are looked for beside the specification, then in folders, then among
// those that are built in. Errors of texts are *syntax.Error.
func Load(file, configuration string, folders ...string) (*Spec, error) {
	return load(file, configuration, folders, nil)
}

// LoadOutside is Load of a specification that may read files and the environment, by the operators of Json, IOUtils and
// CSV.
func LoadOutside(file, configuration string, folders ...string) (*Spec, error) {
	return load(file, configuration, folders, &library.Outside{Folder: filepath.Dir(file)})
}

func load(file, configuration string, folders []string, outside *library.Outside) (*Spec, error) {
	if configuration == "" {
		configuration = strings.TrimSuffix(file, filepath.Ext(file)) + ".cfg"
	}
	read := &files{}
	source, err := read.open(file)
	if err != nil {
		return nil, err
	}
	settings, err := read.open(configuration)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: there is no such configuration, which says what is checked, as in \"SPECIFICATION Spec INVARIANT TypeOK\": write one, or name another: %w", configuration, fs.ErrNotExist)
		}
		return nil, err
	}
	if outside != nil {
		outside.Read = func(name, text string) { read.add(name, text) }
	}
	return compile(source, settings, append([]string{filepath.Dir(file)}, folders...), outside, read)
}

func compile(source, settings *syntax.Source, folders []string, outside *library.Outside, read *files) (*Spec, error) {
	root, err := translated(rootOf(source))
	if err != nil {
		return nil, err
	}
	cfg, err := config.Parse(settings)
	if err != nil {
		return nil, err
	}
	find := once(func(name string) (*syntax.Module, error) {
		m, err := find(name, folders, read)
		if m == nil && err == nil && !standard[name] {
			m, err = within(source, name)
		}
		return m, err
	})
	rankNames(root, find)
	p, err := program.Compile(root, find, cfg, outside)
	if err != nil {
		return nil, err
	}
	p.Warnings = append(p.Warnings, stale(root)...)
	return &Spec{program: p, config: cfg, files: read}, nil
}

// once keeps what was found for each name.
func once(find func(name string) (*syntax.Module, error)) func(name string) (*syntax.Module, error) {
	type found struct {
		module *syntax.Module
		err    error
	}
	known := map[string]found{}
	return func(name string) (*syntax.Module, error) {
		f, ok := known[name]
		if !ok {
			f.module, f.err = find(name)
			known[name] = f
		}
		return f.module, f.err
	}
}

// rootOf parses the module that a file is named after, or the first one.
func rootOf(source *syntax.Source) (*syntax.Module, error) {
	name := strings.TrimSuffix(filepath.Base(source.Name), filepath.Ext(source.Name))
	if m, err := syntax.ParseModuleOf(source, name); m != nil || err != nil {
		return m, err
	}
	return syntax.ParseModule(source)
}

// within returns a module that stands in the file of the specification itself, nil if there is none.
func within(source *syntax.Source, name string) (*syntax.Module, error) {
	m, err := syntax.ParseModuleOf(source, name)
	if m == nil || err != nil {
		return nil, err
	}
	return translated(m, nil)
}

// module parses a module, and translates the algorithm in it if that has not been done.
func module(source *syntax.Source) (*syntax.Module, error) {
	return translated(syntax.ParseModule(source))
}

func translated(m *syntax.Module, err error) (*syntax.Module, error) {
	if err != nil || m.Algorithm == nil || m.Algorithm.Translated {
		return m, err
	}
	return m, pluscal.Translate(m)
}

// stale warns of a translation that is not one of the algorithm as it stands: what is checked is the translation.
func stale(m *syntax.Module) []program.Warning {
	if m.Algorithm == nil || !m.Algorithm.Translated {
		return nil
	}
	differs, err := pluscal.Stale(m)
	switch {
	case err != nil:
		return []program.Warning{{At: m.Algorithm.At, Problem: "the algorithm cannot be translated, and the translation that stands below it is checked: " + err.Error()}}
	case len(differs) > 0:
		return []program.Warning{{At: m.Algorithm.At, Problem: "the translation that stands below the algorithm is checked, and is not one of the algorithm as it is now: " +
			strings.Join(differs, ", ") + " differ; without the translation the algorithm itself is checked"}}
	}
	return nil
}

// standard modules are the library's, whatever files there are of that name: what they define by hand cannot be
// evaluated.
var standard = map[string]bool{
	"Naturals": true, "Integers": true, "Reals": true, "Sequences": true, "FiniteSets": true, "Bags": true, "TLC": true,
}

// find returns the module of a name from the folders, nil if only the library may have it.
func find(name string, folders []string, read *files) (*syntax.Module, error) {
	if standard[name] {
		return nil, nil
	}
	for _, folder := range folders {
		source, err := read.open(filepath.Join(folder, name+".tla"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return module(source)
	}
	return nil, nil
}
