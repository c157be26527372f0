package spec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/dump"
	"github.com/seatrial/seatrial/statespace"
)

// Dump is a file that gets all states or a behaviour, in the format that its name says.
type Dump struct {
	File string
	// Write puts the text where the file is.
	Write func(file string, text []byte) error
}

// dumpMost bounds the states of a graph: each is kept, and written out.
const dumpMost = 100_000

// write writes all dumps, a behaviour if there is one. What cannot be written does not keep others from it.
func write(ctx context.Context, s *spec.Spec, found *spec.Result, all []Dump) error {
	var graph *spec.Graph
	var failed []error
	path := violating(found)
	for _, d := range all {
		format, _ := dump.Of(d.File)
		var b bytes.Buffer
		var err error
		switch {
		case format.Trace != nil && path == nil:
			continue
		case format.Trace != nil:
			err = format.Trace(&b, s.Name(), path)
		default:
			if graph == nil {
				graph, err = s.Graph(ctx, dumpMost)
			}
			if err == nil {
				err = format.Graph(&b, graph, path)
			}
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s is not written: %w", d.File, err))
		} else if err := d.Write(d.File, b.Bytes()); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// violating is the behaviour of the first claim that is violated by one.
func violating(found *spec.Result) *spec.Trace {
	i := slices.IndexFunc(found.Claims, func(c spec.Claim) bool { return c.Verdict == statespace.Violated && c.Trace != nil })
	if i < 0 {
		return nil
	}
	return found.Claims[i].Trace
}
