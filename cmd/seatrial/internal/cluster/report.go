package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/assumption"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// results turns the engine's into the user's words.
func (r *run) results(result statespace.Result[rule.IDs]) []finding.Result {
	return r.listed(r.judged(result))
}

// judged is the result of each claim.
func (r *run) judged(result statespace.Result[rule.IDs]) []finding.Result {
	witnesses := map[string]finding.Witness{}
	for _, p := range result.Properties[len(r.claims)+len(r.obligations):] {
		w := finding.Witness{Name: p.Name, Reached: p.Trace != nil}
		if p.Trace != nil {
			w.Steps = len(p.Trace.Steps)
		}
		witnesses[p.Name] = w
	}
	var out []finding.Result
	for i, c := range r.claims {
		out = append(out, r.result(c, result.Properties[i], witnesses))
	}
	return out
}

// listed are the results of claims as a report has them.
func (r *run) listed(results []finding.Result) []finding.Result {
	out := append(distinct(results), r.idle...)
	order(out)
	return out
}

// distinct drops violations that say of a subject what one before them says: two
// properties of a scenario may ask a rule the same, each for its own reasons.
func distinct(results []finding.Result) []finding.Result {
	type violation struct{ rule, name, subject, message string }
	seen := map[violation]bool{}
	return slices.DeleteFunc(results, func(p finding.Result) bool {
		key := violation{p.Rule, p.Name, p.Subject, p.Message}
		if p.Verdict != finding.Violated || !seen[key] {
			seen[key] = seen[key] || p.Verdict == finding.Violated
			return false
		}
		return true
	})
}

// order puts behind the others what is often their effect: that pods come and
// go for ever.
func order(results []finding.Result) {
	slices.SortStableFunc(results, func(a, b finding.Result) int { return secondary(a) - secondary(b) })
}

// bound adds what one search explored.
func bound(b *finding.Bound, s statespace.Stats) {
	first := b.States == 0
	b.States, b.Transitions, b.Depth = b.States+s.States, b.Transitions+s.Transitions, max(b.Depth, s.Levels-1)
	b.Complete = s.Complete && (first || b.Complete)
	if b.Reason == "" {
		b.Reason = s.Reason
		if s.Reason == statespace.EndedAtViolation {
			b.Reason += "; --all goes on"
		}
	}
}

// secondary orders results: what is often the effect of others comes behind them.
func secondary(r finding.Result) int {
	if r.Rule == "SEA1001" && r.Verdict == finding.Violated {
		return 1
	}
	return 0
}

// conclude combines the results into one verdict.
func (r *run) conclude(out *finding.Report) {
	checked := 0
	sampled, partial := r.w.Kube.Caveats()
	reasons := []string{}
	for _, p := range out.Results {
		if p.Subject != nothing {
			checked++
		}
		switch p.Verdict {
		case finding.Violated:
			out.Verdict = finding.Violated
		case finding.Inconclusive:
			reasons = append(reasons, p.Reason)
		}
	}
	assumptions := r.assumptions()
	if sampled {
		assumptions = append(assumptions, assumption.Line{Text: "above 100 nodes the scheduler looks at some of them only; any feasible one is taken to be possible"})
	}
	out.Assumptions = texts(leading(assumptions, out.Results))
	if r.oneStart {
		reasons = append(reasons, "the search began from one placement of the pods only: there are too many to find them all")
	}
	if partial {
		reasons = append(reasons, "the orders in which the descheduler or preemption may see pods were too many to try them all")
	}
	for _, o := range out.Omissions {
		if o.Blocking && !o.Accepted {
			reasons = append(reasons, o.Name+" is left out and could change the outcome ("+o.Reason+"); accept it with --accept "+o.Name)
		}
	}
	reasons = append(reasons, r.goneReasons(out)...)
	switch {
	case out.Verdict == finding.Violated:
		if r.o.All && len(reasons) > 0 {
			out.Doubt = reasons[0]
		}
	case checked == 0:
		out.Verdict, out.Reason = finding.Inconclusive, "no rule applies to this input"
	case len(reasons) > 0:
		out.Verdict, out.Reason = finding.Inconclusive, reasons[0]
	default:
		out.Verdict = finding.Holds
	}
}

// goneReasons are the controllers that were left out and whose pods the search
// took away: it marks their omissions as blocking, unless a violation says more. A
// search that was not complete has a reason of its own.
func (r *run) goneReasons(out *finding.Report) []string {
	var reasons []string
	for i := range r.w.Workloads {
		spec := &r.w.Workloads[i]
		if spec.Held == "" || !r.w.Gone(i) || !out.Bound.Complete {
			continue
		}
		name := strings.Join([]string{spec.Held, spec.Namespace, spec.Name}, "/")
		for k := range out.Omissions {
			o := &out.Omissions[k]
			if o.Name != name || o.Blocking {
				continue
			}
			why := o.Reason + "; it would create them again when they go, as they do in this check"
			if !o.Accepted {
				reasons = append(reasons, o.Name+" is left out and could change the outcome ("+why+"); accept it with --accept "+o.Name)
			}
			if out.Verdict != finding.Violated {
				o.Reason, o.Blocking = why, true
			}
		}
	}
	return reasons
}

// result is one claim's, in the user's words.
func (r *run) result(c rule.Claim, p statespace.PropertyResult[rule.IDs], witnesses map[string]finding.Witness) finding.Result {
	out := finding.Result{Name: c.Name(), Subject: c.Subject, Reason: p.Reason, Vacuous: p.Vacuous}
	if c.Rule != nil {
		out.Rule = c.Rule.ID
	}
	for _, w := range c.Witnesses {
		out.Witnesses = append(out.Witnesses, witnesses[w.Name])
	}
	if err := c.Failure(); err != nil {
		out.Verdict, out.Reason = finding.Inconclusive, err.Error()
		return out
	}
	if len(r.faults) > 0 && p.Verdict == statespace.Holds { // something may have been missed
		out.Verdict, out.Reason = finding.Inconclusive, r.faults[0].String()
		return out
	}
	switch p.Verdict {
	case statespace.Holds:
		out.Verdict = finding.Holds
		var missed []string
		for _, w := range out.Witnesses {
			if !w.Reached {
				missed = append(missed, w.Name)
			}
		}
		if out.Vacuous == "" && len(missed) > 0 {
			out.Vacuous = "never reached: " + strings.Join(missed, "; ")
		}
	case statespace.Violated:
		out.Verdict = finding.Violated
		r.explain(&out, c, p.Trace)
	default:
		out.Verdict = finding.Inconclusive
	}
	return out
}

// explain turns a counterexample into a trace, a message and causes.
func (r *run) explain(out *finding.Result, c rule.Claim, t *statespace.Trace[rule.IDs]) {
	told, state, refs := r.tell(t)
	out.Trace = told
	out.Message = c.Message(state)
	for _, ref := range append(slices.Clip(c.Refs(state)), refs...) {
		addCause(out, ref)
	}
}

// addCause adds a place once; causes without a place have nothing to show.
func addCause(out *finding.Result, ref model.Ref) {
	if ref.Source == nil {
		return
	}
	cause := finding.Cause{Location: ref.Source.Position(ref.Path), Message: ref.Message}
	if !slices.Contains(out.Causes, cause) {
		out.Causes = append(out.Causes, cause)
	}
}

// inconclusive is the report of a check that ended before the search.
func (r *run) inconclusive(reason string) *finding.Report {
	out := r.frame()
	out.Verdict, out.Reason = finding.Inconclusive, reason
	return out
}

// frame is the part of a report that does not depend on the search.
func (r *run) frame() *finding.Report {
	out := &finding.Report{
		Schema: finding.Schema, Tool: "seatrial check", Kubernetes: Kubernetes,
		Results: []finding.Result{}, Assumptions: texts(r.assumptions()), Omissions: r.in.Omissions(r.accepted()), Warnings: r.in.Warnings,
	}
	if out.Warnings == nil {
		out.Warnings = []finding.Warning{}
	}
	if out.Omissions == nil {
		out.Omissions = []finding.Omission{}
	}
	out.Warnings = append(out.Warnings[:len(out.Warnings):len(out.Warnings)], r.w.Warnings...)
	pods, held := 0, 0
	for i := range r.w.Workloads {
		spec := &r.w.Workloads[i]
		if spec.Held != "" {
			held += len(spec.Given)
			continue
		}
		pods += mostPods(r.w, i)
	}
	out.Bound.Nodes, out.Bound.Pods = len(r.w.Nodes), pods
	out.All = r.o.All
	out.Bound.Properties, out.Bound.Events = r.o.Properties, r.o.Events
	wanted := plural(pods, "wanted pod")
	if held > 0 {
		wanted += fmt.Sprintf(" and %d held as given", held)
	}
	out.Bound.Text = fmt.Sprintf("%s, up to %s, %s%s", plural(len(r.w.Nodes), "node"), wanted, budgetText(r.w), r.o.narrowed())
	return out
}

// accepted are the omissions that the user accepts, by flag or scenario.
func (r *run) accepted() []string { return append(slices.Clone(r.o.Accept), r.w.Scenario.Accept...) }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
