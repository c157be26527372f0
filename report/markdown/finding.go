package markdown

import (
	"io"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// WriteFinding renders one result with what helps to understand and to mend it: what
// is wrong and where, the steps, what its rule says, and the commands to go on with.
// rule is nil for a property of the user's own.
func WriteFinding(w io.Writer, f *finding.Found, rule *finding.Rule) error {
	p := &page{}
	if err := p.violation(f.Result); err != nil {
		return err
	}
	if i := f.Result.Ignored; i != nil {
		p.line("It is ignored: %s\n", text(report.Excuse(i)))
	}
	if rule != nil {
		p.line("**What the rule says**\n\n%s\n", rule.Means)
		p.line("**Why it happens**\n\n%s\n", rule.Why)
		p.line("**What people change**\n\n%s\n", list(rule.Mend))
		p.line("More on [%s](%s)\n", rule.ID, rule.URI())
	}
	if f.Repeat != "" {
		p.line("Repeat it with %s\n", code(f.Repeat))
	}
	if f.Replay != "" {
		p.line("Make it happen with %s\n", code(f.Replay))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}
