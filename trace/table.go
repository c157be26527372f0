package trace

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Options say how Write prints. The zero value prints every step in full, 80
// columns wide and without colour.
type Options struct {
	// Width is the number of columns to fill; 0 means 80.
	Width int
	// Lines bounds the number of lines: first notes and differences are cut,
	// then steps in the middle are left out, which is said in place. 0 means no
	// bound; a bound below 8 is taken as 8.
	Lines int
	// Elsewhere says where the whole trace can be had, for that notice.
	Elsewhere string
	// Color uses ANSI colours.
	Color bool
	// ASCII uses no character outside ASCII.
	ASCII bool
	_     struct{}
}

// Write prints the trace as a table: the initial state, then the numbered
// steps, each with its actor, what it did, why, and the fields it changed. The
// steps that repeat for ever are marked. All text is made safe with Printable.
func (t *Trace) Write(w io.Writer, o Options) error {
	if err := t.checkLoop(); err != nil {
		return fmt.Errorf("write trace: %w", err)
	}
	for _, line := range newTable(t, o).lines() {
		if _, err := io.WriteString(w, strings.TrimRight(line, " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// detail is how much of each step is shown.
type detail struct {
	initial int // lines of the initial state
	text    int // lines of each sentence
	note    int
	changes int
}

const unlimited = 1 << 30

var (
	full    = detail{unlimited, unlimited, unlimited, unlimited}
	compact = detail{3, 2, 1, 1}
	brief   = detail{4, 2, 0, 1}
	bare    = detail{1, 1, 0, 0}
)

const (
	gutter     = 2 // the mark of steps in the loop
	actorWidth = 20
	linesMin   = 8
)

type table struct {
	trace         *Trace
	o             Options
	number, actor int // widths of these columns
}

func newTable(t *Trace, o Options) *table {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Lines > 0 {
		o.Lines = max(o.Lines, linesMin)
	}
	p := &table{trace: t, o: o, number: len(strconv.Itoa(len(t.Steps))), actor: len("start")}
	for _, s := range t.Steps {
		p.actor = max(p.actor, Columns(p.text(s.Actor)))
	}
	p.actor = min(p.actor, actorWidth)
	return p
}

// lines renders the most detailed form that fits: every step in full or with
// less, every step but some without differences, or some steps only.
func (p *table) lines() []string {
	steps := make([]detail, len(p.trace.Steps))
	for _, d := range []detail{full, compact, brief, bare} {
		for i := range steps {
			steps[i] = d
		}
		lines := p.render(steps, d)
		if p.o.Lines > 0 && len(lines) > p.o.Lines {
			continue
		}
		if d == bare {
			return p.raise(steps, brief, brief, lines)
		}
		return lines
	}
	d := brief
	lines := p.sparse(steps, d)
	if len(lines) > p.o.Lines {
		d = bare
		lines = p.sparse(steps, d)
	}
	return p.raise(steps, d, d, lines)
}

// sparse renders the first step, the last, the first of the loop and the turns only.
func (p *table) sparse(steps []detail, d detail) []string {
	clear(steps)
	for _, i := range append([]int{0, len(steps) - 1, p.loop()}, p.turns()...) {
		if i < len(steps) {
			steps[i] = d
		}
	}
	return p.render(steps, d)
}

// raise gives one step after the other the detail d, as long as that fits: in
// turn the next one from the first turn in both directions, from the end backwards,
// from the start of the loop and from the start. lines is what the steps as they are
// look like.
func (p *table) raise(steps []detail, d, initial detail, lines []string) []string {
	n := len(steps)
	if better := p.render(steps, initial); len(better) <= p.o.Lines {
		lines = better
	} else {
		initial = bare
	}
	turns := p.turns()
	for k := range n {
		next := []int{n - 1 - k, p.loop() + k, k}
		if len(turns) > 0 {
			next = append([]int{turns[0] + k, turns[0] - k}, next...)
		}
		for _, i := range next {
			if i < 0 || i >= n || steps[i] == d {
				continue
			}
			before := steps[i]
			steps[i] = d
			more := p.render(steps, initial)
			if len(more) > p.o.Lines {
				steps[i] = before
				return lines
			}
			lines = more
		}
	}
	return lines
}

// turns are the indices of the steps that the rest turns on.
func (p *table) turns() []int {
	var turns []int
	for i := range p.trace.Steps {
		if p.trace.Steps[i].Turn {
			turns = append(turns, i)
		}
	}
	return turns
}

// loop is the index of the first step that repeats, or the number of steps.
func (p *table) loop() int {
	if p.trace.Loop == nil {
		return len(p.trace.Steps)
	}
	return *p.trace.Loop
}

// render renders each step with its detail, and a notice for steps without.
func (p *table) render(steps []detail, initial detail) []string {
	lines := p.initial(initial)
	for i := 0; i < len(steps); i++ {
		if steps[i] != (detail{}) {
			lines = append(lines, p.step(i, steps[i])...)
			continue
		}
		from := i
		for i+1 < len(steps) && steps[i+1] == (detail{}) {
			i++
		}
		lines = append(lines, p.gap(from, i))
	}
	if p.trace.Loop != nil {
		lines = append(lines, p.paint(yellow, p.repeats()))
	}
	return lines
}

// initial is a line for each line of the initial state, or, if it has to be
// short, as much of it as fits in a paragraph.
func (p *table) initial(d detail) []string {
	var lines []string
	if d == full {
		for _, text := range p.trace.Initial {
			lines = append(lines, p.wrap(text, unlimited)...)
		}
	} else if len(p.trace.Initial) > 0 {
		lines = p.wrap(strings.Join(p.trace.Initial, "; "), d.initial)
	}
	for i := range lines {
		label := ""
		if i == 0 {
			label = "start"
		}
		lines[i] = strings.Repeat(" ", gutter+p.number+2) + pad(label, p.actor) + "  " + lines[i]
	}
	return lines
}

func (p *table) step(i int, d detail) []string {
	s := p.trace.Steps[i]
	if d == brief && s.Note != "" {
		d.note, d.changes = 1, 0 // why says more than what, which the action has said
	}
	mark := "  "
	if i >= p.loop() {
		mark = p.paint(yellow, p.text("│")) + " "
	}
	actor := p.text(s.Actor)
	blank := mark + strings.Repeat(" ", p.number+2+p.actor+2)
	var lines []string
	for k, text := range p.action(s.Action, d.text) {
		if k > 0 {
			lines = append(lines, blank+text)
			continue
		}
		head := fmt.Sprintf("%*d  ", p.number, i+1)
		lines = append(lines, mark+head+p.paint(cyan, pad(actor, p.actor))+"  "+text)
	}
	if s.Note != "" && d.note > 0 {
		for _, text := range p.wrap("("+s.Note+")", d.note) {
			lines = append(lines, blank+p.paint(dim, text))
		}
	}
	if d.changes > 0 && d.changes < len(s.Changes) && s.Changes[0].Object == "" {
		return append(lines, p.together(s.Changes, d.text, blank+"  ")...)
	}
	changes := s.Changes[:min(len(s.Changes), d.changes)]
	for k, c := range changes {
		more := ""
		if left := len(s.Changes) - len(changes); k == len(changes)-1 && left > 0 {
			more = fmt.Sprintf(" (and %d more)", left)
		}
		for _, text := range p.change(c, more, d.text) {
			lines = append(lines, blank+"  "+text)
		}
	}
	return lines
}

// became is how a sentence ends that says which number became which: from 3 to
// 6; replicas 3 to 6, another pod template.
var became = regexp.MustCompile(` [^ ]+ [0-9]+ to [0-9]+[^0-9]{0,30}$`)

// action is the sentence of a step over at most limit lines. If it has to be
// cut, the numbers at its end stay and words before them go.
func (p *table) action(s string, limit int) []string {
	text, width := p.text(s), p.textWidth()
	lines, end := Wrap(text, width), became.FindString(text)
	if len(lines) <= limit || end == "" || Columns(end) > 2*width/3 {
		return p.cut(lines, limit, width)
	}
	lines = Wrap(strings.TrimSuffix(text, end), width)
	lines = lines[:min(limit, len(lines)):min(limit, len(lines))]
	last, mark := lines[len(lines)-1], p.text(" …")
	for Columns(last+mark+end) > width {
		space := strings.LastIndexByte(last, ' ')
		if space < 0 {
			return p.cut(Wrap(text, width), limit, width)
		}
		last = last[:space]
	}
	lines[len(lines)-1] = last + mark + end
	return lines
}

// together are changes of variables in a few lines: they are short, and one says little without the others. Of fields
// of one record, those after the first are named by themselves.
func (p *table) together(changes []Change, limit int, blank string) []string {
	var all []string
	of := ""
	for _, c := range changes {
		name := c.Name()
		if dot := strings.LastIndexByte(name, '.'); dot > 0 {
			if name[:dot] == of {
				name = name[dot:]
			} else {
				of = name[:dot]
			}
		}
		all = append(all, p.text(name)+": "+p.text(c.Values("–")))
	}
	lines := p.cut(Wrap(strings.Join(all, "; "), p.textWidth()-2), limit, p.textWidth()-2)
	for i := range lines {
		lines[i] = blank + lines[i]
	}
	return lines
}

// change is one line, object field: from → to, or a few when that is too long.
func (p *table) change(c Change, more string, limit int) []string {
	c.From, c.To = p.text(c.From), p.text(c.To)
	head, values := p.text(c.Name())+": ", p.text(c.Values("–"))
	if Columns(head+values+more) > p.textWidth()-2 {
		return p.cut(Wrap(head+values+more, p.textWidth()-2), limit, p.textWidth()-2)
	}
	switch {
	case c.Part && c.From == "":
		values = p.paint(green, values)
	case c.Part:
		values = p.paint(red, values)
	default:
		c.From, c.To = p.paint(red, cmp.Or(c.From, p.text("–"))), p.paint(green, cmp.Or(c.To, p.text("–")))
		values = c.From + p.text(" → ") + c.To
	}
	return []string{head + values + p.paint(dim, more)}
}

func (p *table) gap(from, to int) string {
	what := fmt.Sprintf("steps %d–%d", from+1, to+1)
	if from == to {
		what = fmt.Sprintf("step %d", from+1)
	}
	text := fmt.Sprintf("  … %s left out", what)
	if p.o.Elsewhere != "" {
		text += " (" + p.o.Elsewhere + ")"
	}
	if from >= p.loop() {
		text = "│" + text[1:]
	}
	return p.paint(dim, p.text(text))
}

func (p *table) repeats() string {
	first, last := p.loop()+1, len(p.trace.Steps)
	switch {
	case first > last:
		return p.text("↻ this state stays for ever")
	case first == last:
		return p.text(fmt.Sprintf("↻ step %d repeats for ever", first))
	}
	return p.text(fmt.Sprintf("↻ steps %d–%d repeat for ever", first, last))
}

func (p *table) textWidth() int {
	return max(20, p.o.Width-gutter-p.number-2-p.actor-2)
}

func (p *table) wrap(s string, limit int) []string {
	return p.cut(Wrap(p.text(s), p.textWidth()), limit, p.textWidth())
}

// cut keeps the first lines and marks that more would follow. Of a long word that does not fit its
// beginning is kept, where without it the line would be nearly empty.
func (p *table) cut(lines []string, limit, width int) []string {
	if len(lines) <= limit {
		return lines
	}
	next := lines[limit]
	lines = lines[:limit:limit]
	last, mark := lines[limit-1], p.text(" …")
	if mark = strings.TrimPrefix(mark, " "); Columns(last) < width/4 {
		lines[limit-1] = clip(last+" "+next, width-Columns(mark)) + mark
		return lines
	}
	mark = " " + mark
	for Columns(last+mark) > width {
		space := strings.LastIndexByte(last, ' ')
		if space < 0 {
			break
		}
		last = last[:space]
	}
	lines[limit-1] = last + mark
	return lines
}

func (p *table) text(s string) string { return Printable(s, p.o.ASCII) }

// ANSI select-graphic-rendition codes.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
	dim    = "2"
)

func (p *table) paint(code, s string) string {
	if !p.o.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
