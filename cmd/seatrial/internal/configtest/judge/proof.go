package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Proof is a read that shows that the new value arrived.
type Proof struct {
	// Value is what was read, as Go prints it; empty where only the question was seen, as of variables that a library
	// asks for.
	Value string
	// Was is what was read there with the old version, if that is one value; else empty.
	Was string
	// At is the place in the source, file:line from the root of the module; empty if it is not known.
	At string
	// Minds is another value with which the test fails, where that is how it is known to read this one; else empty.
	Minds string
}

// prove looks for a read that shows that a new value arrived: one of a value that was not read with the old
// one, or of the very text that was given. That something was read is not enough, since the test may have made what it
// reads; nor is it that it is not what it was before, as a temporary folder is another one in each run: what is not
// known to be the new value has to be read at the same place again, the same. again is the same as after, once more;
// nil if that is not known. others are the changes that came with it: what may be about one of several parameters is
// about this one if it is its new text, and no other's.
func prove(c choose.Change, before, after, again *run.Outcome, others ...choose.Change) (Proof, bool) {
	if c.Stored && c.New != nil && !arrived(c, after) {
		return Proof{}, false
	}
	if c.Class == nil || c.Class.Several {
		return Proof{}, false
	}
	if len(c.Leaves) > 0 {
		return proveLeaves(c, before, after, again, others)
	}
	return proveRead(c, before, after, again, others)
}

// proveRead is prove of one parameter, or of one field of items.
func proveRead(c choose.Change, before, after, again *run.Outcome, others []choose.Change) (Proof, bool) {
	if slices.ContainsFunc(events(c, after, record.Gave), func(e record.Event) bool { return e.At != "" }) {
		return Proof{}, false // it was refused: what is read is something else
	}
	elsewhere := len(c.Leaves) > 0 && c.Leaves[0].Known
	hidden := len(c.Leaves) > 0 && c.Leaves[0].Hidden // another field may have had the value
	olds := map[string]bool{}
	for _, e := range events(c, before, record.Read) {
		olds[e.Value] = true
	}
	field := c.Class != nil && slices.ContainsFunc(c.Class.Identities(), func(id parameter.ID) bool { return id.Kind() == parameter.Field })
	for _, e := range events(c, after, record.Read) {
		if strings.Contains(e.At, record.Taken) || !used(e, before, after) {
			continue
		}
		if field && e.Subject.Kind() == parameter.Env && onlyAsks(e, after) {
			continue // it has asked for it, and made nothing of it that is seen
		}
		if strings.HasSuffix(e.At, record.Unsure) && (olds[e.Value] || !given(c, e.Value) || slices.ContainsFunc(others, func(o choose.Change) bool { return given(o, e.Value) })) {
			continue // of this parameter, or of another one
		}
		anew := !olds[e.Value] && (means(c, e.Value) || again != nil && again.Ending == after.Ending && same(c, again, e))
		if anew || !hidden && given(c, e.Value) && (c.Unchanged || c.Old == nil && !elsewhere || !same(c, before, e)) {
			return Proof{Value: e.Value, Was: was(c, before, e), At: strings.TrimSuffix(e.At, record.Unsure)}, true
		}
	}
	if proof, is := proveTaken(c, before, after); is {
		return proof, true
	}
	if len(events(c, after, record.Set)) > 0 || len(events(c, after, record.Read)) > 0 {
		return Proof{}, false
	}
	for _, id := range c.IDs {
		// A library asked for a variable, and the process has none but ours. One that is not to be there the program
		// may have set.
		if c.New != nil && slices.Contains(after.Variables, id.Name()) && onlyAsked(c, after) {
			return Proof{}, true
		}
	}
	return Proof{}, false
}

// onlyAsks tells whether a variable is read at a place that reads others, too: a function that gives them, and whoever
// calls it makes something of them.
func onlyAsks(e record.Event, o *run.Outcome) bool {
	return slices.ContainsFunc(o.Events, func(other record.Event) bool {
		return other.Verb == record.Read && other.Subject.Kind() == parameter.Env && other.Subject != e.Subject && other.At == e.At
	})
}

// was is the one value that was read with the old version where a read is; empty if there is none, or several.
func was(c choose.Change, before *run.Outcome, of record.Event) (value string) {
	for _, e := range events(c, before, record.Read) {
		switch {
		case e.At != of.At || e.Subject != of.Subject:
		case value != "" && value != e.Value:
			return ""
		default:
			value = e.Value
		}
	}
	return value
}

// onlyAsked tells whether variables are all that a parameter is known by: that they are asked for is then all that is
// ever seen of it. What they are handed on to, as a field, is read where that is read, and whoever loads a
// configuration asks for each variable of it.
func onlyAsked(c choose.Change, o *run.Outcome) bool {
	return !slices.ContainsFunc(c.Class.Identities(), func(id parameter.ID) bool { return id.Kind() != parameter.Env }) && len(events(c, o, record.Hand)) == 0
}

// same tells whether the same was read at the same place in another run: with the old value a case of the test has it.
// Where there was no value before, a default may be the same.
func same(c choose.Change, in *run.Outcome, e record.Event) bool {
	return slices.ContainsFunc(events(c, in, record.Read), func(o record.Event) bool { return o.Value == e.Value && o.At == e.At })
}

// prove looks for a read that shows that a new value arrived beside those of the other changes. The test is run once
// more if only that can tell; by itself, if others are of the same field of other items.
func (j *judging) prove(i int, before, after *run.Outcome) (Proof, bool) {
	proof, is := j.proved(i, before, after, j.others(i))
	if is || !alike(j.changes[i], j.others(i)) || !j.apart([]int{i}) {
		return proof, is
	}
	alone, err := j.run([]int{i})
	if err != nil || alone.Ending != run.Passed { // the end of the context is seen by whoever runs the next one
		return Proof{}, false
	}
	return j.proved(i, before, alone, nil)
}

func (j *judging) proved(i int, before, after *run.Outcome, others []choose.Change) (Proof, bool) {
	c := j.changes[i]
	proof, is := prove(c, before, after, j.twice[after], others...)
	if is || j.twice[after] != nil {
		return proof, is
	}
	if proof, is = prove(c, before, after, after, others...); !is {
		return proof, false
	}
	again, err := j.again(after)
	if again == nil || err != nil {
		return Proof{}, false
	}
	return prove(c, before, after, again, others...)
}

func (j *judging) proves(i int, before, after, again *run.Outcome) (Proof, bool) {
	return prove(j.changes[i], before, after, again, j.others(i)...)
}

// others are the changes beside one.
func (j *judging) others(i int) []choose.Change {
	others := slices.Concat(j.changes[:i], j.changes[i+1:])
	return slices.DeleteFunc(others, func(o choose.Change) bool { return o.Unchanged })
}

// again runs the test once more as in a run that is known; nil if it is none of those.
func (j *judging) again(o *run.Outcome) (*run.Outcome, error) {
	for key, known := range j.known {
		if known != o {
			continue
		}
		var in []int
		for at := 0; at < len(key); at += 2 {
			in = append(in, int(key[at])<<8|int(key[at+1]))
		}
		again, err := j.values(choose.Before(j.changes).With(j.changes, in))
		if err == nil {
			j.twice[o] = again
		}
		return again, err
	}
	return nil, nil
}

// means says whether a value that was read is the new one, as Go prints that.
func means(c choose.Change, value string) bool {
	if c.New == nil || given(c, value) {
		return c.New != nil
	}
	text := *c.New
	var list []any
	d := json.NewDecoder(strings.NewReader(text))
	if d.UseNumber(); d.Decode(&list) == nil && len(list) > 0 {
		return record.Cut(fmt.Sprint(list)) == value
	}
	_ = json.Unmarshal([]byte(text), &text) // another one is as it is
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if of, err := strconv.ParseFloat(value, 64); err == nil {
			return n == of
		}
		of, err := time.ParseDuration(value)
		return err == nil && n == float64(of)
	}
	n, err := time.ParseDuration(text)
	of, no := time.ParseDuration(value)
	return err == nil && no == nil && n == of
}

// given says whether a value that was read is the text of the new one.
func given(c choose.Change, value string) bool {
	if c.New == nil {
		return false
	}
	if value == record.Cut(*c.New) {
		return true
	}
	var text string
	return json.Unmarshal([]byte(*c.New), &text) == nil && record.Cut(text) == value
}

// events are those of a parameter, by whichever name.
func events(c choose.Change, o *run.Outcome, verb record.Verb) []record.Event {
	var out []record.Event
	if c.Class == nil {
		return nil
	}
	if verb == record.Read && len(c.Leaves) > 0 {
		return ofItems(c, o)
	}
	for _, e := range o.Events {
		if e.Verb == verb && (verb != record.Set || e.At == record.Test) && slices.Contains(c.Class.Identities(), e.Subject) {
			out = append(out, e)
		}
	}
	return out
}

// arrived tells whether the new value of a change came to a process: a store had it for its key, or a field was given
// it. Else a field of a store has what the program has by default.
func arrived(c choose.Change, o *run.Outcome) bool {
	return slices.ContainsFunc(o.Events, func(e record.Event) bool {
		return slices.Contains(c.IDs, e.Subject) && (e.Verb == record.Read && e.Subject.Kind() != parameter.Field && tells(c, e.Value) || e.Verb == record.Gave && e.At == "")
	})
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
