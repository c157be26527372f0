package spec

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// historyError is what is wrong with a recorded history, or with what a specification sees of it.
type historyError struct {
	file string
	line int
	err  error
}

func (e *historyError) Error() string {
	if e.line == 0 {
		return fmt.Sprintf("%s: %v", e.file, e.err)
	}
	return fmt.Sprintf("%s:%d: %v", e.file, e.line, e.err)
}

func (e *historyError) Unwrap() error { return e.err }

// historyFile is one history that a specification is held against.
type historyFile struct {
	// name is the file's within its folder, without its ending; empty if the file was named by itself.
	name     string
	observed []spec.Observation
}

// histories reads the file of a history, all those in a folder, as trials that run controllers keep them, or all that
// the report of such a trial names.
func histories(s *spec.Spec, o Options) (all []historyFile, err error) {
	files, err := named(o)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if o.Read != nil {
			o.Read(file, text)
		}
		seen, err := observations(s, file, text, o.Observed)
		if err != nil {
			return nil, err
		}
		r := historyFile{observed: seen}
		if len(files) > 1 || file != o.History {
			r.name = strings.TrimSuffix(filepath.Base(file), suffix)
		}
		all = append(all, r)
	}
	return all, nil
}

// named are the files that --history means.
func named(o Options) (files []string, err error) {
	info, err := os.Stat(o.History)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return within(o.History)
	}
	text, err := os.ReadFile(o.History)
	if err != nil {
		return nil, err
	}
	kept := keptBy(text)
	if len(kept) == 0 {
		return []string{o.History}, nil
	}
	if o.Read != nil {
		o.Read(o.History, text)
	}
	for _, file := range kept {
		// A report says where they were for who wrote it: it may have been taken elsewhere together with them.
		beside := filepath.Join(filepath.Dir(o.History), file)
		if _, err := os.Stat(file); err != nil && !filepath.IsAbs(file) {
			file = beside
		}
		if _, err := os.Stat(file); err != nil {
			return nil, &historyError{file: o.History, err: fmt.Errorf("the history that this report names is not there any more: %w", err)}
		}
		files = append(files, file)
	}
	return files, nil
}

// suffix is what the names of files with histories end in.
const suffix = ".jsonl"

// within are the files of histories in a folder, by their names.
func within(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && !e.IsDir() {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if err == nil && len(files) == 0 {
		err = &historyError{file: folder, err: fmt.Errorf("there is no history in this folder: their names end in %s", suffix)}
	}
	return files, err
}

// explain looks for behaviours with what was recorded. After the first history that has none the others are open,
// unless all are asked for.
func explain(ctx context.Context, s *spec.Spec, all []historyFile, o spec.Options) (*spec.Result, error) {
	result := &spec.Result{Stats: statespace.Stats{Complete: true}}
	for _, r := range all {
		if !o.All && result.Verdict() == statespace.Violated {
			result.Claims = append(result.Claims, spec.Claim{Name: r.name, Kind: spec.History, Verdict: statespace.Inconclusive, Reason: statespace.EndedAtViolation})
			continue
		}
		found, err := s.Explain(ctx, r.observed, o)
		if err != nil {
			return nil, err
		}
		for _, c := range found.Claims {
			if c.Kind == spec.History {
				c.Name = r.name
			}
			result.Claims = append(result.Claims, c)
		}
		result.Observed, result.Explained = result.Observed+found.Observed, result.Explained+found.Explained
		sum, one := &result.Stats, found.Stats
		sum.States, sum.Transitions, sum.Levels = sum.States+one.States, sum.Transitions+one.Transitions, max(sum.Levels, one.Levels)
		if sum.Complete && !one.Complete {
			sum.Complete, sum.Reason = false, one.Reason
		}
	}
	return result, nil
}

// observations reads a recorded history, and lets the specification say what of it are its variables: before the first
// event, and after each that changes what it says. Events of one revision are one. What comes before the first
// observation of any variable is no part of the behaviour.
func observations(s *spec.Spec, file string, text []byte, operator string) ([]spec.Observation, error) {
	events, err := history.Read(bytes.NewReader(text))
	if err != nil {
		return nil, unreadable(file, text, err)
	}
	if len(events) == 0 {
		return nil, &historyError{file: file, err: fmt.Errorf("there is no event in it")}
	}
	if err := s.CanObserve(operator); err != nil {
		return nil, &historyError{file: file, err: err}
	}
	state := history.State{}
	var seen []spec.Observation
	observe := func(line int, event string) error {
		objects := []any{}
		for _, key := range state.Keys() {
			objects = append(objects, map[string]any(state[key]))
		}
		values, err := s.Observe(operator, value.OfJSON(objects))
		if err != nil {
			return &historyError{file: file, line: line, err: fmt.Errorf("%s of the objects after this: %w", operator, err)}
		}
		switch n := len(seen); {
		case n == 0 && len(values) == 0, n > 0 && maps.EqualFunc(seen[n-1].Values, values, value.Same):
			return nil
		}
		seen = append(seen, spec.Observation{Event: event, Values: values})
		return nil
	}
	if err := observe(0, "before the first event"); err != nil {
		return nil, err
	}
	for i, e := range events {
		state.Apply(e)
		if i+1 < len(events) && events[i+1].Revision == e.Revision {
			continue
		}
		if err := observe(i+1, said(i+1, e)); err != nil {
			return nil, err
		}
	}
	if len(seen) == 0 {
		return nil, &historyError{file: file, err: fmt.Errorf("%s says nothing of any variable, after none of the %d events", operator, len(events))}
	}
	return seen, nil
}

// said is an event in words.
func said(n int, e history.Event) string {
	words := []string{fmt.Sprintf("event %d:", n), string(e.Type), e.Key.String()}
	if e.Actor != "" {
		words = append(words, "by", e.Actor)
	}
	return strings.Join(words, " ")
}
