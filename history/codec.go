package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// LineMax bounds one event on the wire, in bytes: two objects of the size that
// etcd takes by default (1.5 MiB), with room to spare.
const LineMax = 8 << 20

// LineError is what is wrong with a line of a recorded history.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("history, line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Encode writes an event as one line of JSON.
func Encode(w io.Writer, e Event) error {
	if err := e.check(); err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	if line.Len() > LineMax {
		return fmt.Errorf("encode event: %s at revision %d takes %d bytes, at most %d", e.Key, e.Revision, line.Len(), LineMax)
	}
	_, err := w.Write(line.Bytes())
	return err
}

// Decode gives the events that r has, one a line, as they come. It ends at the
// first line that is no event, that is longer than [LineMax] or whose revision
// is below the one before, with a [LineError].
// Unknown fields are ignored: within one version of the admin interface fields
// are only added.
func Decode(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, LineMax)
		number, last := 0, int64(0)
		for lines.Scan() {
			number++
			e, err := decode(lines.Bytes(), last)
			if err != nil {
				yield(Event{}, &LineError{number, err})
				return
			}
			last = e.Revision
			if !yield(e, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Event{}, &LineError{number + 1, fmt.Errorf("longer than %d bytes", LineMax)})
		case err != nil:
			yield(Event{}, fmt.Errorf("history, after line %d: %w", number, err))
		}
	}
}

func decode(line []byte, last int64) (Event, error) {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return Event{}, err
	}
	if err := e.check(); err != nil {
		return Event{}, err
	}
	if e.Revision < last {
		return Event{}, fmt.Errorf("the revision goes back from %d to %d", last, e.Revision)
	}
	return e, nil
}

// Read collects what Decode gives. Beside an error it returns the events before.
func Read(r io.Reader) ([]Event, error) {
	var events []Event
	for e, err := range Decode(r) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}
