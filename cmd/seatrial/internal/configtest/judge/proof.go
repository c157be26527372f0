package judge

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Proof is a read that shows that the new value arrived.
type Proof struct {
	// Value is what was read, as Go prints it; empty where only the question was seen, as of variables that a library asks for.
	Value string
	// At is the place in the source, file:line from the root of the module; empty if it is not known.
	At string
}

// prove looks for a read that shows that a new value arrived: one of a value that was not read with the old
// one, or of the very text that was given. That something was read is not enough, since the test may have made what it reads. others are the
// changes that came with it: what may be about one of several parameters is about this one if it is its new text, and no other's.
func prove(c choose.Change, before, after *run.Outcome, others ...choose.Change) (Proof, bool) {
	if c.Class == nil || c.Class.Several {
		return Proof{}, false
	}
	if slices.ContainsFunc(events(c, after, record.Gave), func(e record.Event) bool { return e.At != "" }) {
		return Proof{}, false // it was refused: what is read is something else
	}
	olds := map[string]bool{}
	for _, e := range events(c, before, record.Read) {
		olds[e.Value] = true
	}
	for _, e := range events(c, after, record.Read) {
		if strings.HasSuffix(e.At, record.Unsure) && (olds[e.Value] || !given(c, e.Value) || slices.ContainsFunc(others, func(o choose.Change) bool { return given(o, e.Value) })) {
			continue // of this parameter, or of another one
		}
		if !olds[e.Value] || given(c, e.Value) && (c.Unchanged || c.Old == nil || !same(c, before, e)) {
			return Proof{e.Value, strings.TrimSuffix(e.At, record.Unsure)}, true
		}
	}
	if len(events(c, after, record.Set)) > 0 || len(events(c, after, record.Read)) > 0 {
		return Proof{}, false
	}
	for _, id := range c.IDs {
		// A library asked for a variable, and the process has none but ours. One that is not to be there the program may have set.
		if c.New != nil && id.Kind() == parameter.Env && slices.Contains(after.Variables, id.Name()) {
			return Proof{}, true
		}
	}
	return Proof{}, false
}

// same tells whether the same was read at the same place with the old value: a case of the test has it. Where there was no value before, a default may be the same.
func same(c choose.Change, before *run.Outcome, e record.Event) bool {
	return slices.ContainsFunc(events(c, before, record.Read), func(o record.Event) bool { return o.Value == e.Value && o.At == e.At })
}

// prove looks for a read that shows that a new value arrived beside those of the other changes.
func (j *judging) prove(i int, before, after *run.Outcome) (Proof, bool) {
	others := slices.Concat(j.changes[:i], j.changes[i+1:])
	return prove(j.changes[i], before, after, slices.DeleteFunc(others, func(o choose.Change) bool { return o.Unchanged })...)
}

// given says whether a value that was read is the text of the new one.
func given(c choose.Change, value string) bool {
	if c.New == nil {
		return false
	}
	if value == *c.New {
		return true
	}
	var text string
	return json.Unmarshal([]byte(*c.New), &text) == nil && text == value
}

// events are those of a parameter, by whichever name.
func events(c choose.Change, o *run.Outcome, verb record.Verb) []record.Event {
	var out []record.Event
	if c.Class == nil {
		return nil
	}
	for _, e := range o.Events {
		if e.Verb == verb && (verb != record.Set || e.At == record.Test) && slices.Contains(c.Class.Identities(), e.Subject) {
			out = append(out, e)
		}
	}
	return out
}

// reads are the places where a parameter was read.
func reads(c choose.Change, o *run.Outcome) []string {
	var out []string
	for _, e := range events(c, o, record.Read) {
		if e.At != "" && !slices.Contains(out, e.At) {
			out = append(out, e.At)
		}
	}
	return out
}
