package markdown

import (
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// suggestions adds the changes that mend a violation: the first with its patch, the
// others folded.
func (p *page) suggestions(r finding.Result) {
	if r.Unmended != "" {
		p.line("No change is suggested: %s.\n", text(r.Unmended))
	}
	for i, s := range r.Suggestions {
		if i == 0 {
			p.line("**Suggested**, and checked up to %s: %s. Cost: %s.\n", text(s.Bound), text(s.Title), text(s.Cost))
			p.patch(s.Patch)
			continue
		}
		p.fold("or: "+s.Title, func() {
			p.line("Cost: %s.\n", text(s.Cost))
			p.patch(s.Patch)
		})
	}
}

// patch adds a diff.
func (p *page) patch(patch string) {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		line = strings.TrimSuffix(strings.ReplaceAll(line, "\t", "    "), "\r")
		lines = append(lines, trace.Printable(line, false))
	}
	shown := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longest(shown)+1))
	p.line("%sdiff\n%s\n%s\n", fence, shown, fence)
}
