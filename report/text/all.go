package text

import (
	"fmt"

	"github.com/seatrial/seatrial/finding"
)

// all renders every violation: the verdicts first, then a part of at most 40
// lines for each, then what every report ends with.
func (p *page) all(r *finding.Report, violated []finding.Result) error {
	p.add(p.paint(boldRed, "VIOLATED") + "  " + fmt.Sprintf("%d of %s", len(violated), count(len(r.Results), "property", "properties")))
	p.bound(r)
	p.blank()
	p.section("violated", p.lineEach(violated), 24, 1)
	p.section("undecided", titles(withVerdict(r.Results, finding.Inconclusive)), 5, 1)
	p.section("holds", grouped(withVerdict(r.Results, finding.Holds)), 8, 1)
	for i, result := range violated {
		part := &page{o: p.o}
		part.add(part.paint(boldRed, fmt.Sprintf("VIOLATED %d/%d", i+1, len(violated))) + "  " + part.text(title(result)))
		if result.Message != "" {
			part.blank()
			part.paragraph(result.Message, 3)
		}
		err := part.fit(result, func(rest *page, limits sections) {
			rest.section("cause", causes(result.Causes), limits.causes, 2)
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
