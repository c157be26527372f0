package settle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/component-base/version"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report/text"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// Result is what was found.
type Result struct {
	// PropertyResult is that of the first property that is violated, or else of the first that
	// is undecided; if all hold, it says that, and has no name.
	PropertyResult
	// Properties are all that were checked.
	Properties []PropertyResult
	// States and Transitions are how much was explored, Depth is how many steps the longest
	// of the shortest ways to a state has, and Complete tells that nothing was left out.
	States, Transitions, Depth int
	Complete                   bool
	// Took is the time that the search took. No verdict depends on it.
	Took time.Duration

	bound, incomplete string
	assumptions       []string
	// lost tells that a saved trace could not be followed.
	lost bool
}

// PropertyResult is what was found of one property.
type PropertyResult struct {
	// Rule is the id of the rule, SEA5001 and so on, and Name that of the property: settles, or
	// that which the user gave.
	Rule, Name string
	Verdict    statespace.Verdict
	// Reason says why nothing can be said, or what is wrong in the end.
	Reason string
	// Steps are the way there, and Loop the first of those that are repeated for ever; it
	// is the number of steps if it stays where it is, and -1 if one moment is wrong.
	Steps []trace.Step
	Loop  int
	// Classes say of what kind a violation is: stuck, livelock of n steps, contention; and what
	// would mend it, of the first property that is violated: heals only by resync, needs a stale
	// cache, needs an older list, read-your-writes mends it. What would take more than 50,000 states to know is
	// not among them.
	Classes []string
}

// result is what the engine found in the words of the model.
func (x *explorer) result(all []property, found *statespace.Result[[]statespace.ID]) *Result {
	r := &Result{
		States: found.Stats.States, Transitions: found.Stats.Transitions, Depth: max(found.Stats.Levels-1, 0), Complete: found.Stats.Complete,
		incomplete: found.Stats.Reason, bound: x.bound(), assumptions: x.assumptions(),
	}
	for i := range found.Properties {
		r.Properties = append(r.Properties, x.propertyResult(&all[i], &found.Properties[i], nil))
	}
	r.PropertyResult = PropertyResult{Verdict: statespace.Holds, Loop: -1}
	for _, verdict := range []statespace.Verdict{statespace.Violated, statespace.Inconclusive} {
		if i := slices.IndexFunc(r.Properties, func(p PropertyResult) bool { return p.Verdict == verdict }); i >= 0 {
			r.PropertyResult = r.Properties[i]
			break
		}
	}
	return r
}

// propertyResult is what the engine found of one property, on a way from a node; nil for the first
// state of the trace.
func (x *explorer) propertyResult(p *property, found *statespace.PropertyResult[[]statespace.ID], from *node) PropertyResult {
	r := PropertyResult{Rule: p.rule, Name: p.name, Verdict: found.Verdict, Reason: found.Reason, Loop: -1}
	if found.Trace != nil {
		steps, way := x.retrace(found.Trace, from)
		r.Reason, r.Loop, r.Steps = x.reason(p, found.Trace, way), found.Trace.Loop, steps
		r.Classes = r.classesOf()
	}
	return r
}

// String is the result in at most 40 lines of 80 columns.
func (r *Result) String() string { return r.text("", 0) }

// logWidth is how wide a result may be that is logged, in columns: go test indents it.
const logWidth = 80 - 8

// logged is a result for the log of a test.
func (r *Result) logged(test string) string { return r.text(test, logWidth) }

// text is a result for a terminal of so many columns, 0 for 80, of a test if subject names one.
func (r *Result) text(subject string, width int) string {
	var b strings.Builder
	_ = text.Write(&b, r.Report(subject), text.Options{Width: width}) // a strings.Builder takes everything
	if r.Took > 0 {
		fmt.Fprintf(&b, "took      %s\n", r.Took.Round(time.Millisecond))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Report is the result in the form that seatrial keeps and shows. The subject is what it is
// about, mostly the name of a test.
func (r *Result) Report(subject string) *finding.Report {
	out := &finding.Report{
		Schema: finding.Schema, Tool: "seatrial", Kubernetes: kubernetes, Verdict: verdict(r.Verdict),
		Bound:       finding.Bound{Text: r.bound, States: r.States, Transitions: r.Transitions, Depth: r.Depth, Complete: r.Complete, Reason: r.incomplete},
		Assumptions: r.assumptions, Omissions: []finding.Omission{}, Warnings: []finding.Warning{},
	}
	for i := range r.Properties {
		out.Results = append(out.Results, r.Properties[i].finding(subject))
	}
	if out.Verdict == finding.Inconclusive {
		out.Reason = r.Name + ": " + r.Reason
	}
	return out
}

// finding is the result of a property in the form of reports.
func (p *PropertyResult) finding(subject string) finding.Result {
	out := finding.Result{Rule: p.Rule, Name: ruleNames[p.Rule], Subject: subject, Verdict: verdict(p.Verdict)}
	if p.Name != out.Name {
		out.Subject = strings.TrimPrefix(fmt.Sprintf("%s: %s", subject, p.Name), ": ")
	}
	switch out.Verdict {
	case finding.Violated:
		out.Message = p.Reason
		if len(p.Classes) > 0 {
			out.Message += " (" + strings.Join(p.Classes, ", ") + ")"
		}
		out.Trace = &trace.Trace{Schema: trace.Schema, Initial: []string{}, Steps: p.Steps}
		if p.Loop >= 0 {
			loop := p.Loop
			out.Trace.Loop = &loop
		}
	case finding.Inconclusive:
		out.Reason = p.Reason
	}
	return out
}

// kubernetes is the release whose code answers requests.
const kubernetes = "v" + version.DefaultKubeBinaryVersion

func verdict(v statespace.Verdict) finding.Verdict {
	switch v {
	case statespace.Holds:
		return finding.Holds
	case statespace.Violated:
		return finding.Violated
	}
	return finding.Inconclusive
}
