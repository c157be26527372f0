package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

const (
	// foundLines is the most lines that the steps of one finding take.
	foundLines = 24
	// foundCauses is how many places are shown with their lines.
	foundCauses = 8
	// foundChanges is the most lines of a suggested change.
	foundChanges = 16
	// quotedAround is how many lines are shown on each side of a place.
	quotedAround = 2
)

// WriteFinding renders one result with what helps to understand and to mend it: what
// is wrong, the lines at fault, the steps, what its rule says, and the commands to go
// on with. rule is nil for a property of the user's own.
func WriteFinding(w io.Writer, f *finding.Found, rule *finding.Rule, o Options) error {
	p := newPage(o)
	p.add(p.paint(bold, p.text(title(f.Result))))
	of := ""
	if f.Number > 0 {
		of = fmt.Sprintf(" %d of %d", f.Number, f.Of)
	}
	p.paragraphs(fmt.Sprintf("finding%s in %s, fingerprint %s", of, f.Run, brief(f.Fingerprint)), "")
	p.blank()
	if f.Result.Verdict != finding.Violated {
		p.paragraphs(string(f.Result.Verdict)+sentence(": ", f.Result.Reason), "")
	}
	if f.Result.Message != "" {
		p.paragraphs(f.Result.Message, "")
	}
	if i := f.Result.Ignored; i != nil {
		p.paragraphs("It is ignored: "+report.Excuse(i), "")
	}
	if len(f.Result.Applied)+len(f.Result.Compared) > 0 {
		p.blank()
		p.differences(f.Result, roomy)
	}
	p.where(f)
	if t := f.Result.Trace; t != nil {
		p.heading("What happens")
		var b bytes.Buffer
		if err := t.Write(&b, trace.Options{Width: p.o.Width, Lines: foundLines, Elsewhere: "-o json has all", Color: p.o.Color, ASCII: p.o.ASCII}); err != nil {
			return err
		}
		p.add(strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
	}
	if rule != nil {
		p.heading("What the rule says")
		p.paragraphs(rule.Means, indent)
		p.reasons(*rule)
	}
	if f.Repeat != "" || f.Replay != "" || rule != nil {
		p.blank()
	}
	p.suggestions(f.Result, foundChanges)
	if rule != nil {
		p.beside("rule", []string{"seatrial explain " + rule.ID})
	}
	if f.Repeat != "" {
		p.beside("repeat", []string{p.text(f.Repeat)})
	}
	if f.Replay != "" {
		p.beside("replay", []string{p.text(f.Replay)})
	}
	return p.write(w)
}

// brief is the beginning of a fingerprint, which is enough to name it by; one with a
// number behind it is needed whole.
func brief(print string) string {
	const digits = 12
	if len(print) > digits && !strings.Contains(print, "-") {
		return print[:digits]
	}
	return print
}

// where shows each place that takes part, with the lines around it, and what else there
// is to say.
func (p *page) where(f *finding.Found) {
	if len(f.Result.Causes) == 0 {
		return
	}
	heading := "More of it"
	for _, c := range f.Result.Causes {
		if c.Location.FileLine() != "" || c.Location.Object != "" {
			heading = "Where"
		}
	}
	p.heading(heading)
	for i, c := range f.Result.Causes {
		if i == foundCauses {
			p.add(indent + p.text(fmt.Sprintf("… %d more (%s)", len(f.Result.Causes)-i, elsewhere)))
			return
		}
		at := c.Location.FileLine()
		if at == "" {
			at = c.Location.Object
		}
		if at == "" {
			for _, line := range trace.Wrap(p.text(c.Message), p.o.Width-len(indent)) {
				p.add(indent + line)
			}
			continue
		}
		p.add(p.cut(trace.Wrap(p.text(at+sentence("  ", c.Message)), p.o.Width), 3, p.o.Width)...)
		p.lines = append(p.lines, p.quote(f.Sources, c.Location)...)
	}
}

// quote is the line of a place between those around it.
func (p *page) quote(sources []finding.Source, l finding.Location) []string {
	s := finding.Quoted(sources, l)
	if s == nil {
		return nil
	}
	var out []string
	for n := max(s.Line, l.Line-quotedAround); n <= l.Line+quotedAround && n < s.Line+len(s.Text); n++ {
		mark := " "
		if n == l.Line {
			mark = ">"
		}
		line := fmt.Sprintf("%s %4d | %s", mark, n, p.text(s.Text[n-s.Line]))
		if n == l.Line {
			line = p.paint(bold, line)
		}
		out = append(out, indent+line)
	}
	return out
}
