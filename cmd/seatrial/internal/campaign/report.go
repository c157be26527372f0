package campaign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/finding"
)

// Report is the outcome for all formats. name is what the campaign is called, and reproduce
// says how a finding, by its number, is made to happen again; nil if there is no way.
func (o *Outcome) Report(name string, reproduce func(number int) string) *finding.Report {
	r := &finding.Report{Tool: "seatrial", Kubernetes: o.Kubernetes, Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}}
	violated := map[string]bool{}
	for i, f := range o.Findings {
		how := ""
		if reproduce != nil {
			how = reproduce(i)
		}
		r.Results = append(r.Results, o.result(f, how))
		violated[f.Deviations[0].Oracle] = true
	}
	for _, judge := range oracle.All() {
		if !violated[judge.Name] && o.judged(judge) {
			r.Results = append(r.Results, finding.Result{Rule: judge.Rule, Name: judge.Name, Subject: name, Verdict: finding.Holds})
		}
	}
	r.Results = slices.CompactFunc(r.Results, func(a, b finding.Result) bool {
		return a.Verdict == finding.Holds && b.Verdict == finding.Holds && a.Rule == b.Rule
	})
	r.Bound = finding.Bound{Text: o.bound(), Complete: o.Skipped == 0 && !o.Interrupted}
	r.Interrupted = o.Interrupted
	var verdicts []finding.Verdict
	for _, result := range r.Results {
		verdicts = append(verdicts, result.Verdict)
	}
	r.Verdict = finding.Combine(verdicts...)
	o.doubts(r)
	o.notes(r)
	r.Coverage = o.coverage()
	return r
}

// judged tells whether an oracle was asked.
func (o *Outcome) judged(judge oracle.Oracle) bool {
	return o.counts().tried > 0 && !slices.Contains(o.silent, judge.Name)
}

// counts are numbers of operations.
type counts struct{ tried, refused, restless, ineffective int }

func (o *Outcome) counts() counts {
	var c counts
	for _, r := range o.Results {
		for _, s := range r.Steps {
			c.tried++
			switch {
			case s.Refused != "":
				c.refused++
			case !s.Quiet:
				c.restless++
			case !s.Effective:
				c.ineffective++
			}
		}
	}
	return c
}

// deafFrom is how many operations have to come to nothing until that is no chance.
const deafFrom = 5

// deaf is how many operations were taken where the operator has written nothing behind any; 0 where it has, or they are
// few.
func (o *Outcome) deaf() int {
	c := o.counts()
	if n := c.tried - c.refused; n >= deafFrom && c.ineffective == n {
		return n
	}
	return 0
}

// waiting tells whether what is missing may come of it that the operator is not done with the seed, and passes over all
// changes until it is.
func (o *Outcome) waiting(d oracle.Deviation) bool {
	return o.Unfinished != "" && o.deaf() > 0 && needsTwin(d.Oracle)
}

func (o *Outcome) bound() string {
	c := o.counts()
	text := fmt.Sprintf("%d operations in %d runs", c.tried, o.Runs)
	if c.refused > 0 {
		text += fmt.Sprintf(", %d refused by the API server", c.refused)
	}
	if o.Skipped > 0 {
		text += fmt.Sprintf("; %d more were not tried", o.Skipped)
	}
	return text
}

// doubts make a verdict inconclusive that would be one on too little.
func (o *Outcome) doubts(r *finding.Report) {
	c := o.counts()
	reason := ""
	switch {
	case o.Interrupted && o.Skipped == 0:
		reason = "interrupted"
	case o.Interrupted:
		reason = fmt.Sprintf("interrupted: %d operations were not tried", o.Skipped)
	case o.Troubles != nil:
		reason = "not every sequence could be run: " + o.Troubles.Error()
	case c.tried == 0:
		reason = "no operation was tried"
	case c.refused == c.tried:
		reason = "the API server refused every operation"
	case o.idle && c.ineffective == c.tried-c.refused-c.restless:
		reason = "the operator wrote nothing, neither with the seed nor behind any operation"
	case o.deaf() > 0 && r.Verdict != finding.Violated:
		reason = fmt.Sprintf("the operator has written nothing behind any of %d operations: no change of the resource gets to it, or gets through", o.deaf())
		if o.unwell != "" {
			reason += "; with the seed already, " + o.unwell
		}
	case o.waits() > 0 && o.waits() == c.tried-c.refused:
		reason = "the operator waits for what it cannot reach here behind every operation: nothing was compared"
	case o.Skipped > 0 && o.Enough:
		reason = fmt.Sprintf("there were as many findings as were asked for: %d operations were not tried", o.Skipped)
	case o.Skipped > 0:
		reason = fmt.Sprintf("the time was over: %d operations were not tried", o.Skipped)
	default:
		reason = o.noVerdict()
	}
	if n, why := o.unconfirmed(); n > 0 {
		reason = cmp.Or(reason, why, "the time was over")
		reason = fmt.Sprintf("%s seen once and not confirmed: %s", differences(n), reason)
	}
	switch {
	case reason == "":
	case r.Verdict == finding.Violated:
		r.Doubt = reason
	default:
		r.Verdict, r.Reason = finding.Inconclusive, reason
	}
}

// noVerdict says why an oracle of the user gave none, and how often; empty if all did.
func (o *Outcome) noVerdict() string {
	var all []string
	for _, r := range o.Results {
		all = append(all, r.doubts...)
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	return fmt.Sprintf("%s; and %d times more no verdict", all[0], len(all)-1)
}

// unconfirmed counts what was seen and may be chance, and says why it is not known; empty where there was no time to
// see.
func (o *Outcome) unconfirmed() (n int, why string) {
	for _, f := range o.Findings {
		if !f.Confirmed() {
			n, why = n+1, cmp.Or(why, f.doubt)
		}
	}
	return n, why
}

func differences(n int) string {
	if n == 1 {
		return "1 difference was"
	}
	return fmt.Sprintf("%d differences were", n)
}

// notes say what the verdict rests on.
func (o *Outcome) notes(r *finding.Report) {
	pods := "pods run on fake kubelets: nothing that a program in a container does, says or refuses is seen"
	if o.Real != "" {
		pods = "runs were on " + o.Real
	}
	r.Assumptions = append(r.Assumptions, pods,
		fmt.Sprintf("an operation is over when nothing has moved for %d ms; %s", o.Quiet.Milliseconds(), o.Queues))
	if len(o.Masked) > 0 {
		r.Assumptions = append(r.Assumptions, "not compared, since it differs between runs with the same custom resource: "+strings.Join(o.Masked, ", "))
	}
	if o.Unfinished != "" {
		r.Warnings = append(r.Warnings, finding.Warning{Message: "with the seed the operator is not done, as it says: " + o.Unfinished + ": what it does only then was not seen"})
	}
	r.Warnings = append(r.Warnings, o.gone()...)
	if n := o.waits(); n > 0 {
		r.Warnings = append(r.Warnings, finding.Warning{Message: fmt.Sprintf("%d operations are not compared: behind them the operator waits for what it cannot reach here", n)})
	}
	if all := o.declined(); len(all) > 0 {
		r.Warnings = append(r.Warnings, finding.Warning{Message: "the operator takes no other value that was tried, as it says, and what it does with one is not known: if it would take others, give some in values, of " + strings.Join(all, ", ")})
	}
	for _, note := range o.Notes {
		r.Warnings = append(r.Warnings, finding.Warning{Message: note})
	}
	if o.Lost > 0 {
		r.Warnings = append(r.Warnings, finding.Warning{Message: fmt.Sprintf("the control plane ended by itself %d times in the middle of runs, which were repeated", o.Lost)})
	}
}

// goneNamed is how many of what did not come again is named.
const goneNamed = 3

// gone warns of what did not come again: it may have been chance, and is no finding.
func (o *Outcome) gone() (out []finding.Warning) {
	for i, f := range o.Gone {
		if left := len(o.Gone) - i; i == goneNamed {
			return append(out, finding.Warning{Message: fmt.Sprintf("so it is with %d more", left)})
		}
		d := f.Deviations[0]
		text := fmt.Sprintf("what %s saw of %s did not come again when that was repeated, and is not reported: %s", d.Oracle, cmp.Or(f.Property(), "the seed"), d.Text)
		if len(f.instead) > 0 {
			text += "; then it was so that " + f.instead[0]
		}
		out = append(out, finding.Warning{Message: text})
	}
	return out
}

// waits counts the operations behind which the operator waits for what it cannot reach.
func (o *Outcome) waits() (n int) {
	for _, r := range o.Results {
		for _, s := range r.Steps {
			if s.Waits {
				n++
			}
		}
	}
	return n
}

// result is one root as a result: a violation, or inconclusive where it is not confirmed.
func (o *Outcome) result(f *Finding, reproduce string) finding.Result {
	first := f.Deviations[0]
	result := finding.Result{
		Rule: ruleOf(first.Oracle), Name: first.Oracle, Subject: cmp.Or(f.Property(), first.Object.String()), Verdict: finding.Violated, Message: first.Text,
	}
	how := "reproduce it with %s"
	switch {
	case f.Runs > 0 && f.Failed == 0:
		result.Message += " (seen once, and not when that was repeated)"
	case f.Runs > 0:
		result.Message += fmt.Sprintf(" (in %d of %d runs)", f.Failed, f.Runs)
	case f.Confirmed():
		result.Message += " (seen once: there was no time to repeat it)"
	default:
		result.Message += " (seen once, not confirmed)"
		result.Verdict, result.Reason = finding.Inconclusive, "it may be chance: there was no time to see whether it comes again"
		if f.doubt != "" {
			result.Reason = "it may be chance, and there was no verdict when that was repeated: " + f.doubt
		}
		how = "see whether it comes again with %s"
	}
	if result.Verdict == finding.Violated && o.waiting(first) {
		result.Verdict = finding.Inconclusive
		result.Reason = fmt.Sprintf("the operator is not done with the seed (%s), and has written nothing behind any operation: it may wait for what nobody says here", o.Unfinished)
	}
	cause := func(format string, args ...any) {
		result.Causes = append(result.Causes, finding.Cause{Message: fmt.Sprintf(format, args...)})
	}
	result.Applied, result.Compared, result.Consequences = f.applied(o.seed), f.compared(), f.consequences()
	if f.Seen > 1 {
		cause("%d operations show it%s", f.Seen, f.shownBy())
	}
	if n := o.deaf(); n > 0 {
		cause("behind none of %d operations has the operator written anything: no change of the resource gets to it, or gets through", n)
	}
	if o.Unfinished != "" {
		cause("it may be that the operator waits: it is not done with the seed either (%s), and what pods or others would have to say nobody says here", o.Unfinished)
	}
	if !f.Small && len(f.Operations) > 0 {
		text := "there was no time to make it smaller"
		if f.several() {
			text += ": another property that is changed on the way may be the cause"
		}
		cause("%s", text)
	}
	if reproduce != "" {
		cause(how, reproduce)
	}
	if !f.Confirmed() {
		cause("or give the campaign more time, with --resume or a longer --timeout: in the end it repeats all that it has seen")
	}
	if f.run != nil {
		result.Trace = o.timeline(f)
	}
	return result
}

// propertiesNamed is how many properties of one finding are named.
const propertiesNamed = 5

// shownBy names the properties whose changes show a finding, where these are several: it may be several mistakes.
func (f *Finding) shownBy() string {
	all := slices.Clone(f.Properties)
	if len(all) < 2 {
		return ""
	}
	more := ""
	if left := len(all) - propertiesNamed; left > 0 {
		all, more = all[:propertiesNamed], fmt.Sprintf(" and %d more", left)
	}
	return ", of " + strings.Join(all, ", ") + more
}

func ruleOf(name string) string {
	for _, o := range oracle.All() {
		if o.Name == name {
			return o.Rule
		}
	}
	return ""
}

// wordsMax is how many characters of a line that an operator printed are shown: in what is behind them there mostly is
// the stack.
const wordsMax = 600

// lastWords are the end of what the operator said.
func lastWords(s *oracle.Step) string {
	lines := strings.Split(strings.TrimSpace(s.Output), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return ""
	}
	lines = lines[max(0, len(lines)-3):]
	for i, line := range lines {
		if runes := []rune(line); len(runes) > wordsMax {
			lines[i] = string(runes[:wordsMax]) + "…"
		}
	}
	return "; it said: " + strings.Join(lines, " / ")
}

// several tells whether it changes more than one property on the way.
func (f *Finding) several() bool {
	return slices.ContainsFunc(f.Operations, func(o *operation.Operation) bool { return o.Property != f.Operations[0].Property || len(o.With) > 0 })
}
