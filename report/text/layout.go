package text

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// page collects the lines of a report.
type page struct {
	o     Options
	lines []string
}

// label is the width of the left column that names a section.
const label = 10

// write writes the lines, without blanks at their ends.
func (p *page) write(w io.Writer) error {
	var b strings.Builder
	for _, line := range p.lines {
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *page) add(lines ...string) { p.lines = append(p.lines, lines...) }

// blank adds an empty line unless the page is empty or ends with one.
func (p *page) blank() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.add("")
	}
}

// text makes s safe to show.
func (p *page) text(s string) string { return trace.Printable(s, p.o.ASCII) }

// paragraph adds s over at most limit lines.
func (p *page) paragraph(s string, limit int) {
	p.add(p.cut(trace.Wrap(p.text(s), p.o.Width), limit, p.o.Width)...)
}

// closing is what a message says at its end in parentheses: of what kind a violation is.
var closing = regexp.MustCompile(` \([^()]+\)$`)

// message adds what is wrong over at most limit lines. If it has to be cut, what it says at its end in
// parentheses stays.
func (p *page) message(s string, limit int) {
	text := p.text(s)
	end := closing.FindString(text)
	if end == "" || len(trace.Wrap(text, p.o.Width)) <= limit || trace.Columns(end) > p.o.Width {
		p.paragraph(s, limit)
		return
	}
	p.add(p.cut(trace.Wrap(strings.TrimSuffix(text, end), p.o.Width), limit-1, p.o.Width)...)
	p.add(strings.TrimPrefix(end, " "))
}

// section adds items beside a label: at most limit lines, each item at most
// lines of them. What does not fit is counted.
func (p *page) section(name string, items []string, limit, lines int) {
	width := p.o.Width - label
	var body []string
	for i, item := range items {
		wrapped := p.cut(trace.Wrap(p.text(item), width-2), lines, width-2)
		for k := range wrapped {
			if k > 0 {
				wrapped[k] = "  " + wrapped[k]
			}
		}
		// The last item may use the line that would otherwise hold the count.
		room := limit - len(body)
		if len(body) == 0 && len(items) > 1 {
			wrapped = p.cut(wrapped, max(1, room-1), width-2)
		}
		if left := len(items) - i; len(wrapped) > room || left > 1 && len(wrapped) >= room {
			body = append(body, p.text(fmt.Sprintf("… %d more (%s)", left, elsewhere)))
			break
		}
		body = append(body, wrapped...)
	}
	p.beside(name, body)
}

// beside adds lines that are already safe beside a label.
func (p *page) beside(name string, body []string) {
	for i, line := range body {
		if i > 0 {
			name = ""
		}
		p.add(p.paint(bold, name) + strings.Repeat(" ", label-len(name)) + line)
	}
}

// cut keeps the first lines and marks that more would follow.
func (p *page) cut(lines []string, limit, width int) []string {
	if len(lines) <= limit {
		return lines
	}
	lines = lines[:limit:limit]
	last, mark := lines[limit-1], p.text(" …")
	for trace.Columns(last+mark) > width {
		space := strings.LastIndexByte(last, ' ')
		if space < 0 {
			break
		}
		last = last[:space]
	}
	lines[limit-1] = last + mark
	return lines
}

// ANSI select-graphic-rendition codes.
const (
	bold       = "1"
	boldRed    = "1;31"
	boldGreen  = "1;32"
	boldYellow = "1;33"
	red        = "31"
	green      = "32"
	dim        = "2"
)

func (p *page) paint(code, s string) string {
	if !p.o.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
