package suggestion

import (
	"slices"

	"github.com/seatrial/seatrial/finding"
)

// opinion is what is thought of a change.
type opinion int

const (
	bad opinion = iota
	// unsure: another property is violated or vacuous, and it is not known whether it
	// was before.
	unsure
	good
)

// judge compares the report of a change with what was before; the results at the given
// indexes are those that it is to mend.
func (s *search) judge(mends []int, a *attempt) opinion {
	got := map[string]finding.Result{}
	prints := finding.Fingerprints(a.report.Results)
	for i, p := range a.report.Results {
		got[prints[i]] = p
	}
	for _, i := range mends {
		if p, there := got[s.prints[i]]; !there || p.Verdict != finding.Holds && (a.all || p.Verdict == finding.Violated) || p.Vacuous != "" {
			return bad
		}
	}
	for _, print := range s.prints {
		if _, there := got[print]; !there {
			return bad // what is not asked any more does not hold
		}
	}
	sure := true
	for i, p := range a.report.Results {
		if p.Verdict == finding.Holds && p.Vacuous == "" {
			continue
		}
		before, known := s.before(prints[i])
		switch {
		case p.Verdict == finding.Inconclusive && a.all:
			return bad
		case p.Verdict == finding.Inconclusive:
			sure = false
		case !known && s.base != nil:
			return bad // new, and no better than what was not there
		case !known:
			sure = false
		case p.Verdict == finding.Violated && before.Verdict != finding.Violated, p.Vacuous != "" && before.Vacuous == "":
			return bad
		}
	}
	switch {
	case !sure && (s.base != nil && a.all):
		return bad
	case !sure:
		return unsure
	case !searched(a.report) || !s.sameOmissions(a.report):
		return bad
	}
	return good
}

// before is what is known of a property of the input as it is.
func (s *search) before(print string) (finding.Result, bool) {
	if s.base != nil {
		p, known := s.base[print]
		return p, known
	}
	i := slices.Index(s.prints, print)
	if i < 0 {
		return finding.Result{}, false
	}
	p := s.r.Results[i]
	return p, p.Verdict == finding.Violated || s.r.All && p.Verdict == finding.Holds
}

// searched tells whether a report is of all that can happen.
func searched(r *finding.Report) bool { return r.Bound.Complete && len(r.Bound.Inconclusive) == 0 }

// sameOmissions tells whether a report leaves nothing out that could matter and was
// not left out before.
func (s *search) sameOmissions(r *finding.Report) bool {
	for _, o := range r.Omissions {
		if o.Blocking && !o.Accepted && !slices.ContainsFunc(s.r.Omissions, func(was finding.Omission) bool { return was.Name == o.Name && was.Blocking }) {
			return false
		}
	}
	return true
}
