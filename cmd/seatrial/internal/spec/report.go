package spec

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spec/rule"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/statespace"
)

// about is the rule of each kind of claim, by its name.
var about = map[spec.Kind]string{
	spec.Invariant: "invariant", spec.Deadlock: "no-deadlock", spec.Property: "temporal-property",
	spec.Assertion: "assertion", spec.Evaluation: "defined-value", spec.Assumption: "assumption",
	spec.History: "history",
}

// verdicts are the engine's as reports have them.
var verdicts = map[statespace.Verdict]finding.Verdict{
	statespace.Holds: finding.Holds, statespace.Violated: finding.Violated, statespace.Inconclusive: finding.Inconclusive,
}

// reporter has what the results of a specification need of it.
type reporter struct {
	module string
	// behaviours is where the configuration names those that are checked.
	behaviours syntax.Position
	// sources are the texts that results have to do with, by their names.
	sources map[string]string
}

// reportOf is what was found, for all formats.
func reportOf(s *spec.Spec, found *spec.Result, o Options) *finding.Report {
	out := &finding.Report{Tool: "seatrial", Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: warnings(s), All: o.All}
	p := &reporter{module: s.Name(), behaviours: s.Behaviours(), sources: map[string]string{}}
	assumptions := 0
	for _, c := range found.Claims {
		if c.Kind == spec.Assumption && c.Verdict == statespace.Holds {
			assumptions++
			continue
		}
		out.Results = append(out.Results, p.result(c))
	}
	if found.Stats.Complete && found.Stats.States > 0 && !violated(found, spec.Evaluation) {
		out.Results = append(out.Results, p.holds(spec.Evaluation))
	}
	if assumptions > 0 {
		out.Results = append(out.Results, p.holds(spec.Assumption))
	}
	out.Verdict = verdicts[found.Verdict()]
	out.Bound = bound(s, found)
	if out.Verdict == finding.Inconclusive {
		out.Reason = cmp.Or(out.Bound.Reason, "not everything was decided")
	}
	out.Assumptions = append(out.Assumptions, assumed(s)...)
	out.Warnings = append(append(out.Warnings, neverTaken(found)...), unmet(found)...)
	grown(out, found, o.Coverage)
	out.Quote(func(file string) ([]byte, bool) {
		text, ok := p.sources[file]
		return []byte(text), ok
	})
	return out
}

// grown says how the states became so many, if that was asked for or there were too many, and how often each action was
// taken.
func grown(out *finding.Report, found *spec.Result, all bool) {
	if cut := !found.Stats.Complete && found.Verdict() == statespace.Inconclusive; (all || cut) && len(found.Stats.Sizes) > 0 {
		out.Growth = &finding.Growth{Levels: found.Stats.Sizes, Partial: !found.Stats.Complete}
		for _, v := range found.Values {
			out.Growth.Values = append(out.Growth.Values, finding.ValueCount{Name: v.Variable, Count: v.Values})
		}
	}
	for _, a := range found.Actions {
		if all {
			out.Actions = append(out.Actions, finding.ActionCount{Name: a.Name, Location: location(a.At), Steps: a.Transitions, New: a.States})
		}
	}
}

// assumed is what a verdict rests on that is not checked.
func assumed(s *spec.Spec) (all []string) {
	if names := s.Constraints(); len(names) > 0 {
		all = append(all, "what can only be reached beyond the constraints "+strings.Join(names, ", ")+" is not looked at")
	}
	if names := s.Symmetry(); len(names) > 0 {
		all = append(all, "states that "+strings.Join(names, ", ")+" (SYMMETRY) turns into each other are alike in all that is claimed: one of them is explored")
	}
	return all
}

// violated tells whether a claim of a kind is.
func violated(found *spec.Result, k spec.Kind) bool {
	return slices.ContainsFunc(found.Claims, func(c spec.Claim) bool { return c.Kind == k && c.Verdict == statespace.Violated })
}

// bound is what was explored.
func bound(s *spec.Spec, found *spec.Result) finding.Bound {
	stats, of := found.Stats, s.Name()+" with "+filepath.Base(s.Configuration())
	b := finding.Bound{
		Text:   of + ", " + count(stats.Transitions, "state") + " generated",
		States: stats.States, Transitions: stats.Transitions, Depth: max(stats.Levels-1, 0), Complete: stats.Complete, Reason: stats.Reason,
	}
	switch {
	case found.Observed > 0:
		b.Text = of + ", " + strconv.Itoa(found.Explained) + " of " + count(found.Observed, "observation") + " explained"
	case violated(found, spec.Assumption):
		b.Text, b.Reason = of, "nothing is explored as long as an assumption is false"
	case violated(found, spec.Evaluation), violated(found, spec.Assertion):
		b.Reason = statespace.EndedAtViolation
	case stats.States == 0 && stats.Complete:
		b.Text = of + ", which has no behaviours: assumptions alone"
	}
	return b
}

// neverTaken are warnings of actions that are never possible. The step that PlusCal adds for the end of an algorithm is
// none of them: one that goes on for ever has no end.
func neverTaken(found *spec.Result) (out []finding.Warning) {
	for _, a := range found.NeverTaken {
		if a.Name != "Terminating" {
			out = append(out, finding.Warning{Location: location(a.At), Message: "the action " + a.Name + " is possible in no state that can be reached"})
		}
	}
	return out
}

// unmet are warnings of implications whose antecedents are never true.
func unmet(found *spec.Result) (out []finding.Warning) {
	for _, a := range found.Unmet {
		whole := strings.Join(strings.Fields(a.Whole), " ")
		if len(whole) > wholeMax {
			whole = whole[:strings.LastIndex(whole[:wholeMax], " ")+1] + "…"
		}
		out = append(out, finding.Warning{Location: location(a.At), Message: strings.Join(strings.Fields(a.Text), " ") + " is true in no state that can be reached: " + a.Claim + " says nothing by " + whole})
	}
	return out
}

// wholeMax bounds what is shown of an implication, in bytes.
const wholeMax = 80

// warnings are about the text of a specification.
func warnings(s *spec.Spec) []finding.Warning {
	out := []finding.Warning{}
	for _, w := range s.Warnings() {
		out = append(out, finding.Warning{Location: location(w.At), Message: w.Problem})
	}
	return out
}

func location(at syntax.Position) finding.Location {
	if at.Source == nil {
		return finding.Location{}
	}
	return finding.Location{File: at.Source.Name, Line: at.Line, Column: at.Column}
}

// holds is a claim about the whole specification that nothing was found against.
func (p *reporter) holds(k spec.Kind) finding.Result {
	of := rule.Named(about[k])
	return finding.Result{Rule: of.ID, Name: of.Name, Subject: p.module, Verdict: finding.Holds}
}

// result is one claim.
func (p *reporter) result(c spec.Claim) finding.Result {
	of := rule.Named(about[c.Kind])
	out := finding.Result{Rule: of.ID, Name: of.Name, Subject: p.module, Verdict: verdicts[c.Verdict], Reason: c.Reason, Vacuous: c.Vacuous}
	if c.Kind == spec.Invariant || c.Kind == spec.Property || c.Kind == spec.History && c.Name != "" {
		out.Subject += "!" + c.Name
	}
	if out.Verdict != finding.Violated {
		return out
	}
	out.Reason, out.Message = "", p.message(c)
	at := c.At
	if c.Kind == spec.Deadlock {
		at = p.behaviours
	}
	if at.Source != nil {
		p.sources[at.Source.Name] = at.Source.Text
		out.Causes = []finding.Cause{{Location: location(at), Message: cause(c)}}
	}
	if c.Trace != nil {
		out.Trace = traceOf(c.Trace)
		if c.Unexplained != nil {
			out.Trace.Steps = append(out.Trace.Steps, unexplained(c.Trace, c.Unexplained))
		}
	}
	return out
}

// message says what is wrong.
func (p *reporter) message(c spec.Claim) string {
	switch c.Kind {
	case spec.Assumption:
		return sentence(c.Name)
	case spec.Evaluation:
		return sentence(c.Reason) + after(c.Trace)
	case spec.Assertion:
		return c.Reason + after(c.Trace) // in the words of who asserts
	case spec.Deadlock:
		return "No action is possible" + after(c.Trace)
	case spec.History:
		return sentence(c.Reason) + explained(c.Trace)
	case spec.Property:
		return c.Name + " is false of a behaviour" + ends(c.Trace)
	}
	return c.Name + " is false" + after(c.Trace)
}

// cause says what stands where a claim does.
func cause(c spec.Claim) string {
	switch c.Kind {
	case spec.Evaluation:
		return "this has no value"
	case spec.Assertion:
		return "this is asserted"
	case spec.Assumption:
		return "this is assumed"
	case spec.Deadlock:
		return "a behaviour ends"
	}
	return "this is false"
}

// explained says what the trace of a history is.
func explained(t *spec.Trace) string {
	if t == nil {
		return ""
	}
	return " (the steps explain what came before)"
}

func after(t *spec.Trace) string {
	switch {
	case t == nil:
		return ""
	case len(t.States) == 1:
		return " (in an initial state)"
	}
	return " (after " + count(len(t.States)-1, "step") + ")"
}

func ends(t *spec.Trace) string {
	switch {
	case t == nil || t.Loop < 0:
		return after(t)
	case t.Loop == len(t.States)-1:
		return " that stays in one state for ever" + after(t)
	}
	round := " that goes round for ever"
	if t.Alike {
		round = " that goes round for ever, as the VIEW shows it"
	}
	return round + after(&spec.Trace{States: t.States[:t.Loop+1]})
}

// sentence begins a text with a capital letter, unless it begins with what is quoted or a name.
func sentence(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 || !slices.Contains([]string{"the", "an", "a", "no"}, words[0]) {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
