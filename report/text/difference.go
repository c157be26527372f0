package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// differences adds what was done, what is not as expected, and what comes of it.
func (p *page) differences(r finding.Result, limits sections) {
	p.beside("done", p.done(r.Applied, limits.differences))
	p.beside("differs", p.patches(r.Compared, limits.differences))
	p.section("leads to", r.Consequences, limits.others, 2)
}

// done are differences that were made one after another: what does not fit is the middle of them, since the last one
// showed what is wrong.
func (p *page) done(all []finding.Difference, limit int) []string {
	var of [][]string
	lines := 0
	for i := range all {
		one := p.patches(all[i:i+1], limit/2)
		of, lines = append(of, one), lines+len(one)
	}
	if lines <= limit || len(all) < 4 {
		return p.patches(all, limit)
	}
	last := len(of) - 1
	room := limit - len(of[0]) - 1 - len(of[last])
	for last > 2 && room >= len(of[last-1]) {
		last--
		room -= len(of[last])
	}
	out := append(slices.Clone(of[0]), p.text(fmt.Sprintf("… %d more (%s)", last-1, elsewhere)))
	return append(out, slices.Concat(of[last:]...)...)
}

// patches are differences, one below the other, each below its title. What does not fit is counted: lines
// of each, and differences at the end.
func (p *page) patches(all []finding.Difference, limit int) []string {
	width := p.o.Width - label
	var out []string
	for i, d := range all {
		left := limit - len(out)
		if left < 3 && i > 0 && len(all)-i > 1 {
			return append(out, p.text(fmt.Sprintf("… %d more (%s)", len(all)-i, elsewhere)))
		}
		wrapped := p.cut(trace.Wrap(p.text(report.Heading(d)), width-2), 2, width-2)
		for k := range wrapped {
			if k > 0 {
				wrapped[k] = "  " + wrapped[k]
			}
		}
		out = append(out, wrapped...)
		room := max(limit-len(out)-(len(all)-i-1), 4)
		for k, line := range d.Lines {
			if k == room-1 && len(d.Lines) > room {
				out = append(out, p.text(fmt.Sprintf("  … %s (%s)", report.Count(len(d.Lines)-k, "line more", "lines more"), elsewhere)))
				break
			}
			out = append(out, p.signed(line, width))
		}
	}
	return out
}

// signed is a line of a difference, in the colour of its sign.
func (p *page) signed(line string, width int) string {
	text := p.clip(line, width)
	switch {
	case strings.HasPrefix(line, "-"):
		return p.paint(red, text)
	case strings.HasPrefix(line, "+"):
		return p.paint(green, text)
	}
	return text
}
