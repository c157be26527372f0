package configtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/finding"
)

// group is tests that fail with the same changes, and by the same rule.
type group struct {
	changes []int
	rule    string
	tests   []*judge.Judged
	first   *judge.Culprit
}

// groups are what breaks tests, in the order of the changes.
func (o *Outcome) groups() []group {
	var out []group
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		for i := range t.Culprits {
			c := &t.Culprits[i]
			if c.HardCoded {
				continue
			}
			name := ruleOf(c)
			at := slices.IndexFunc(out, func(g group) bool { return g.rule == name && slices.Equal(g.changes, c.Changes) })
			if at < 0 {
				at = len(out)
				out = append(out, group{c.Changes, name, nil, c})
			}
			out[at].tests = append(out[at].tests, t)
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Or(slices.Compare(a.changes, b.changes), cmp.Compare(a.rule, b.rule)) })
	return out
}

// ruleOf is the rule that a failure breaks, by how the test ended.
func ruleOf(c *judge.Culprit) string {
	for _, e := range c.Outcome.Events {
		if e.Verb == record.Gave && e.At != "" {
			return "accepted" // whoever loads it said why not
		}
	}
	switch c.Outcome.Ending {
	case run.Panicked:
		return "no-panic"
	case run.TimedOut:
		return "ends"
	case run.Exited:
		return "accepted"
	}
	return "passes"
}

// violation is a group as a result.
func (o *Outcome) violation(g group, folder string) finding.Result {
	of := rule.Named(g.rule)
	var subjects []string
	for _, i := range g.changes {
		subjects = append(subjects, o.Changes[i].Path)
	}
	first := g.tests[0]
	out := finding.Result{
		Rule: of.ID, Name: of.Name, Subject: strings.Join(subjects, ", "), Verdict: finding.Violated,
		Message: fmt.Sprintf("%s: %s", testName(first), o.masked(judge.Says(g.first.Outcome))),
	}
	for _, i := range g.changes {
		out.Causes = append(out.Causes, causeOf(o.Changes[i]))
	}
	for i, c := range o.Changes {
		if slices.ContainsFunc(g.changes, func(by int) bool { return c.Lost(o.Changes[by]) }) && !slices.Contains(g.changes, i) {
			out.Causes = append(out.Causes, causeOf(c))
		}
	}
	for _, i := range g.changes {
		if p, is := g.first.Proofs[i]; is && p.At != "" {
			out.Causes = append(out.Causes, finding.Cause{Location: place(folder, p.At), Message: fmt.Sprintf("%s reads %s here%s", testName(first), o.Changes[i].Path, o.value(i, p))})
		}
	}
	for _, e := range g.first.Outcome.Events {
		if e.Verb == record.Gave && e.At != "" && !slices.ContainsFunc(out.Causes, func(c finding.Cause) bool { return c.Message == o.refused(e) }) {
			out.Causes = append(out.Causes, finding.Cause{Message: o.refused(e)})
		}
	}
	for _, c := range g.first.Beside {
		out.Causes = append(out.Causes, finding.Cause{Location: c.Location, Message: fmt.Sprintf("%s: %s does not change; without it the test passes", c.Path, shown(c, true))})
	}
	if len(g.changes) > 1 && first.File == "" { // lines of a file may only change together
		out.Causes = append(out.Causes, finding.Cause{Message: "with any of them as before the test passes"})
	}
	for _, says := range o.instead(g.first, first) {
		out.Causes = append(out.Causes, finding.Cause{Message: says})
	}
	for _, i := range g.changes {
		if c := o.Changes[i].Class; c != nil && c.Several {
			out.Causes = append(out.Causes, finding.Cause{Message: "several commands have the flag " + o.Changes[i].Path + ": look whether this code is of the one that is configured"})
		}
	}
	if g.first.Few {
		out.Causes = append(out.Causes, finding.Cause{Message: "it fails with texts that are made up, too, and has the old value nowhere: the program takes few values"})
	}
	switch {
	case g.first.Passes != "" && !secret(o.Changes[g.changes[0]]):
		out.Causes = append(out.Causes, finding.Cause{Message: fmt.Sprintf("it passes with %s, and fails with %s as well: some values do not go", o.masked(g.first.Passes), o.masked(g.first.FailsToo))})
	case g.first.Foreign:
		says := "the code compares it with other words, and not with this one"
		if g.first.Like != "" {
			says += ": it knows " + g.first.Like
		}
		out.Causes = append(out.Causes, finding.Cause{Message: says})
	case g.first.Alike:
		out.Causes = append(out.Causes, finding.Cause{Message: "both values look the same: " + value.Likeness(*o.Changes[g.changes[0]].Old, *o.Changes[g.changes[0]].New)})
	case len(g.changes) == 1 && o.Changes[g.changes[0]].Moved != "":
		out.Causes = append(out.Causes, finding.Cause{Message: o.movedTo(o.Changes[g.changes[0]]) + ", which no code is known to read"})
	case g.rule != "accepted" && len(g.changes) == 1 && len(g.first.Tried) == 0 && !g.first.Far:
		out.Causes = append(out.Causes, finding.Cause{Message: "no other value was tried: whether the test fails with each is not known"})
	}
	for _, t := range g.tests[1:] {
		out.Consequences = append(out.Consequences, testName(t)+" fails, too")
	}
	return out
}

// movedTo says where the value of a change is now.
func (o *Outcome) movedTo(c choose.Change) string {
	for _, to := range o.Changes {
		if to.Misspelt != nil && to.Path == c.Moved && to.In == c.In {
			return to.Path + " is given in its place"
		}
	}
	return "its value is at " + c.Moved + " now"
}

// asTexts are values as they are without JSON.
func asTexts(values []string) (out []string) {
	for _, v := range values {
		out = append(out, value.Bare(v))
	}
	return out
}

// refused is what is said by what loads a value, and does not take it.
func (o *Outcome) refused(e record.Event) string { return "what loads it says: " + o.masked(e.At) }

// causeOf is the line of a change.
func causeOf(c choose.Change) finding.Cause {
	old, now := unlike(shown(c, false), shown(c, true))
	return finding.Cause{Location: c.Location, Message: fmt.Sprintf("%s: %s → %s", c.Path, old, now)}
}

// unlike are two long texts without most of what they have in common at their beginnings and ends: a line of a report
// has no room for them.
func unlike(a, b string) (string, string) {
	const long, around = 60, 10
	x, y := []rune(a), []rune(b)
	if len(x)+len(y) <= long {
		return a, b
	}
	begin := 0
	for begin < min(len(x), len(y)) && x[begin] == y[begin] {
		begin++
	}
	end := 0
	for end < min(len(x), len(y))-begin && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	part := func(all []rune) string {
		from, to, before, behind := max(0, begin-around), min(len(all), len(all)-end+around), "…", "…"
		if from <= 1 {
			from, before = 0, ""
		}
		if to >= len(all)-1 {
			to, behind = len(all), ""
		}
		return before + string(all[from:to]) + behind
	}
	return part(x), part(y)
}

// instead are what a test has of its own, in the place of which it was run with what is deployed, and how that was told
// from what it asserts; nothing of one that reads what is deployed.
func (o *Outcome) instead(c *judge.Culprit, t *judge.Judged) []string {
	switch {
	case c.Document:
		return []string{testName(t) + " has a document of its own: it was run with all that is deployed in its place, and says this of the new version only"}
	case !t.Same:
		return nil
	}
	out := []string{testName(t) + " has a value for it written in it, or in a file of its own: it was run with the one that is deployed there, and with the new one"}
	if (c.Far || c.Nothing) && len(c.Tried) > 0 {
		passes := "it passes with "
		if c.Further {
			passes = "it does not say this with "
		}
		out = append(out, passes+o.masked(strings.Join(asTexts(c.Tried), ", and with "))+" there")
	}
	switch {
	case c.Crossed.Value == "":
	case c.Crossed.Path == "":
		out = append(out, "and not beyond "+c.Crossed.Value)
	default:
		out = append(out, fmt.Sprintf("and not beyond %s, which is %s: both do not go together", c.Crossed.Path, o.masked(c.Crossed.Value)))
	}
	return out
}
