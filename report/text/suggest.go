package text

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// suggestions adds the changes that mend a violation: the first with the lines that
// change, at most so many, and the others by what they do.
func (p *page) suggestions(r finding.Result, lines int) {
	if len(r.Suggestions) == 0 {
		p.section("suggest", nonEmpty(sentence("nothing: ", r.Unmended)), 2, 2)
		return
	}
	first := r.Suggestions[0]
	width := p.o.Width - label
	body := p.cut(trace.Wrap(p.text(first.Title), width), 3, width)
	body = append(body, p.cut(trace.Wrap(p.text("cost: "+first.Cost), width), 2, width)...)
	body = append(body, p.changed(first.Changes, lines, width)...)
	for _, other := range r.Suggestions[1:] {
		wrapped := p.cut(trace.Wrap(p.text("or "+other.Title), width-2), 2, width-2)
		for k := range wrapped {
			if k > 0 {
				wrapped[k] = "  " + wrapped[k]
			}
		}
		body = append(body, wrapped...)
	}
	p.beside("suggest", body)
}

// changed are lines of a patch, with the place above each group.
func (p *page) changed(all []finding.Change, limit, width int) []string {
	var out []string
	for i, c := range all {
		if len(out)+1+len(c.Old)+len(c.New) > limit && i > 0 {
			return append(out, p.text(fmt.Sprintf("… %s (%s)", report.Count(len(all)-i, "place more", "places more"), elsewhere)))
		}
		out = append(out, p.text(finding.Location{File: c.File, Line: c.Line}.FileLine()))
		n := 0
		for _, group := range []struct {
			sign  string
			lines []string
		}{{"- ", c.Old}, {"+ ", c.New}} {
			for _, line := range group.lines {
				if n++; n > limit {
					continue
				}
				out = append(out, p.clip(group.sign+line, width))
			}
		}
		if n > limit {
			out = append(out, p.text(fmt.Sprintf("… %s (%s)", report.Count(n-limit, "line more", "lines more"), elsewhere)))
		}
	}
	return out
}

// clip is one line of a file as far as it fits.
func (p *page) clip(s string, width int) string {
	s = p.text(strings.ReplaceAll(s, "\t", "  "))
	for trace.Columns(s) > width {
		runes := []rune(s)
		s = string(runes[:len(runes)-2]) + p.text("…")
	}
	return s
}
