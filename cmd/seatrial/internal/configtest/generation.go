package configtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/finding"
)

// shows is a value that shows something, and of which parameter it is.
type shows struct {
	of    int
	tried *judge.Tried
}

// cause is what values show that has one cause.
type cause struct {
	key    string
	fate   judge.Fate
	values []shows
}

// causes are what is found, in the order of the parameters: valid values with which one thing fails, and invalid ones
// that are taken in one way.
func (g *Generation) causes() []cause {
	var out []cause
	for i, of := range g.Tried {
		if of == nil {
			continue
		}
		for k := range of.Tried {
			t := &of.Tried[k]
			key := ""
			switch t.Fate {
			case judge.Dormant:
				key = t.Cause()
			case judge.Silent:
				key = fmt.Sprintf("%s %s %t", loader(g.Parameters[i].IDs[0].Kind()), of.Sort, t.Replaced)
			default:
				continue
			}
			at := slices.IndexFunc(out, func(c cause) bool { return c.key == key && c.fate == t.Fate })
			if at < 0 {
				at = len(out)
				out = append(out, cause{key, t.Fate, nil})
			}
			out[at].values = append(out[at].values, shows{i, t})
		}
	}
	slices.SortStableFunc(out, func(a, b cause) int { return cmp.Compare(a.fate, b.fate) })
	return out
}

// loader is what makes a value of a text: flags and variables are given alike.
func loader(kind parameter.Kind) parameter.Kind {
	if kind == parameter.Flag {
		return parameter.Env
	}
	return kind
}

// Report is what was found for all formats. folder is where the module is, for places in its code.
func (g *Generation) Report(folder string) *finding.Report {
	r := &finding.Report{Tool: "seatrial", Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}, Interrupted: g.Interrupted, All: true}
	verdicts, blamed := []finding.Verdict{finding.Holds}, map[int]bool{}
	for _, c := range g.causes() {
		if c.fate == judge.Dormant {
			r.Results = append(r.Results, g.dormant(c, folder))
		} else {
			r.Results = append(r.Results, g.silent(c, folder))
		}
		for _, v := range c.values {
			blamed[v.of] = true
		}
	}
	for i := range g.Parameters {
		if !blamed[i] {
			r.Results = append(r.Results, g.clean(i))
		}
	}
	for _, result := range r.Results {
		verdicts = append(verdicts, result.Verdict)
	}
	r.Verdict = finding.Combine(verdicts...)
	r.Bound = finding.Bound{Text: g.bound(), Complete: !g.Interrupted}
	g.notes(r, folder)
	switch {
	case g.Interrupted && r.Verdict == finding.Violated:
		r.Doubt = "interrupted: not all values were tried"
	case g.Interrupted:
		r.Verdict, r.Reason = finding.Inconclusive, "interrupted: not all values were tried"
	case r.Verdict == finding.Inconclusive:
		r.Reason = "not every parameter was seen to be read by a test that passes"
	}
	return r
}

func (g *Generation) bound() string {
	values := 0
	for _, of := range g.Tried {
		if of != nil {
			values += len(of.Tried)
		}
	}
	return fmt.Sprintf("%s, %s, %d of %d tests run", counted(len(g.Parameters), "parameter"), counted(values, "value"), g.Tests, g.All)
}

// paths are the parameters of some values, each once.
func (g *Generation) paths(values []shows) (out []string) {
	for _, v := range values {
		if path := g.Parameters[v.of].Path; !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// masked is what a program says, without the secrets of the configuration.
func (g *Generation) masked(text string) string {
	return (&Outcome{Changes: g.Parameters, secrets: g.secrets}).masked(text)
}

func named(t choose.Test) string { return testName(&judge.Judged{Test: t}) }

// dormant is a failure with valid values as a result.
func (g *Generation) dormant(c cause, folder string) finding.Result {
	of, first := rule.Named("valid-values"), c.values[0].tried
	out := finding.Result{
		Rule: of.ID, Name: of.Name, Subject: strings.Join(g.paths(c.values), ", "), Verdict: finding.Violated,
		Message: fmt.Sprintf("with %s = %s %s: %s", g.Parameters[c.values[0].of].Path, g.masked(first.Text), named(first.Test), g.masked(judge.Says(first.Outcome))),
		Causes:  g.lines(c.values),
	}
	out.Causes = append(out.Causes, g.places(c.values, folder)...)
	var more []string
	for _, v := range c.values {
		for _, t := range append([]choose.Test{v.tried.Test}, v.tried.More...) {
			if name := named(t); name != named(first.Test) && !slices.Contains(more, name) {
				more = append(more, name)
			}
		}
	}
	for _, name := range more {
		out.Consequences = append(out.Consequences, name+" fails, too")
	}
	return out
}

// silent is invalid values that are taken as a result.
func (g *Generation) silent(c cause, folder string) finding.Result {
	of, first := rule.Named("refuses"), c.values[0].tried
	how := "nothing refuses it"
	if first.Replaced {
		how = "nothing refuses it, and something else holds"
	}
	out := finding.Result{
		Rule: of.ID, Name: of.Name, Subject: strings.Join(g.paths(c.values), ", "), Verdict: finding.Violated,
		Message: fmt.Sprintf("%s = %s is %s: %s, and %s passes", g.Parameters[c.values[0].of].Path, g.masked(first.Text), first.Says, how, named(first.Test)),
		Causes:  g.lines(c.values),
	}
	out.Causes = append(out.Causes, g.places(c.values, folder)...)
	return out
}

// lines are those of the configuration, with the values that were tried there.
func (g *Generation) lines(values []shows) []finding.Cause {
	var out []finding.Cause
	for _, i := range indexes(values) {
		c := g.Parameters[i]
		var tried []string
		for _, v := range values {
			if v.of == i {
				tried = append(tried, fmt.Sprintf("%s (%s)", g.masked(v.tried.Text), v.tried.Says))
			}
		}
		known := ""
		if c.Change.Old != nil {
			known = shown(c, false) + " → "
		}
		out = append(out, finding.Cause{Location: c.Location, Message: fmt.Sprintf("%s: %s%s", c.Path, known, strings.Join(tried, ", "))})
	}
	return out
}

// places are where the program reads the values, one for each parameter.
func (g *Generation) places(values []shows, folder string) []finding.Cause {
	var out []finding.Cause
	for _, i := range indexes(values) {
		for _, v := range values {
			if p := v.tried.Proof; v.of == i && p.At != "" {
				read := ""
				if !secret(g.Parameters[i]) {
					read = ": " + strconv.Quote(g.masked(p.Value))
				}
				out = append(out, finding.Cause{Location: place(folder, p.At), Message: fmt.Sprintf("%s reads %s here%s", named(v.tried.Test), g.Parameters[i].Path, read)})
				break
			}
		}
	}
	return out
}

func indexes(values []shows) (out []int) {
	for _, v := range values {
		if !slices.Contains(out, v.of) {
			out = append(out, v.of)
		}
	}
	return out
}

// clean is a parameter of which nothing is found as a result.
func (g *Generation) clean(i int) finding.Result {
	c, of := g.Parameters[i], rule.Named("valid-values")
	out := finding.Result{Rule: of.ID, Name: of.Name, Subject: c.Path, Verdict: finding.Inconclusive}
	if c.Location.File != "" {
		out.Causes = []finding.Cause{{Location: c.Location, Message: c.Path + ": " + cmp.Or(shown(c, false), "empty")}}
	}
	tried := g.Tried[i]
	fates := map[judge.Fate]int{}
	if tried != nil {
		for _, t := range tried.Tried {
			fates[t.Fate]++
		}
	}
	switch {
	case c.Unknown != "":
		out.Reason = c.Unknown + ": there is no value to start from"
	case c.Class == nil:
		out.Reason = "no code is known that reads it"
	case tried == nil:
		out.Reason = "it had no turn"
	case tried.Tests == 0 && len(g.set[i]) > 0:
		out.Reason = "overridden by the test: " + some(g.set[i])
	case tried.Tests == 0:
		out.Reason = "not exercised by any test"
	case fates[judge.Passes]+fates[judge.Refused] > 0:
		out.Verdict, out.Message = finding.Holds, fmt.Sprintf("%s refused, %d taken, and tests pass", counted(fates[judge.Refused], "value"), fates[judge.Passes])
	case len(tried.HardCoded) == tried.Tests:
		out.Reason = "the tests that read it fail with every other valid value (hard-coded): " + some(names(tried.HardCoded))
	default:
		out.Reason = "no read of a value was seen in a test that passes"
	}
	return out
}

func names(all []choose.Test) (out []string) {
	for _, t := range all {
		out = append(out, named(t))
	}
	return out
}

// notes are what there is to know beside the results.
func (g *Generation) notes(r *finding.Report, folder string) {
	for _, p := range g.Problems {
		r.Warnings = append(r.Warnings, finding.Warning{Message: "its tests were not run: " + p})
	}
	for _, name := range slices.Sorted(maps.Keys(g.Excluded)) {
		r.Warnings = append(r.Warnings, finding.Warning{Message: fmt.Sprintf("%s says nothing: %s", strings.TrimLeft(name, "."), g.masked(g.Excluded[name]))})
	}
	for i, of := range g.Tried {
		if of == nil {
			continue
		}
		c := g.Parameters[i]
		if len(of.HardCoded) > 0 {
			r.Warnings = append(r.Warnings, finding.Warning{Location: c.Location, Message: fmt.Sprintf("%s: with every other valid value fails %s, which says nothing of it then", c.Path, some(names(of.HardCoded)))})
		}
		var doubts []string
		for _, t := range of.Tried {
			if t.Fate == judge.Doubtful && t.Kind != value.Valid {
				doubts = append(doubts, fmt.Sprintf("%s (%s): %s", g.masked(t.Text), t.Says, named(t.Test)))
			}
		}
		if len(doubts) > 0 {
			r.Warnings = append(r.Warnings, finding.Warning{Location: c.Location, Message: fmt.Sprintf("%s: tests fail with values that may not be meant: %s", c.Path, some(doubts))})
		}
	}
	for _, at := range g.Unchecked {
		r.Warnings = append(r.Warnings, finding.Warning{Location: place(folder, at), Message: "no test that was run calls this validation: what it refuses is not seen"})
	}
	r.Assumptions = append(r.Assumptions, assertionsOnly)
	r.Assumptions = append(r.Assumptions, leftOut(g.Parameters, g.Left)...)
	r.Assumptions = append(r.Assumptions, g.Notes...)
}
