package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// Overall is the verdict of the report and of every result in it that counts.
func Overall(r *finding.Report) finding.Verdict {
	verdicts := []finding.Verdict{r.Verdict}
	for _, result := range r.Results {
		if result.Ignored == nil {
			verdicts = append(verdicts, result.Verdict)
		}
	}
	return finding.Combine(verdicts...)
}

// With are the results with a verdict, but for those that are ignored.
func With(results []finding.Result, v finding.Verdict) []finding.Result {
	var found []finding.Result
	for _, result := range results {
		if result.Verdict == v && result.Ignored == nil {
			found = append(found, result)
		}
	}
	return found
}

// Unconfirmed are the results without a verdict that show something wrong all the same: it was seen, and may be chance.
func Unconfirmed(results []finding.Result) []finding.Result {
	return slices.DeleteFunc(With(results, finding.Inconclusive), func(r finding.Result) bool { return r.Message == "" })
}

// Undecided are the results without a verdict that show nothing.
func Undecided(results []finding.Result) []finding.Result {
	return slices.DeleteFunc(With(results, finding.Inconclusive), func(r finding.Result) bool { return r.Message != "" })
}

// Ignored are the results that do not count.
func Ignored(results []finding.Result) []finding.Result {
	var found []finding.Result
	for _, result := range results {
		if result.Ignored != nil {
			found = append(found, result)
		}
	}
	return found
}

// Excuse says why a result does not count: "in the baseline", "reason (until
// 2026-12-31, a.yaml:3)".
func Excuse(i *finding.Ignored) string {
	if i.By == finding.ByBaseline {
		return "in the baseline"
	}
	var where []string
	if i.Until != "" {
		where = append(where, "until "+i.Until)
	}
	if i.Location != nil && i.Location.File != "" {
		where = append(where, i.Location.FileLine())
	}
	if len(where) == 0 {
		return i.Reason
	}
	return i.Reason + " (" + strings.Join(where, ", ") + ")"
}

// Property names what a result is about, without its subject: SEA1001
// no-endless-eviction, or a custom property's name.
func Property(r finding.Result) string { return strings.TrimSpace(r.Rule + " " + r.Name) }

// Reason says why a report is inconclusive: the first reason that anything in it
// gives. It is never empty.
func Reason(r *finding.Report) string {
	all := []string{r.Reason, r.Bound.Reason}
	for _, result := range r.Results {
		all = append(all, result.Reason)
	}
	for _, reason := range all {
		if reason != "" {
			return reason
		}
	}
	return "no reason was given"
}

// Count writes a number with its noun: 1 step, 1,234 steps.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Thousands writes n with separators: 1,234,567.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Explored says how much was searched: "258 states, 28 steps deep, all explored".
func Explored(r *finding.Report) string {
	b := r.Bound
	explored := Count(b.States, "state", "states") + ", " + Count(b.Depth, "step", "steps") + " deep, " + ended(r)
	if b.Parts > 0 {
		explored += ", in " + strconv.Itoa(b.Parts) + " parts"
	}
	return explored
}

// ended says whether all was explored, or why not.
func ended(r *finding.Report) string {
	switch {
	case r.Bound.Complete:
		return "all explored"
	case r.Interrupted:
		return "interrupted"
	case r.Bound.Reason != "":
		return r.Bound.Reason
	}
	return "not all explored"
}

// Bound is the bound in one line: "2 nodes, up to 4 wanted pods (258 states …)".
func Bound(r *finding.Report) string {
	text := r.Bound.Text
	if text == "" {
		text = Count(r.Bound.Nodes, "node", "nodes") + ", " + Count(r.Bound.Pods, "pod", "pods")
	}
	switch {
	case r.Bound.States > 0:
	case r.Bound.Complete:
		return text // of a trial that explores nothing
	case r.Bound.Text != "" && r.Bound.Nodes == 0 && r.Bound.Pods == 0:
		return text + " (" + ended(r) + ")"
	}
	return text + " (" + Explored(r) + ")"
}

// Versions says what made the report: "seatrial v1, Kubernetes v1.36.3".
func Versions(r *finding.Report) string {
	versions := strings.TrimSpace(r.Tool + " " + r.Version)
	if r.Kubernetes != "" {
		versions += ", Kubernetes " + r.Kubernetes
	}
	return versions
}

// End says how a trace ends, in the words of its table; it is empty if it just
// ends.
func End(t *trace.Trace) string {
	if t == nil || t.Loop == nil {
		return ""
	}
	n := len(t.Steps)
	switch first := *t.Loop + 1; {
	case first > n:
		return "this state stays for ever"
	case first == n:
		return "step " + strconv.Itoa(n) + " repeats for ever"
	default:
		return "steps " + strconv.Itoa(first) + "–" + strconv.Itoa(n) + " repeat for ever"
	}
}
