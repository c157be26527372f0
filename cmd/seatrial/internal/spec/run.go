// Package spec is one check of a specification in TLA+ or PlusCal: what a command asks → package spec of the root
// module → a finding.Report in the words of the specification.
package spec

import (
	"context"
	"errors"
	"io/fs"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/syntax"
)

// Options say what is checked.
type Options struct {
	// File is the module, Configuration its configuration; empty for the one beside it.
	File, Configuration string
	// Modules are folders of further modules.
	Modules []string
	// Outside lets the specification read files and the environment.
	Outside bool
	// Deadlock, if set, is instead of what the configuration says of deadlocks.
	Deadlock *bool
	// History, if set, is a file of recorded events that are to be a behaviour of the specification, or a folder of
	// such files; Observed is the operator that says what of the objects the variables are.
	History, Observed string
	// Walks, if there are any, are looked at instead of all states.
	Walks spec.Walks
	// Coverage has the report say how often each action was taken, and how the states became so many.
	Coverage bool
	// Dumps are written when the check has ended.
	Dumps []Dump
	// Warn, if set, gets what there is to say of the specification before it is checked, and after that what was found
	// of it.
	Warn func([]finding.Warning)
	// Read, if set, gets every file that the result depends on, once the specification has been checked.
	Read func(file string, text []byte)
	spec.Options
}

// Run checks a specification. What was found when ctx ends is in the report. With a report the error is about a dump
// that could not be written.
func Run(ctx context.Context, o Options) (*finding.Report, error) {
	load := spec.Load
	if o.Outside {
		load = spec.LoadOutside
	}
	s, err := load(o.File, o.Configuration, o.Modules...)
	if err != nil {
		return nil, err
	}
	if o.Deadlock != nil {
		s.Deadlocks(*o.Deadlock)
	}
	if o.Warn != nil {
		o.Warn(warnings(s))
	}
	look := s.Check
	if o.History != "" {
		files, err := histories(s, o)
		if err != nil {
			return nil, err
		}
		look = func(ctx context.Context, with spec.Options) (*spec.Result, error) {
			return explain(ctx, s, files, with)
		}
	}
	if o.Walks.Number > 0 {
		look = func(ctx context.Context, with spec.Options) (*spec.Result, error) {
			return s.Simulate(ctx, o.Walks, with)
		}
	}
	found, err := look(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	if never := append(neverTaken(found), unmet(found)...); o.Warn != nil && len(never) > 0 {
		o.Warn(never)
	}
	for _, source := range s.Files() {
		if o.Read != nil {
			o.Read(source.Name, []byte(source.Text))
		}
	}
	return reportOf(s, found, o), write(ctx, s, found, o.Dumps)
}

// IsInput tells whether an error is about what the user gave.
func IsInput(err error) bool {
	var text *syntax.Error
	var file *fs.PathError
	var history *historyError
	var many *spec.TooManyStates
	return errors.As(err, &many) || errors.As(err, &text) || errors.As(err, &history) || errors.As(err, &file) || errors.Is(err, fs.ErrNotExist)
}

// Excerpt is the line that an error is about, with a mark below its place; empty if it is about none.
func Excerpt(err error) string {
	var text *syntax.Error
	if !errors.As(err, &text) {
		return ""
	}
	return text.Excerpt()
}
