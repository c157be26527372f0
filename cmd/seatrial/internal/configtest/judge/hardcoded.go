package judge

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// sites are where tests were seen to read a change, or a field of a configuration that the program gives it to.
func (j *judging) sites(i int, failed *run.Outcome) []string {
	out := slices.Concat(j.bench.sites[i], reads(j.changes[i], failed))
	for _, e := range failed.Events {
		if e.Verb == record.Read && e.At != "" && slices.ContainsFunc(j.changes[i].Feeds, func(f parameter.Feed) bool { return f.ID == e.Subject }) {
			out = append(out, e.At)
		}
	}
	return out
}

// otherValues are other valid values of a change: of those that there are, as which the test has not read it with the
// old version, as half of a new value may be the default.
func (j *judging) otherValues(i int, failed *run.Outcome) []string {
	all, c := j.bench.Others(j.test, i, j.sites(i, failed)), j.changes[i]
	known := events(c, j.before, record.Read)
	others := slices.DeleteFunc(slices.Clone(all), func(other string) bool {
		c.New = &other
		return slices.ContainsFunc(known, func(e record.Event) bool { return means(c, e.Value) })
	})
	if len(others) == 0 { // a table may have read each
		return all
	}
	return others
}

// hardCoded looks whether the test fails with other valid values of the only culprit. One that what loads it refuses is
// none. Where there are none, as of truths, a test that alone reads it, to say what it expects, is, too.
func (j *judging) hardCoded(c *Culprit, values []string) error {
	if len(values) == 0 && j.bench.Asserted != nil {
		c.HardCoded = j.bench.Asserted(reads(j.changes[c.Changes[0]], c.Outcome))
	}
	taken := 0
	for _, other := range values {
		if c.Tried = append(c.Tried, other); j.failed[other] {
			taken++
			continue
		}
		v := j.given(nil)
		v[c.Changes[0]] = &other
		o, err := j.values(v)
		if err != nil {
			return err
		}
		if !o.Ending.Fails() {
			return j.bothSides(c, values)
		}
		if refusal(j.changes[c.Changes[0]], o) == "" {
			taken++
		}
	}
	c.Few = len(values) > 0 && (taken == 0 || value.MadeUp(j.changes[c.Changes[0]].Old, values)) && j.assertsNothing(c)
	c.HardCoded = c.HardCoded || len(values) > 0 && !c.Few
	return nil
}

// meant tells whether a test fails, and neither by a panic nor by an error of the program, with nothing, or less, of
// what the program says to be off then, or without a bound.
func (j *judging) meant(i int, o *run.Outcome) bool {
	c := j.changes[i]
	return c.New != nil && (c.Old == nil || value.Vanishes(*c.Old, *c.New)) && o.Ending == run.Failed && !j.refusesIt(o) && refusesNow(c, j.before, o) == "" && j.bench.Meant != nil && j.bench.Meant(i)
}

// bothSides looks whether a test that passes with a value next to the old one fails with less and with more of it, as
// it does with the new one, which is neither far more nor far less. It asserts what comes of the default then, as the
// number of batches.
func (j *judging) bothSides(c *Culprit, values []string) error {
	of := j.changes[c.Changes[0]]
	if of.Old == nil || of.New == nil || len(places(c.Outcome)) == 0 { // an example fails at no place
		return nil
	}
	for _, other := range values {
		if !value.Across(*of.Old, *of.New, other) {
			continue
		}
		v := j.given(nil)
		v[c.Changes[0]] = &other
		o, err := j.values(v)
		if err != nil {
			return err
		}
		if o.Ending == run.Failed && c.Outcome.Ending == run.Failed && !elsewhere(c.Outcome, o) && refusal(of, o) == "" {
			passes, err := j.passesBeyond(c, values)
			switch {
			case err != nil:
				return err
			case passes == "":
				c.HardCoded, c.Across, c.Tried = true, true, []string{other}
			default:
				c.Passes, c.FailsToo = passes, other
			}
			return nil
		}
	}
	return nil
}

// passesBeyond is a value that is still further from the old one than the new one is, with which the test passes; empty
// if there is none. What it asserts is no size then that goes with the value: what it tests does not withstand some, as
// a number of workers by which the work cannot be divided.
func (j *judging) passesBeyond(c *Culprit, values []string) (string, error) {
	of := j.changes[c.Changes[0]]
	for _, other := range values {
		if !value.Beyond(*of.Old, *of.New, other) {
			continue
		}
		v := j.given(nil)
		v[c.Changes[0]] = &other
		o, err := j.values(v)
		if err != nil {
			return "", err
		}
		if o.Ending == run.Passed {
			return other, nil
		}
	}
	return "", nil
}

// foreign looks whether the test fails with the words that there are as it does with one that is none of them: code
// that compares with some may take any other one as well, and a test that asserts what is deployed fails with each, at
// one place. Where the program does not take the new value, it fails elsewhere than with those that it takes, or with
// these not at all; or nothing says that there is such a word.
func (j *judging) foreign(c *Culprit, values []string) error {
	for _, other := range values {
		v := j.given(nil)
		v[c.Changes[0]] = &other
		o, err := j.values(v)
		if err != nil {
			return err
		}
		if !o.Ending.Fails() || elsewhere(c.Outcome, o) {
			c.Foreign = true
			return nil
		}
		c.Tried = append(c.Tried, other)
	}
	c.HardCoded = len(values) > 0 && !j.unheard(c)
	c.Foreign = !c.HardCoded
	return nil
}

// unheard tells whether the new value of a change is a word of which nothing in the module says that it is one of those
// that there are, and that goes to no other code, which may know it: it is what the program does with any other text.
func (j *judging) unheard(c *Culprit) bool {
	i := c.Changes[0]
	return j.bench.Unwritten != nil && j.bench.Unwritten(i) && !value.AnyWord(j.changes[i].Path) && j.bench.Away != nil && !j.bench.Away(i, j.sites(i, c.Outcome))
}

// echoes tells whether a test reads a value itself, or says the new one when it fails: it may be about how that is
// written, whatever the program makes of it.
func (j *judging) echoes(i int, o *run.Outcome) bool {
	return word(Says(o), value.Bare(*j.changes[i].New)) || slices.ContainsFunc(reads(j.changes[i], o), func(at string) bool {
		file, _, _ := strings.Cut(at, ":")
		return strings.HasSuffix(file, "_test.go")
	})
}

// isNewCollection tells whether a list or a map is new: that is none of few words, and one that was not there before is
// written nowhere by a test that compares all.
func isNewCollection(c choose.Change) bool {
	return c.Old == nil && c.JSON() && value.Collection(c.New)
}

// assertsNothing tells whether a test that fails with the new value, and with texts that are made up, has the old one
// nowhere: neither in what is written in it nor in what it says, but for what a validation of the program says, which
// may list what there is. It asserts no default then: the program takes few values, and the new one is none of them.
func (j *judging) assertsNothing(c *Culprit) bool {
	i := c.Changes[0]
	if j.bench.Asserts == nil || isNewCollection(j.changes[i]) {
		return false
	}
	var old []string
	if v := j.changes[i].Old; v != nil {
		old = append(old, value.Bare(*v))
	}
	for _, e := range events(j.changes[i], j.before, record.Read) {
		old = append(old, e.Value)
	}
	says := Says(c.Outcome)
	for _, e := range c.Outcome.Events {
		if e.Verb == record.Checked && e.Value != "" {
			begin, _, _ := strings.Cut(e.Value, record.More)
			says = strings.ReplaceAll(says, begin, "")
		}
	}
	texts := slices.DeleteFunc(slices.Clone(old), func(text string) bool { return text == "" })
	if slices.ContainsFunc(texts, func(text string) bool { return word(says, text) }) {
		return false
	}
	if len(texts) < len(old) && !j.refusesIt(c.Outcome) { // an empty text is in any other one
		return false
	}
	return len(old) > 0 && (len(texts) == 0 || !j.bench.Asserts(j.test, texts))
}

// named has what a test fails with hold for hard-coded where the program is said to take few names of a member, as
// those are any: other defaults of the program may have the old one in them, with which no other goes. What the program
// says itself counts.
func (j *judging) named(out *Judged) {
	for i := range out.Culprits {
		if c := &out.Culprits[i]; c.Few && len(c.Changes) == 1 && value.Identity(j.changes[c.Changes[0]].Path) && !j.refusesIt(c.Outcome) {
			c.Few, c.HardCoded = false, true
		}
	}
}

// refusesIt tells whether it is the program that says of a failure what is wrong: it panics, or the test does no more
// there than to hand on an error.
func (j *judging) refusesIt(o *run.Outcome) bool {
	if o.Ending == run.Panicked {
		return true
	}
	return j.bench.HandsOn.error(j.test, o)
}

// error tells whether a test failed where it does no more than to say that there is an error. What is made up the
// program may well not take then.
func (h HandsOn) error(t choose.Test, o *run.Outcome) bool {
	found := assertion.FindStringSubmatch(firstAssertion(o.Output))
	return h != nil && o.Ending == run.Failed && found != nil && h(t, found[1])
}

// word tells whether a text is in another one, and no part of a word there.
func word(in, text string) bool {
	found, err := regexp.MatchString(`(^|\W)`+regexp.QuoteMeta(text)+`(\W|$)`, in)
	return found && err == nil
}
