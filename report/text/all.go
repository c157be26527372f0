package text

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// same finds the first of the results that has the trace of another; -1 if none
// has.
func same(results []finding.Result, other finding.Result) int {
	if other.Trace == nil {
		return -1
	}
	return slices.IndexFunc(results, func(r finding.Result) bool { return reflect.DeepEqual(r.Trace, other.Trace) })
}

// all renders every violation: the verdicts first, then a part of at most 40
// lines for each, then what every report ends with. Steps that two violations
// have in common are shown once.
func (p *page) all(r *finding.Report, violated []finding.Result) error {
	p.add(p.paint(boldRed, "VIOLATED") + "  " + fmt.Sprintf("%d of %s", len(violated), report.Count(len(r.Results), "property", "properties")) + beside(r))
	p.bound(r)
	p.blank()
	p.section("violated", p.lineEach(violated), 24, titleLines)
	p.undecided(r, report.With(r.Results, finding.Inconclusive), 5)
	held := report.With(r.Results, finding.Holds)
	p.section("holds", grouped(held), 8, titleLines)
	_, notes := vacuity(held)
	p.section("vacuous", notes, 4, 2)
	for i, result := range violated {
		part := &page{o: p.o}
		part.add(part.paint(boldRed, fmt.Sprintf("VIOLATED %d/%d", i+1, len(violated))) + "  " + part.text(title(result)))
		if result.Message != "" {
			part.blank()
			part.message(result.Message, 3)
		}
		if k := same(violated[:i], result); k >= 0 {
			result.Trace = nil
			part.blank()
			part.paragraph(fmt.Sprintf("The steps are those of %d/%d.", k+1, len(violated)), 1)
		}
		err := part.fit(result, func(rest *page, limits sections) {
			rest.differences(result, limits)
			rest.section("cause", causes(result.Causes), limits.causes, causeLines(result.Causes))
			rest.suggestions(result, limits.suggested)
		})
		if err != nil {
			return err
		}
		p.blank()
		p.add(part.lines...)
	}
	p.blank()
	p.footer(r, 10)
	return nil
}
