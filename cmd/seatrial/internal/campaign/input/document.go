package input

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// document is the file of a campaign.
type document struct {
	APIVersion string                `json:"apiVersion"`
	Kind       string                `json:"kind"`
	Metadata   experiment.Metadata   `json:"metadata"`
	Controller experiment.Controller `json:"controller"`
	CRDs       experiment.Manifests  `json:"crds"`
	Setup      experiment.Manifests  `json:"setup"`
	Seed       experiment.Manifests  `json:"seed"`
	Examples   experiment.Manifests  `json:"examples"`
	Focus      []string              `json:"focus"`
	Ignore     []string              `json:"ignore"`
	Mask       []string              `json:"mask"`
	Unmask     []string              `json:"unmask"`
	Off        []string              `json:"off"`
	Values     values                `json:"values"`
	Kinds      map[string]string     `json:"kinds"`
	Oracles    []Oracle              `json:"oracles"`
	// Unreachable is exec and tcp.
	Unreachable []string   `json:"unreachable"`
	Plane       admin.Spec `json:"plane"`
	RandomSeed  uint64     `json:"randomSeed"`
}

// values are lists by the paths of properties; whole numbers in them are int64, as in objects.
type values map[string][]any

// UnmarshalJSON reads them.
func (v *values) UnmarshalJSON(data []byte) error {
	all := map[string]any{}
	if err := utiljson.Unmarshal(data, &all); err != nil {
		return err
	}
	*v = values{}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		list, ok := all[path].([]any)
		if !ok {
			return fmt.Errorf("what is tried of %s is a list", path)
		}
		(*v)[path] = list
	}
	return nil
}

// loader puts an input together, and notes what is wrong.
type loader struct {
	experiment.Decoder
	file document
	// folder is what paths in the file are relative to.
	folder string
	// lines are those of the oracles.
	lines []int
	// others are errors about something else than the file.
	others []error
}

const unknownField = "a campaign has no field %q; it has apiVersion, kind, metadata, controller, crds, setup, seed, examples, focus, ignore, mask, unmask, off, values, kinds, oracles, unreachable, plane and randomSeed"

// decode reads the file.
func (l *loader) decode(data []byte) {
	f := &l.file
	var oracles yaml.Node
	l.Document(data, Kind, map[string]any{
		"apiVersion": &f.APIVersion, "kind": &f.Kind, "metadata": &f.Metadata, "controller": &f.Controller, "crds": &f.CRDs, "setup": &f.Setup,
		"seed": &f.Seed, "examples": &f.Examples, "focus": &f.Focus, "ignore": &f.Ignore, "mask": &f.Mask, "unmask": &f.Unmask, "off": &f.Off, "values": &f.Values,
		"kinds": &f.Kinds, "oracles": &oracles, "unreachable": &f.Unreachable, "plane": &f.Plane, "randomSeed": &f.RandomSeed,
	}, unknownField)
	if l.Count() == 0 && (f.APIVersion != experiment.APIVersion || f.Kind != Kind) {
		l.Fail(l.Lines["kind"], "this is no campaign: apiVersion: %s and kind: %s are wanted", experiment.APIVersion, Kind)
	}
	switch {
	case oracles.Kind == 0:
	case oracles.Kind != yaml.SequenceNode:
		l.Fail(oracles.Line, "oracles is a list")
	default:
		for _, item := range oracles.Content {
			var o Oracle
			before := l.Count()
			l.Part(item, item.Line, &o)
			if l.Count() == before {
				f.Oracles, l.lines = append(f.Oracles, o), append(l.lines, item.Line)
			}
		}
	}
	c := &f.Controller
	if !filepath.IsAbs(c.Directory) {
		c.Directory = filepath.Join(l.folder, c.Directory)
	}
	if len(c.Command) > 0 {
		c.Command[0] = program(l.folder, c.Command[0])
	}
	for i := range f.Oracles {
		if words := f.Oracles[i].Command; len(words) > 0 {
			words[0] = program(l.folder, words[0])
		}
	}
}

// program is a program's name, or its absolute path if it has a slash.
func program(folder, name string) string {
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		return filepath.Join(folder, name)
	}
	return name
}

// read reads what the file and the flags name: relative to the file, and to where the command
// was run.
func (l *loader) read(key string, m experiment.Manifests, flags []string) []experiment.Placed {
	line := l.Lines[key]
	all, err := experiment.Read(l.folder, m.Paths...)
	if err != nil {
		l.Fail(line, "%s: %s", key, err)
	}
	for _, o := range m.Objects {
		all = append(all, experiment.Placed{Object: o, File: l.File, Line: line})
	}
	if err == nil && len(m.Paths) > 0 && len(all) == 0 {
		l.Fail(line, "%s: there are no objects in %s", key, strings.Join(m.Paths, ", "))
	}
	more, err := l.readFlags(key, flags)
	if err != nil {
		l.plain(err)
	}
	return append(all, more...)
}

func (l *loader) readFlags(key string, paths []string) ([]experiment.Placed, error) {
	all, err := experiment.Read(".", paths...)
	if err == nil && len(paths) > 0 && len(all) == 0 {
		err = fmt.Errorf("%s: there are no objects in it, and %s needs some", strings.Join(paths, ", "), key)
	}
	return all, err
}

// at notes what is wrong with an object.
func (l *loader) at(p experiment.Placed, format string, args ...any) {
	l.others = append(l.others, &experiment.Error{File: p.File, Line: p.Line, Text: fmt.Sprintf(format, args...)})
}

// plain notes an error that says itself where it is.
func (l *loader) plain(err error) { l.others = append(l.others, err) }

// failures are all errors, those of the file first.
func (l *loader) failures() error { return errors.Join(append([]error{l.Failures()}, l.others...)...) }
