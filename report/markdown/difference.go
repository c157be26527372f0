package markdown

import (
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// differenceLines is how many lines of one difference there are.
const differenceLines = 40

// differences adds each as a block that is coloured by its signs.
func (p *page) differences(title string, all []finding.Difference) {
	if len(all) == 0 {
		return
	}
	p.line("**%s**\n", title)
	for i, d := range all {
		if i == rowsMax {
			p.line("… and %d more; the JSON report has all\n", len(all)-i)
			return
		}
		heading := report.Heading(d)
		p.line("%s\n", text(heading))
		if len(d.Lines) == 0 {
			continue
		}
		var lines []string
		for _, line := range report.Clipped(d.Lines, differenceLines) {
			lines = append(lines, trace.Printable(line, false))
		}
		block := strings.Join(lines, "\n")
		fence := strings.Repeat("`", max(3, longest(block)+1))
		p.line("%sdiff\n%s\n%s\n", fence, block, fence)
	}
}
