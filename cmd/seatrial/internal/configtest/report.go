package configtest

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/finding"
)

// Report is the outcome for all formats. folder is where the module is, for places in its code.
func (o *Outcome) Report(folder string) *finding.Report {
	r := &finding.Report{Tool: "seatrial", Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}, Interrupted: o.Interrupted, All: true}
	verdicts := []finding.Verdict{finding.Holds}
	lost := o.lost()
	for _, g := range o.groups() {
		if !slices.ContainsFunc(g.changes, func(i int) bool { return lost[i] }) || slices.ContainsFunc(g.changes, func(i int) bool { return !lost[i] }) {
			r.Results = append(r.Results, o.violation(g, folder))
		}
	}
	for i, c := range o.Changes {
		if lost[i] || slices.ContainsFunc(o.groups(), func(g group) bool { return slices.Contains(g.changes, i) }) {
			continue
		}
		if other := o.elsewhere[i]; other != "" {
			r.Assumptions = append(r.Assumptions, fmt.Sprintf("%s is for %s: no code here is known that reads it", c.Path, other))
			continue
		}
		if all := o.misspelt(i); len(all) > 0 {
			if all[0] == i {
				r.Results = append(r.Results, o.misspelling(all))
			}
			continue
		}
		r.Results = append(r.Results, o.unbroken(i, folder))
	}
	if o.start != nil {
		var all []finding.Cause
		for _, c := range o.Changes {
			all = append(all, causeOf(c))
		}
		result := o.start.result(all)
		result.Message, result.Reason = o.masked(result.Message), o.masked(result.Reason)
		r.Results = append(r.Results, result)
	}
	for _, result := range r.Results {
		verdicts = append(verdicts, result.Verdict)
	}
	r.Verdict = finding.Combine(verdicts...)
	r.Bound = finding.Bound{Text: o.bound(), Complete: !o.Interrupted}
	o.notes(r)
	switch {
	case o.Interrupted && r.Verdict == finding.Violated:
		r.Doubt = "interrupted: not all tests were run"
	case o.Interrupted:
		r.Verdict, r.Reason = finding.Inconclusive, "interrupted: not all tests were run"
	case r.Verdict == finding.Inconclusive:
		r.Reason = "not every change was seen to be read by a test that passes"
	}
	return r
}

// ran are the tests that were run, with the old values at least.
func (o *Outcome) ran() int {
	tests := map[string]bool{}
	for _, t := range o.Tests {
		if t != nil && t.Runs() {
			tests[t.Package+" "+t.Name] = true
		}
	}
	return len(tests)
}

func (o *Outcome) bound() string {
	if len(o.Changes) == 0 && o.Interrupted {
		return "no test was run"
	}
	if len(o.Changes) == 0 {
		return "nothing differs between the two versions"
	}
	return fmt.Sprintf("%s, %d of %d tests run", counted(len(o.Changes), "change"), o.ran(), o.All)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// value is what was read, unless it is a secret. A collection may have one in it that does not change.
func (o *Outcome) value(i int, p judge.Proof) string {
	if secret(o.Changes[i]) {
		return ""
	}
	return ": " + strconv.Quote(o.masked(p.Value))
}

// masked is what a program says, without the secrets that it was given.
func (o *Outcome) masked(text string) string {
	if o.mask == nil {
		all := slices.Clone(o.secrets)
		for _, c := range slices.Concat(o.Changes, o.Around) {
			for _, part := range append(slices.Clone(c.Parts), c.Change) {
				for _, v := range []*change.Value{part.Old, part.New} {
					if hidden(part) && v != nil && (!c.Unchanged || v.Credible()) { // of workers for a Secret, 2 is none
						all = append(all, *v)
					}
				}
			}
		}
		o.mask = change.NewMask(all)
	}
	return o.mask.Of(text)
}

// secret tells whether a change has a secret in it: it may be of several parts of a collection.
func secret(c choose.Change) bool { return hidden(c.Change) || slices.ContainsFunc(c.Parts, hidden) }

func hidden(c change.Change) bool {
	return c.Old != nil && c.Old.Secret || c.New != nil && c.New.Secret
}

func shown(c choose.Change, after bool) string {
	v := c.Change.Old
	if after {
		v = c.Change.New
	}
	if v == nil {
		return "not set"
	}
	text := strings.Join(strings.Fields(v.String()), " ")
	old, now := c.Change.Old, c.Change.New
	if c.Unchanged || old == nil || now == nil || v.Secret || old.String() != now.String() {
		return text
	}
	switch {
	case v.Type == change.Text && v.Spelt() == "":
		return strconv.Quote(text) // the other one is no text, or may be none
	case v.Type == change.List:
		return cmp.Or(v.Spelt(), text) // texts in one of them are none in the other, or may be none
	}
	return text
}

// place is a location in the source of the module.
func place(folder, at string) finding.Location {
	file, line, _ := strings.Cut(at, ":")
	n, _ := strconv.Atoi(line)
	if !filepath.IsAbs(file) {
		file = filepath.ToSlash(filepath.Join(folder, file))
	}
	return finding.Location{File: file, Line: n}
}

func testName(t *judge.Judged) string {
	if t.Package == "." || t.Package == "" {
		return t.Name
	}
	return t.Package + "." + t.Name
}

// skips says of a test that passes with the old values only why it does not fail with the new ones.
func skips(t *judge.Judged) string {
	if t.Skips {
		return " (it is skipped then, or its process ends before it)"
	}
	return ""
}

// strange says of a new value that it is a word which the code is not known to know; empty of others.
func (o *Outcome) strange(i int) string {
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		like, is := t.Strange[i]
		if !is {
			continue
		}
		says := "the code compares it with other words, and not with this one, which is written nowhere in the module"
		if like != "" {
			says += ": it knows " + o.masked(like)
		}
		return says
	}
	return ""
}

// unbroken is a change that breaks no test, as a result: one that a test was seen to read and passes with holds.
func (o *Outcome) unbroken(i int, folder string) finding.Result {
	c := o.Changes[i]
	of := rule.Named("passes")
	out := finding.Result{
		Rule: of.ID, Name: of.Name, Subject: c.Path, Verdict: finding.Inconclusive,
		Causes: []finding.Cause{causeOf(c)},
	}
	var sets, unproved, hard, doubted, excluded, silent []string
	proved, minds, copied := 0, "", ""
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		proof, is := t.Proofs[i]
		if is && proof.Minds != "" && !secret(c) {
			minds = fmt.Sprintf("; with %s it fails", o.masked(proof.Minds))
		}
		switch {
		case is && anotherWay(c, proof):
			silent = append(silent, testName(t))
		case is:
			proved++
		case slices.Contains(t.Silent, i):
			silent = append(silent, testName(t))
		case slices.Contains(t.Own, i), slices.Contains(t.Sets, i) && (!slices.Contains(t.Reads, i) || slices.Contains(t.Unproved, i)):
			sets = append(sets, testName(t))
		case !slices.Contains(t.Reads, i) && !slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return c.HardCoded && slices.Contains(c.Changes, i) }):
		case t.Excluded != "":
			excluded = append(excluded, testName(t)+": "+o.masked(t.Excluded))
		case slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return c.HardCoded && slices.Contains(c.Changes, i) }):
			hard = append(hard, testName(t))
			if tried := t.Culprits[slices.IndexFunc(t.Culprits, func(c judge.Culprit) bool { return slices.Contains(c.Changes, i) })].Tried; len(tried) > 0 && value.MadeUp(c.Old, tried) {
				doubted = append(doubted, testName(t))
			}
		case slices.Contains(t.Unproved, i):
			unproved = append(unproved, testName(t)+skips(t))
			copied = cmp.Or(copied, t.Copied[i].At)
		}
	}
	likely, others := o.likely(i)
	switch {
	case o.dropped(i, folder, &out): // whatever other tests say
	case c.Unknown != "":
		out.Reason = c.Unknown + ": there is no value to try"
		if len(sets) > 0 {
			out.Reason += "; overridden by the test: " + some(sets)
		}
	case len(hard) > 0 && o.isMeant(i):
		out.Reason = "the program says that it is off, or has no bound, with that, and what fails may be about that: " + some(hard)
	case proved > 0 && len(doubted) > proved: // tests that assert a default are few of those that read it
		out.Reason = "it may be refused: with it fail, as with texts that are made up, " + some(doubted) + "; " + counted(proved, "test") + " passed"
	case proved > 0 && len(hard) > 0 && inAnotherUnit(c):
		out.Reason = "it looks like the old value in another unit; with it fail, as with every other value, " + some(hard) + ", which may well be about that; " + counted(proved, "test") + " passed"
	case proved > 0 && len(likely) > 0:
		out.Reason = "in the place of the old value, which they have written by hand, it breaks " + some(likely) + ", not so " + o.masked(strings.Join(asTexts(others), ", ")) + ": that may be about their own values; " + counted(proved, "test") + " passed"
	case (proved > 0 || copied != "") && value.AnotherForm(c.Old, c.New) && len(c.IDs) > 0 && c.IDs[0].Kind() == parameter.Env:
		out.Reason = "it has another form than before, and nothing refused it: something else may hold; " + counted(max(proved, len(unproved)), "test") + " passed"
	case proved > 0 && len(o.unheard(i)) > 0:
		out.Reason = "it is written nowhere in the module, and in the place of the old value, which they have written by hand, it breaks " + some(o.unheard(i)) + ": something else may hold; " + counted(proved, "test") + " passed"
	case proved > 0 && o.strange(i) != "":
		out.Reason = o.strange(i) + "; something else may hold; " + counted(proved, "test") + " passed"
	case len(silent) > 0:
		out.Reason = "what is read with it is not what it says, and nothing refused it: something else may hold; with it pass: " + some(silent)
	case proved > 0:
		out.Verdict, out.Message = finding.Holds, passing(proved)+minds+o.notRun(i)
	case c.Class == nil && len(unproved) > 0:
		out.Reason = "no code is known that reads it" + o.movedHere(c) + "; tests that open the file pass with it: " + some(unproved)
	case c.Class == nil || c.Strange:
		out.Reason = "no code is known that reads it" + o.movedHere(c)
	case c.UnknownToItems():
		out.Reason = "no code is known that reads it: what is read there has no such key" + o.movedHere(c)
	case len(unproved) > 0 && c.Class.Several:
		out.Reason = "several commands have this flag, and which of them is meant is not known; with it pass: " + some(unproved)
	case len(unproved) > 0 && len(c.Leaves) > 1:
		out.Reason = "not all of the new item was seen to be read: " + some(unproved)
	case len(unproved) > 0 && (copied == "" || len(hard) == 0): // else the tests that use it are hard-coded
		why := cmp.Or(o.overridden(i), "no read of the new value was seen")
		if copied != "" { // it did arrive there
			why = "it is only put into " + copied + ", and was not seen to be used"
		}
		out.Reason = why + ": " + some(unproved)
	case len(hard) > 0:
		out.Reason = "the tests that read it fail with every other value, too (hard-coded): " + some(hard)
	case len(excluded) > 0:
		out.Reason = some(excluded)
	case len(sets) > 0:
		out.Reason = "overridden by the test: " + some(sets)
	case len(o.late[i]) > 0:
		out.Reason = "only goroutines read it whose test is over, which shows nothing: " + some(o.late[i])
	default:
		out.Reason = "not exercised by any test"
	}
	if out.Verdict == finding.Inconclusive && o.notRun(i) != "" {
		out.Reason += o.notRun(i) + " (--all-tests)"
	}
	return out
}

// movedHere says of a key that no code is known to read whose value it has, if that was taken away from one that some
// code reads.
func (o *Outcome) movedHere(c choose.Change) string {
	for _, from := range o.Changes {
		if from.Moved != "" && from.Moved == c.Path && from.In == c.In {
			return ", and it has the value of " + from.Path + " now, which is read"
		}
	}
	return ""
}

// inAnotherUnit tells whether a value seems to be the old one in another unit.
func inAnotherUnit(c choose.Change) bool {
	return c.Old != nil && c.New != nil && value.AnotherUnit(c.Path, *c.Old, c.Meant())
}

// notRun says how many tests that read a change were left out; empty for none.
func (o *Outcome) notRun(i int) string {
	at := slices.IndexFunc(o.Left, func(l choose.Left) bool { return l.Change == i })
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("; %d more that read it were not run", o.Left[at].All-o.Left[at].Run)
}

// some are the first of several.
func some(all []string) string {
	const most = 3
	if len(all) > most {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(", and %d more", len(all)-most)
	}
	return strings.Join(all, ", ")
}

// assertionsOnly is so of every run.
const assertionsOnly = "what tests do not assert is not seen"

// passing is how many tests pass.
func passing(tests int) string {
	if tests > 1 {
		return fmt.Sprintf("%d tests pass with it", tests)
	}
	return counted(tests, "test") + " passes with it"
}

// isMeant tells whether the program says of a new value that something is off, or has no bound, with that.
func (o *Outcome) isMeant(i int) bool {
	return slices.ContainsFunc(o.Tests, func(t *judge.Judged) bool {
		return t != nil && slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return c.Meant && slices.Contains(c.Changes, i) })
	})
}

// notes are what there is to know beside the results.
func (o *Outcome) notes(r *finding.Report) {
	for _, p := range o.Problems {
		r.Warnings = append(r.Warnings, finding.Warning{Message: "its tests were not run: " + p})
	}
	for _, says := range o.Untrue {
		r.Warnings = append(r.Warnings, finding.Warning{Message: says})
	}
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		if t.Excluded != "" {
			r.Warnings = append(r.Warnings, finding.Warning{Message: fmt.Sprintf("%s says nothing: %s", testName(t), o.masked(t.Excluded))})
		}
		if t.Skips {
			r.Warnings = append(r.Warnings, finding.Warning{Message: testName(t) + " passes with the old values, and not with the new ones" + skips(t)})
		}
		for _, c := range t.Culprits {
			if c.HardCoded {
				i := c.Changes[0]
				tried := o.masked(strings.Join(c.Tried, ", "))
				if secret(o.Changes[i]) {
					tried = counted(len(c.Tried), "value")
				}
				why := fmt.Sprintf("it fails with every other value of %s (%s)", o.Changes[i].Path, tried)
				if c.Across {
					why = fmt.Sprintf("it fails with less of %s as it does with more (%s)", o.Changes[i].Path, tried)
				}
				if len(c.Tried) == 0 && !c.Meant {
					why = "it asserts what " + o.Changes[i].Path + " is, and nothing else that it runs reads that"
				}
				if c.Meant {
					r.Warnings = append(r.Warnings, finding.Warning{
						Location: o.Changes[i].Location,
						Message:  fmt.Sprintf("%s fails with %s, with which the program says that %s is off, or has no bound, and may be about that: %s", testName(t), o.masked(value.Bare(*o.Changes[i].New)), o.Changes[i].Path, o.masked(judge.Says(c.Outcome))),
					})
					continue
				}
				r.Warnings = append(r.Warnings, finding.Warning{
					Location: o.Changes[i].Location,
					Message:  fmt.Sprintf("%s is hard-coded: %s, so that it says nothing of this one: %s", testName(t), why, o.masked(judge.Says(c.Outcome))),
				})
			}
		}
	}
	r.Warnings = append(r.Warnings, o.doubtful()...)
	r.Assumptions = append(r.Assumptions, assertionsOnly)
	r.Assumptions = append(r.Assumptions, leftOut(o.Changes, o.Left)...)
	r.Assumptions = append(r.Assumptions, o.Notes...)
}

// leftOut says of which parameters not all tests were run that read them.
func leftOut(of []choose.Change, left []choose.Left) (out []string) {
	for _, l := range left {
		places := "one at least for each place at which it is read"
		if !l.Places {
			places = "and not one for each place at which it is read"
		}
		if len(l.Long) > 0 {
			places += "; these are over --test-budget: " + strings.Join(l.Long, ", ")
		}
		out = append(out, fmt.Sprintf("of %d tests that read %s %d were run, %s: --all-tests runs all", l.All, of[l.Change].Path, l.Run, places))
	}
	return out
}
