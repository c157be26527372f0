package judge

import (
	"slices"
	"strconv"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// stays looks for new values in whose place the program has put what it has without any, which is what the old one says: a number, a time or a truth for
// which the new one cannot stand, or the next one of its form is read the same. That the test reads what it is given is seen with another value.
func (j *judging) stays(out *Judged, left []int, after *run.Outcome) error {
	if j.bench.Others == nil || after.Ending != run.Passed {
		return nil
	}
	for _, i := range out.Unproved {
		read, is := j.unmoved(i, after)
		if !is || !slices.Contains(left, i) {
			continue
		}
		if j.test.File == "" { // else what it reads without a change is in another file
			without, err := j.with(left, i, nil)
			if err != nil {
				return err
			}
			if !slices.Contains(valuesOf(j.changes[i], without), read.Value) {
				continue
			}
		}
		moves, err := j.moves(left, i, read, after)
		if err != nil {
			return err
		}
		if moves && value.Stands(*j.changes[i].New, read.Value) {
			if moves, err = j.ignores(left, i, read); err != nil {
				return err
			}
		}
		if moves {
			out.Silent = append(out.Silent, i)
			if out.Dropped == nil {
				out.Dropped = map[int]Proof{}
			}
			out.Dropped[i] = Proof{Value: read.Value, At: read.At}
		}
	}
	out.Unproved = slices.DeleteFunc(out.Unproved, func(i int) bool { _, is := out.Dropped[i]; return is })
	return nil
}

// unmoved is the read of what the old value says, where nothing else is read with the new one.
func (j *judging) unmoved(i int, after *run.Outcome) (record.Event, bool) {
	c := j.changes[i]
	if c.Old == nil || c.New == nil || c.Class == nil || nothing(value.Bare(*c.New)) || len(events(c, after, record.Set)) > 0 {
		return record.Event{}, false
	}
	now := valuesOf(c, after)
	if !slices.Equal(valuesOf(c, j.before), now) || slices.ContainsFunc(now, func(v string) bool { return tells(c, v) }) {
		return record.Event{}, false
	}
	for _, e := range events(c, after, record.Read) {
		if e.Value != "" && value.Stands(*c.Old, e.Value) && says(value.Bare(*c.Old), e.Value) && !value.Alike(*c.Old, *c.New) {
			return e, true
		}
	}
	return record.Event{}, false
}

// moves tells whether the test reads another value where it is given that.
func (j *judging) moves(left []int, i int, read record.Event, after *run.Outcome) (bool, error) {
	const most = 3
	others := j.bench.Others(j.test, i, reads(j.changes[i], after))
	if truth, err := strconv.ParseBool(read.Value); err == nil && len(others) == 0 {
		others = []string{strconv.FormatBool(!truth)}
	}
	for _, other := range others[:min(len(others), most)] {
		o, err := j.with(left, i, &other)
		if err != nil {
			return false, err
		}
		c := j.changes[i]
		c.New = &other
		for _, e := range events(c, o, record.Read) {
			if e.Value != read.Value && e.At == read.At && says(value.Bare(other), e.Value) {
				return true, nil
			}
		}
	}
	return false, nil
}

// ignores tells whether the next value of the form of the new one is read as that is, if there is one.
func (j *judging) ignores(left []int, i int, read record.Event) (bool, error) {
	sibling := value.Sibling(*j.changes[i].New)
	if sibling == "" {
		return false, nil
	}
	o, err := j.with(left, i, &sibling)
	if err != nil {
		return false, err
	}
	return o.Ending == run.Passed && slices.Contains(valuesOf(j.changes[i], o), read.Value), nil
}

// with runs the test with some changes, and another value for one of them.
func (j *judging) with(left []int, i int, other *string) (*run.Outcome, error) {
	v := j.given(left)
	v[i] = other
	return j.values(v)
}

// strange notes new values that are words which the code is not known to know: it compares the old one with others, and they are written nowhere in the module. A program that takes such
// a word does something else with it than with those that it knows, and often what it does without any.
func (j *judging) strange(out *Judged) {
	if j.bench.Unknown == nil || j.bench.Unwritten == nil {
		return
	}
	for i := range out.Proofs {
		if !j.bench.Unwritten(i) {
			continue
		}
		like, unknown, unsure := j.bench.Unknown(i, out.At[i])
		if !unknown || unsure {
			continue
		}
		if out.Strange == nil {
			out.Strange = map[int]string{}
		}
		out.Strange[i] = like
	}
}
