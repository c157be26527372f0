package configtest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/finding"
)

// byHand runs tests that write a word, a number or a time by hand into a configuration, or into what the program makes
// of it, as what is deployed has it, with the new one there: of changes with which no test fails. What fails so is
// found; what passes, or asserts what it has written, has not read what is deployed, and is not told.
func (s *session) byHand(ctx context.Context, m *parameter.Map, out *Outcome, compiled []run.Package) error {
	for i := range out.Changes {
		for _, id := range askedAs(m, out.Changes[i]) {
			if out.Changes[i].Feeds = append(out.Changes[i].Feeds, s.sources.Feeds[id]...); id.Kind() == parameter.Field {
				out.Changes[i].Through = append(out.Changes[i].Through, s.sources.Feeds[id]...)
			}
		}
		out.Changes[i].GoType = facts(s.sources.Facts).about(out.Changes[i], nil, nil).Type
	}
	out.mean()
	chosen := choose.Same(m, out.Changes, out.unhurt())
	if len(chosen) == 0 || ctx.Err() != nil {
		return s.others(ctx, m, out, compiled)
	}
	if err := s.compileOthers(ctx, chosen, compiled); err != nil {
		return err
	}
	tests, err := s.judged(ctx, chosen, slices.Concat(out.Changes, out.Around), out.seen())
	nothing, unwritten := out.vital(tests), once(len(out.Changes), func(i int) bool { return s.unwritten(out.Changes[i]) })
	for _, t := range tests {
		// Of a word that is far from all that the program compares it with, a test that has its own may well be about
		// that, unless it says which there are, or has that nowhere.
		broken := func(c judge.Culprit) bool {
			return c.Far || c.Alike || c.Nothing && nothing[c.Changes[0]] || unknown(c) && (c.Like != "" || !slices.Contains(t.Sets, c.Changes[0]) || s.unlisted(out.Changes[c.Changes[0]]) || unwritten(c.Changes[0]))
		}
		if t != nil {
			out.doubt(t, broken, unwritten)
		}
		if t != nil && slices.ContainsFunc(t.Culprits, broken) {
			t.Culprits = slices.DeleteFunc(t.Culprits, func(c judge.Culprit) bool { return !broken(c) })
			out.Tests = append(out.Tests, t)
		}
	}
	if err != nil {
		return err
	}
	return s.others(ctx, m, out, compiled)
}

// unlisted tells whether a value is none of the words that the program says it may be, as the old one is.
func (s *session) unlisted(c choose.Change) bool {
	if c.Old == nil || c.New == nil || c.Class == nil {
		return false
	}
	about := facts(s.sources.Facts).about(c, nil, nil)
	return slices.ContainsFunc([][]string{about.Members, about.Words, about.Listed}, func(words []string) bool { return value.Unknown(*c.Old, *c.New, words) })
}

// unwritten tells whether a new value is a word that is written nowhere in the module, as far as that is about the old
// one.
func (s *session) unwritten(c choose.Change) bool {
	beside := ""
	if c.Old != nil && value.Word(value.Bare(*c.Old)) {
		beside = *c.Old
	}
	return c.New != nil && value.Word(value.Bare(*c.New)) && s.code.Unwritten(*c.New, beside)
}

// seen are the places at which tests were seen to read each change.
func (o *Outcome) seen() [][]string {
	out := make([][]string, len(o.Changes)+len(o.Around))
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		for i, at := range t.At {
			out[i] = append(out[i], at...)
		}
	}
	return out
}

// vital are the changes to nothing with which a test fails that has the old value written by hand, and with less of it
// passes. Of what may well be turned off so, as retries, two have to fail at least, and more than pass of those that
// come to the same places with it: it is no part of the program that is turned off.
func (o *Outcome) vital(tests []*judge.Judged) map[int]bool {
	fail, at, out := map[int]int{}, map[int][]string{}, map[int]bool{}
	for _, t := range tests {
		if t == nil {
			continue
		}
		for _, c := range t.Culprits {
			if i := c.Changes[0]; c.Nothing {
				if fail[i]++; fail[i] == 1 {
					at[i] = c.At
				}
				at[i] = slices.DeleteFunc(slices.Clone(at[i]), func(place string) bool { return !slices.Contains(c.At, place) })
			}
		}
	}
	for i, n := range fail {
		pass := 0
		for _, t := range tests {
			if t != nil && slices.ContainsFunc(t.At[i], func(place string) bool { return slices.Contains(at[i], place) }) {
				pass++
			}
		}
		out[i] = n > 1 && n > pass || i < len(o.Changes) && !value.Dispensable(o.Changes[i].Path)
	}
	return out
}

// others runs tests that write another number by hand than is deployed with that, and with the new one, of changes with
// which no test fails so far.
func (s *session) others(ctx context.Context, m *parameter.Map, out *Outcome, compiled []run.Package) error {
	chosen := choose.Other(m, out.Changes, out.unhurt())
	if len(chosen) == 0 || ctx.Err() != nil {
		return nil
	}
	if err := s.compileOthers(ctx, chosen, compiled); err != nil {
		return err
	}
	tests, err := s.judged(ctx, chosen, slices.Concat(out.Changes, out.Around), out.seen())
	nothing := out.vital(tests)
	for _, t := range tests {
		if t == nil {
			continue
		}
		if t.Culprits = slices.DeleteFunc(t.Culprits, func(c judge.Culprit) bool { return !c.Far && !(c.Nothing && nothing[c.Changes[0]]) }); len(t.Culprits) > 0 {
			out.Tests = append(out.Tests, t)
		}
	}
	return err
}

// doubt notes tests that fail with a change in the place of a value of their own, of which it is not known whether they
// are about that. unwritten are words that are written nowhere in the module.
func (o *Outcome) doubt(t *judge.Judged, known func(judge.Culprit) bool, unwritten func(int) bool) {
	for _, c := range t.Culprits {
		if known(c) || len(c.Changes) != 1 || c.Changes[0] >= len(o.Changes) {
			continue
		}
		if o.doubts == nil {
			o.doubts = map[int][]doubt{}
		}
		d := doubt{test: testName(t), says: judge.Says(c.Outcome), unwritten: unwritten(c.Changes[0])}
		if c.Likely {
			d.passes = c.Tried
		}
		o.doubts[c.Changes[0]] = append(o.doubts[c.Changes[0]], d)
	}
}

// doubt is a test, and what it says. passes are values on both sides of the old one with which it passes; none if there
// are none. unwritten: the new value is a word that is written nowhere in the module.
type doubt struct {
	test, says string
	passes     []string
	unwritten  bool
}

// likely are the tests that fail with a change in the place of a value of their own, and pass with others on both sides
// of that, and these; none if there are none.
func (o *Outcome) likely(i int) (tests, passes []string) {
	for _, d := range o.doubts[i] {
		if len(d.passes) > 0 {
			tests, passes = append(tests, d.test), d.passes
		}
	}
	return tests, passes
}

// unheard are the tests that fail with a word in the place of one of their own which is written nowhere in the module.
func (o *Outcome) unheard(i int) (tests []string) {
	for _, d := range o.doubts[i] {
		if d.unwritten {
			tests = append(tests, d.test)
		}
	}
	return tests
}

// doubtful are warnings of what is only seen of tests that have a value of their own, in the order of the changes.
func (o *Outcome) doubtful() (out []finding.Warning) {
	unhurt := o.unhurt()
	for i, c := range o.Changes {
		if !slices.Contains(unhurt, i) {
			continue
		}
		var tests []string
		for _, d := range o.doubts[i] {
			tests = append(tests, d.test)
		}
		if len(tests) == 0 {
			continue
		}
		fail := "fails with the new value in the place of its own, and may be about that"
		if len(tests) > 1 {
			fail = "fail with the new value in the place of their own, and may be about that"
		}
		out = append(out, finding.Warning{Message: fmt.Sprintf("%s: %s %s: %s", c.Path, some(tests), fail, o.masked(o.doubts[i][0].says))})
	}
	return out
}

// mean notes what the program makes of new values that are numbers of another form than before, as tests have read
// them, and in which unit it counts numbers without one.
func (o *Outcome) mean() {
	for i := range o.Changes {
		c := &o.Changes[i]
		if c.Old == nil || c.New == nil {
			continue
		}
		for _, t := range o.Tests {
			if t == nil {
				continue
			}
			p, is := t.Proofs[i]
			if !is {
				p, is = t.Copied[i]
			}
			if is && meanAs(c, p) {
				break
			}
		}
	}
}

// meanAs notes what a read shows of what the program makes of a change; false if that is nothing.
func meanAs(c *choose.Change, p judge.Proof) bool {
	if _, _, are := value.Amounts(*c.Old, *c.New); are {
		unit, is := value.UnitRead(*c.Old, p.Was, *c.New, p.Value)
		if is {
			c.Unit = unit
		}
		return is
	}
	if _, _, are := value.Amounts(*c.Old, p.Value); are {
		c.Means = &p.Value
		return true
	}
	meant, is := value.InProportion(*c.Old, p.Was, p.Value)
	if is {
		c.Means = &meant
	}
	return is
}

// askedAs are what a change may be called where the program puts it somewhere: the names of its parameter. Of what
// nobody is known to read it is the text that the program asks for, or, of a variable, the flag of that name.
func askedAs(m *parameter.Map, c choose.Change) []parameter.ID {
	class := c.Class
	if class == nil && c.Kind == change.Env {
		class = flagOf(m, c.Path)
	}
	if class == nil {
		return []parameter.ID{parameter.Asked(c.Path)}
	}
	ids := class.Identities()
	for _, l := range c.Leaves {
		ids = append(ids, l.IDs...)
	}
	return ids
}

// flagOf is the flag whose name a variable has behind its prefix, as programs call them that take both: --max-size of
// APP_MAX_SIZE. The longest counts, and one word is none; nil if there is none.
func flagOf(m *parameter.Map, variable string) (of *parameter.Class) {
	longest := ""
	for i, p := range m.Parameters {
		for _, id := range p.Identities() {
			name := strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(id.Name(), "--"), "-", "_"))
			if id.Kind() == parameter.Flag && strings.Contains(name, "_") && strings.HasSuffix(variable, "_"+name) && len(name) > len(longest) {
				longest, of = name, &m.Parameters[i]
			}
		}
	}
	return of
}

// unknown tells whether a test fails with a word that the program does not know. Of one that it knows, the test may
// well be about the other.
func unknown(c judge.Culprit) bool { return c.Foreign && !c.HardCoded }

// takeBack takes back that tests fail with what they set a variable, a flag or a key to as it is deployed, where the
// new value is another word that the program may know. wholly are tests that have a copy of most of what is deployed:
// what they set is nothing that they are about.
func (o *Outcome) takeBack(wholly func(choose.Test, int) bool) {
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		t.Culprits = slices.DeleteFunc(t.Culprits, func(c judge.Culprit) bool {
			if unknown(c) || !slices.ContainsFunc(c.Changes, func(i int) bool {
				return i < len(o.Changes) && slices.Contains(t.Sets, i) && o.Changes[i].Copied() && !o.Changes[i].Reformed() && !wholly(t.Test, i)
			}) {
				return false
			}
			t.Own = append(t.Own, c.Changes...)
			return true
		})
	}
}

// compileOthers compiles the packages of tests that are not compiled.
func (s *session) compileOthers(ctx context.Context, of []choose.Test, compiled []run.Package) error {
	packages := slices.DeleteFunc(s.with(of), func(p run.Package) bool {
		return slices.ContainsFunc(compiled, func(o run.Package) bool { return o.Name == p.Name })
	})
	if len(packages) == 0 {
		return nil
	}
	return s.compile(ctx, packages)
}

// unhurt are the changes with which no test fails, but for what is hard-coded.
func (o *Outcome) unhurt() (out []int) {
	for i := range o.Changes {
		if !slices.ContainsFunc(o.Tests, func(t *judge.Judged) bool {
			return t != nil && slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return !c.HardCoded && slices.Contains(c.Changes, i) })
		}) {
			out = append(out, i)
		}
	}
	return out
}
