package spec

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/value"
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

// observations reads a recorded history, and lets the specification say what of it are its variables: before the first event, and
// after each. Events of one revision are one. What comes before the first observation of any variable is no part of the behaviour.
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
		if len(seen) == 0 && len(values) == 0 {
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
