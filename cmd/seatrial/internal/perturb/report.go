package perturb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/pattern"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/finding"
)

// Group is the plans that fail for the same cause: by the same pattern, with the
// same that is wrong.
type Group struct {
	Pattern string
	// Results are those of the plans, that first that failed most often, and of those
	// one that happens in every cluster.
	Results []*Result
}

// Best is the result that stands for the group.
func (g *Group) Best() *Result { return g.Results[0] }

// Groups are the failures by cause, in the order of the patterns, and of each those
// first whose oracles name the mistake.
func (o *Outcome) Groups() []*Group {
	var groups []*Group
	byCause := map[string]*Group{}
	for _, r := range o.Results {
		if r.Verdict != Failed {
			continue
		}
		cause := r.cause()
		g := byCause[cause]
		if g == nil {
			g = &Group{Pattern: r.Plan.Pattern}
			byCause[cause] = g
			groups = append(groups, g)
		}
		g.Results = append(g.Results, r)
	}
	place := map[string]int{}
	for _, g := range groups {
		slices.SortStableFunc(g.Results, func(a, b *Result) int {
			return cmp.Or(cmp.Compare(b.Failed*a.Runs, a.Failed*b.Runs), cmp.Compare(a.Plan.Assumption.Narrow(), b.Plan.Assumption.Narrow()))
		})
		if _, known := place[g.Pattern]; !known {
			place[g.Pattern] = len(place)
		}
	}
	slices.SortStableFunc(groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(place[a.Pattern], place[b.Pattern]),
			cmp.Compare(oracle.Rank(a.Best().Divergences), oracle.Rank(b.Best().Divergences)))
	})
	return groups
}

// Counted is how many plans of a pattern have each verdict; of all if it is empty.
func (o *Outcome) Counted(patternName string) map[Verdict]int {
	counts := map[Verdict]int{}
	for _, r := range o.Results {
		if patternName == "" || r.Plan.Pattern == patternName {
			counts[r.Verdict]++
		}
	}
	return counts
}

// Report is the outcome for all formats. repeat gives the command that repeats a
// plan.
func (o *Outcome) Report(name string, repeat func(*plan.Plan) string) *finding.Report {
	r := &finding.Report{Tool: "seatrial", Kubernetes: o.Kubernetes, Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}}
	violated := map[string]bool{}
	for _, g := range o.Groups() {
		r.Results = append(r.Results, o.violation(g, repeat))
		violated[g.Pattern] = true
	}
	for _, p := range pattern.All() {
		if violated[p.Name] {
			continue
		}
		if result, any := o.held(p, name); any {
			r.Results = append(r.Results, result)
		}
	}
	counts := o.Counted("")
	r.Bound = finding.Bound{Text: o.bound(counts), Complete: o.Skipped == 0 && !o.Interrupted}
	r.Interrupted = o.Interrupted
	var verdicts []finding.Verdict
	for _, result := range r.Results {
		verdicts = append(verdicts, result.Verdict)
	}
	r.Verdict = finding.Combine(verdicts...)
	o.doubts(r, counts)
	o.notes(r)
	return r
}

// doubts make a verdict inconclusive that would be one on too little.
func (o *Outcome) doubts(r *finding.Report, counts map[Verdict]int) {
	reason := ""
	switch {
	case o.Interrupted:
		reason = fmt.Sprintf("interrupted: %d plans were not run", o.Skipped)
	case o.Reference != nil && o.Reference.Writes == 0:
		reason = "the controller wrote nothing that counts in the runs without a perturbation: nothing can be tried"
	case len(o.Results) == 0 && len(o.Asked) == 0:
		reason = "there is no plan to run"
	case counts[Inconclusive] > 0:
		reason = fmt.Sprintf("%d of %d plans are inconclusive", counts[Inconclusive], len(o.Results))
	case len(o.Unperturbed) > 0:
		reason = "runs without a perturbation differ: " + o.Unperturbed[0].Text
	case len(o.Outside) > 0:
		reason = outside(o)
	}
	switch {
	case reason == "":
	case r.Verdict == finding.Violated:
		r.Doubt = reason
	default:
		r.Verdict, r.Reason = finding.Inconclusive, reason
	}
}

func outside(o *Outcome) string {
	e := o.Outside[0]
	return fmt.Sprintf("%d writes came past the proxy, the first of them %s %s by %q: what they do cannot be perturbed", len(o.Outside), e.Type, e.Key, e.Actor)
}

func (o *Outcome) bound(counts map[Verdict]int) string {
	text := fmt.Sprintf("%d plans, one perturbation each", len(o.Results))
	if len(o.Results) == 1 {
		text = "1 plan, one perturbation"
	}
	if n := counts[Infeasible]; n > 0 {
		text += fmt.Sprintf(", %d of them infeasible", n)
	}
	if o.Skipped > 0 {
		text += fmt.Sprintf("; %d more were not run", o.Skipped)
	}
	return text
}

// notes say what the verdict rests on.
func (o *Outcome) notes(r *finding.Report) {
	seen := map[plan.Assumption]bool{}
	for _, result := range o.Results {
		if a := result.Plan.Assumption; !seen[a] {
			seen[a] = true
			r.Assumptions = append(r.Assumptions, fmt.Sprintf("%s: %s", a, a.Text()))
		}
	}
	if o.Reference == nil {
		return
	}
	r.Assumptions = append(r.Assumptions, fmt.Sprintf("usual is what %d runs without a perturbation have in common", len(o.Reference.Runs)))
	if len(o.Reference.Learned) > 0 {
		r.Assumptions = append(r.Assumptions, "not compared, since it differs between runs without a perturbation: "+strings.Join(o.Reference.Learned, ", "))
	}
	for _, text := range o.healed() {
		r.Warnings = append(r.Warnings, finding.Warning{Message: text})
	}
	for _, d := range o.Unperturbed {
		r.Warnings = append(r.Warnings, finding.Warning{Message: "without a perturbation, too: " + d.Text})
	}
	if o.Alone {
		r.Warnings = append(r.Warnings, finding.Warning{Message: "the controller listens on a port that is always the same: its runs were made one after another, which takes longer (an operator made with kubebuilder takes --metrics-bind-address=0 --health-probe-bind-address=0)"})
	}
	if o.Lost > 0 {
		r.Warnings = append(r.Warnings, finding.Warning{Message: fmt.Sprintf("the control plane ended by itself %s in the middle of runs, which were repeated", times(o.Lost))})
	}
	if len(o.Outside) > 0 {
		r.Warnings = append(r.Warnings, finding.Warning{Message: outside(o)})
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// alsoMax bounds how many more differences of one run are told.
const alsoMax = 4

// violation is one cause as a result.
func (o *Outcome) violation(g *Group, repeat func(*plan.Plan) string) finding.Result {
	best := g.Best()
	var said []string
	for _, d := range best.Divergences {
		if !d.Healed && !slices.Contains(said, d.Text) {
			said = append(said, d.Text)
		}
	}
	result := finding.Result{
		Rule: pattern.Rule(g.Pattern), Name: g.Pattern, Subject: best.Plan.Trigger.Object.String(), Verdict: finding.Violated,
		Message: fmt.Sprintf("%s (in %d of %d runs)", said[0], best.Failed, best.Runs),
	}
	cause := func(format string, args ...any) {
		result.Causes = append(result.Causes, finding.Cause{Message: fmt.Sprintf(format, args...)})
	}
	cause("what was done: %s", best.Plan.Sentence)
	for i, text := range said[1:] {
		if i == alsoMax {
			cause("%d more are different", len(said)-1-i)
			break
		}
		cause("also: %s", text)
	}
	if best.Reason != "" {
		cause("%s", best.Reason)
	}
	if best.Plan.Trigger.Ordinal {
		cause("the write is found by its number: what it says is not the same in each run")
	}
	cause("repeat it with %s", repeat(best.Plan))
	cause("a real cluster does this under %s: %s", best.Plan.Assumption, best.Plan.Assumption.Text())
	if n := len(g.Results) - 1; n > 0 {
		cause("%d more plans end in the same way", n)
	}
	if best.recording != nil && o.Reference != nil {
		result.Trace = o.trace(best)
		result.Reference = o.reference()
	}
	return result
}

// held is a pattern by which nothing fails; false if it had no plan.
func (o *Outcome) held(p pattern.Pattern, name string) (finding.Result, bool) {
	counts := o.Counted(p.Name)
	n := 0
	for _, c := range counts {
		n += c
	}
	result := finding.Result{Rule: p.ID, Name: p.Name, Subject: name, Verdict: finding.Holds}
	switch {
	case n == 0 && slices.Contains(o.Asked, p.Name) && o.Skipped == 0:
		result.Vacuous = "nothing that the controller writes or sees gives a plan"
	case n == 0:
		return result, false
	case counts[Inconclusive] > 0:
		result.Verdict = finding.Inconclusive
		for _, r := range o.Results {
			if r.Plan.Pattern == p.Name && r.Verdict == Inconclusive {
				result.Reason = fmt.Sprintf("%d of %d plans: %s. The first: %s", counts[Inconclusive], n, r.Reason, r.Plan.Sentence)
				break
			}
		}
	case counts[Infeasible] == n:
		result.Vacuous = fmt.Sprintf("all %d plans are infeasible", n)
	}
	return result, true
}

// healedMax bounds how many differences that went away are told of.
const healedMax = 5

// healed says what was different until the controller was given an event.
func (o *Outcome) healed() []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range o.Results {
		for _, d := range r.Divergences {
			if !d.Healed || seen[d.Class] || r.Verdict != Passed {
				continue
			}
			seen[d.Class] = true
			if len(out) < healedMax {
				out = append(out, fmt.Sprintf("%s, until the controller gets an event, whatever it is: then it is as usual. %s", d.Text, r.Plan.Sentence))
			}
		}
	}
	return out
}
