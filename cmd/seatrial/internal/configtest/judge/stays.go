package judge

import (
	"slices"
	"strconv"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// stays looks for new values in whose place the program has put what it has without any, which is what the old one
// says: a number, a time or a truth for which the new one cannot stand, or the next one of its form is read the same.
// So is a text that stands for nothing. That the test reads what it is given is seen with another value.
func (j *judging) stays(out *Judged, left []int, after *run.Outcome) error {
	if j.bench.Others == nil || after.Ending != run.Passed {
		return nil
	}
	for _, i := range out.Unproved {
		read, is := j.unmoved(i, after)
		if !is || !slices.Contains(left, i) || j.mayKnow(i) {
			continue
		}
		is, err := j.falls(left, i, read)
		if err == nil && is {
			is, err = j.moves(left, i, read, after)
		}
		if err != nil {
			return err
		}
		if is {
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
	if c.Old == nil || c.New == nil || c.Class == nil || c.Class.Several || nothing(value.Bare(*c.New)) || len(events(c, after, record.Set)) > 0 {
		return record.Event{}, false
	}
	now := valuesOf(c, after)
	if !slices.Equal(valuesOf(c, j.before), now) || slices.ContainsFunc(now, func(v string) bool { return tells(c, v) }) {
		return record.Event{}, false
	}
	for _, e := range events(c, after, record.Read) {
		if value.Scalar(e.Value) && says(value.Bare(*c.Old), e.Value) && !value.Alike(*c.Old, *c.New) {
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

// falls tells whether a test reads the same without the new value, and with one that says nothing: a text in the place
// of a number, and the next one of its form where it may stand for what is read. In a file a value is not left out,
// since what stands beside it may need it.
func (j *judging) falls(left []int, i int, read record.Event) (bool, error) {
	c, text := j.changes[i], strangeText
	if c.JSON() {
		text = strconv.Quote(text)
	}
	others := []*string{nil, &text}
	if j.test.File != "" {
		others = others[1:]
	}
	if value.Stands(*c.New, read.Value) {
		sibling := value.Sibling(*c.New)
		if sibling == "" {
			return false, nil
		}
		others = append(others, &sibling)
	}
	for _, other := range others {
		o, err := j.with(left, i, other)
		if err != nil || o.Ending != run.Passed || !slices.Contains(valuesOf(c, o), read.Value) {
			return false, err
		}
	}
	return true, nil
}

// strangeText is one that stands for nothing.
const strangeText = "seatrial-none"

// with runs the test with some changes, and another value for one of them.
func (j *judging) with(left []int, i int, other *string) (*run.Outcome, error) {
	v := j.given(left)
	v[i] = other
	return j.values(v)
}

// strange notes new values that are words which the code is not known to know: it compares the old one with others, and
// they are written nowhere in the module. A program that takes such a word does something else with it than with those
// that it knows, and often what it does without any.
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
