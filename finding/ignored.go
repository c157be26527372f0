package finding

// What ignores a finding.
const (
	// ByAnnotation: the object that it is about says so.
	ByAnnotation = "annotation"
	// ByBaseline: a file of known findings has it.
	ByBaseline = "baseline"
)

// Ignored says why a violation does not count.
type Ignored struct {
	// By is ByAnnotation or ByBaseline.
	By string `json:"by"`
	// Reason is the user's; a baseline has none.
	Reason string `json:"reason,omitempty"`
	// Until is the last day on which it is ignored, as YYYY-MM-DD; empty for good.
	Until string `json:"until,omitempty"`
	// Location is where the user says so.
	Location *Location `json:"location,omitempty"`
}

// counts tells whether the result counts for the verdict of its report.
func (r Result) counts() bool { return r.Ignored == nil }

// Settle makes the verdict of a report whose results have been marked as ignored
// since it was concluded: that of all others. What was undecided beside the
// violations, and did not matter then, makes it inconclusive.
func (r *Report) Settle() {
	ignored := false
	for _, one := range r.Results {
		ignored = ignored || !one.counts()
		if one.counts() && one.Verdict == Violated {
			return // it is violated whatever else is ignored
		}
	}
	if !ignored {
		return
	}
	reasons := []string{r.Reason, r.Doubt}
	for _, one := range r.Results {
		if one.Verdict == Inconclusive {
			reasons = append(reasons, one.Reason)
			r.Verdict = Inconclusive
		}
	}
	for _, o := range r.Omissions {
		if o.Blocking && !o.Accepted {
			reasons = append(reasons, o.Name+" is left out and could change the outcome ("+o.Reason+"); accept it with --accept "+o.Name)
		}
	}
	if !r.Bound.Complete || len(r.Bound.Inconclusive) > 0 {
		reasons = append(reasons, r.Bound.Reason, "not all was explored")
	}
	for _, reason := range reasons {
		if reason != "" {
			r.Verdict, r.Reason, r.Doubt = Inconclusive, reason, ""
			return
		}
	}
	if r.Verdict == Violated {
		r.Verdict, r.Reason = Holds, ""
	}
}
