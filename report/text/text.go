// Package text renders a report for people: the verdict and its bound first,
// then the shortest trace as differences, the causes with file and line, what
// was assumed and left out, and the command that repeats it. It fits in 40
// lines, or in 40 for each violation if all were asked for; the JSON format has
// everything.
package text

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// Options say how Write prints. The zero value is 80 columns without colour.
type Options struct {
	// Width is the number of columns to fill; 0 means 80. Only names, places
	// and the command that repeats the run may be longer.
	Width int
	// Color uses ANSI colours.
	Color bool
	// ASCII uses no character outside ASCII.
	ASCII bool
	// Quiet prints a line for each violation, for an inconclusive run one for each that is not
	// confirmed and its reason, and nothing for a run that holds.
	Quiet bool
	_     struct{}
}

// linesMax is the most lines a report takes.
const linesMax = 40

// titleLines is the most lines that the title of a property takes: names are
// long, and one that is cut does not say which.
const titleLines = 2

// coverageNames is how many properties are named of each kind, and coverageLines the most lines of all.
const (
	coverageNames = 3
	coverageLines = 5
	// actionLines is the most lines for actions, valuesNamed how many parts of a state are named.
	actionLines = 60
	valuesNamed = 6
)

const elsewhere = "-o json has all"

// Write renders r to w. All text of r is escaped: nothing in a user's files
// can move the cursor, colour the terminal or break a line.
func Write(w io.Writer, r *finding.Report, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &page{o: o}
	verdict := report.Overall(r)
	violated := report.With(r.Results, finding.Violated)
	switch {
	case o.Quiet:
		p.quiet(r, verdict, violated)
	case verdict == finding.Violated && r.All && len(violated) > 0:
		if err := p.all(r, violated); err != nil {
			return err
		}
	case verdict == finding.Violated:
		if err := p.violated(r, violated); err != nil {
			return err
		}
	case verdict == finding.Holds:
		p.holds(r)
	default:
		if err := p.inconclusive(r); err != nil {
			return err
		}
	}
	return p.write(w)
}

func (p *page) quiet(r *finding.Report, v finding.Verdict, violated []finding.Result) {
	for _, result := range violated {
		p.add(p.paint(boldRed, "VIOLATED") + "  " + p.text(title(result)))
	}
	if v == finding.Inconclusive {
		for _, result := range report.Unconfirmed(r.Results) {
			p.add(p.paint(boldYellow, "NOT CONFIRMED") + "  " + p.text(title(result)))
		}
		p.add(p.paint(boldYellow, "INCONCLUSIVE") + "  " + p.text(report.Reason(r)))
	}
}

func (p *page) violated(r *finding.Report, violated []finding.Result) error {
	first := finding.Result{Name: "no property is named", Verdict: finding.Violated}
	if len(violated) > 0 {
		first, violated = violated[0], violated[1:]
	}
	p.add(p.paint(boldRed, "VIOLATED") + "  " + p.text(title(first)) + beside(r))
	p.bound(r)
	if first.Message != "" {
		p.blank()
		p.message(first.Message, 3)
	}

	return p.fit(first, func(rest *page, limits sections) {
		rest.differences(first, limits)
		rest.section("cause", causes(first.Causes), limits.causes, causeLines(first.Causes))
		rest.suggestions(first, limits.suggested)
		rest.section("also", p.lineEach(violated), limits.others, titleLines)
		rest.undecided(r, report.With(r.Results, finding.Inconclusive), limits.undecided)
		rest.footer(r, limits.assumptions)
	})
}

// fit adds the trace of a violation and the sections after it: all of it if
// there is room on the page, or else short sections and as much of the trace as
// fits.
func (p *page) fit(violation finding.Result, after func(rest *page, limits sections)) error {
	var table, tail []string
	for _, limits := range []sections{roomy, tight} {
		rest := &page{o: p.o}
		after(rest, limits)
		tail = rest.lines
		room := linesMax - len(p.lines) - 2 - len(tail)
		if violation.Trace == nil {
			break
		}
		if room <= 0 {
			continue
		}
		options := trace.Options{Width: p.o.Width, Color: p.o.Color, ASCII: p.o.ASCII, Elsewhere: elsewhere}
		if limits == tight {
			options.Lines = room
		}
		var b bytes.Buffer
		if err := violation.Trace.Write(&b, options); err != nil {
			return err
		}
		table = strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(table) <= room {
			break
		}
	}
	if len(table) > 0 {
		p.blank()
		p.add(table...)
	}
	p.blank()
	p.add(tail...)
	return nil
}

// sections are the most lines that each section takes.
type sections struct{ differences, causes, suggested, others, undecided, assumptions int }

var (
	roomy = sections{16, 10, 16, 10, 5, 10}
	tight = sections{9, 6, 6, 3, 2, 3}
)

// lineEach names results, with their messages where those fit whole.
func (p *page) lineEach(results []finding.Result) []string {
	lines := titles(results)
	for i, result := range results {
		if line := lines[i] + sentence(": ", result.Message); trace.Columns(p.text(line)) <= p.o.Width-label-2 {
			lines[i] = line
		}
	}
	return lines
}

func (p *page) holds(r *finding.Report) {
	what := "nothing was checked"
	held := report.With(r.Results, finding.Holds)
	if n := len(held); n > 0 {
		what = report.Count(n, "property", "properties") + " up to this bound"
	}
	vacuous, notes := vacuity(held)
	if vacuous > 0 {
		what += fmt.Sprintf(", %d of them vacuously", vacuous)
	}
	what += beside(r)
	p.add(p.paint(boldGreen, "HOLDS") + "  " + what)
	p.bound(r)
	p.blank()
	p.section("holds", grouped(held), 16, titleLines)
	p.section("vacuous", notes, 6, 2)
	p.footer(r, 6)
}

// vacuity counts the results that could not have failed, and says why, with the
// properties that one reason is about together.
func vacuity(results []finding.Result) (n int, notes []string) {
	var order []string
	about := map[string][]string{}
	for _, result := range results {
		why := result.Vacuous
		if why == "" {
			for _, w := range result.Witnesses {
				if !w.Reached {
					why = "never reached: " + w.Name
				}
			}
		}
		if why == "" {
			continue
		}
		n++
		if about[why] == nil {
			order = append(order, why)
		}
		if name := cmp.Or(result.Rule, result.Name); !slices.Contains(about[why], name) {
			about[why] = append(about[why], name)
		}
	}
	for _, why := range order {
		notes = append(notes, strings.Join(about[why], ", ")+": "+why)
	}
	return n, notes
}

func (p *page) inconclusive(r *finding.Report) error {
	lines := p.cut(trace.Wrap("INCONCLUSIVE  "+p.text(report.Reason(r)), p.o.Width), 2, p.o.Width)
	lines[0] = p.paint(boldYellow, "INCONCLUSIVE") + strings.TrimPrefix(lines[0], "INCONCLUSIVE")
	p.add(lines...)
	p.bound(r)
	p.blank()
	if all := report.Unconfirmed(r.Results); len(all) > 0 {
		return p.unconfirmed(r, all)
	}
	p.paragraph("Nothing was found in what was explored. That is not a pass.", 1)
	p.blank()
	p.openings(r, 9, 10)
	held := "holds"
	if !r.Bound.Complete && len(report.With(r.Results, finding.Inconclusive)) == 0 {
		held = "so far" // none of them is decided: what was not explored may show otherwise
	}
	p.section(held, grouped(report.With(r.Results, finding.Holds)), 4, titleLines)
	p.footer(r, 6)
	return nil
}

// unconfirmed shows what was seen and is not confirmed, as a violation is shown.
func (p *page) unconfirmed(r *finding.Report, all []finding.Result) error {
	first := all[0]
	p.add(p.paint(boldYellow, "NOT CONFIRMED") + "  " + p.text(title(first)))
	p.message(first.Message, 3)
	p.paragraph("It may be chance. That is not a pass.", 1)
	return p.fit(first, func(rest *page, limits sections) {
		rest.differences(first, limits)
		rest.section("cause", causes(first.Causes), limits.causes, causeLines(first.Causes))
		rest.section("also", p.lineEach(all[1:]), limits.others, titleLines)
		rest.openings(r, 3, limits.undecided)
		rest.footer(r, limits.assumptions)
	})
}

// openings adds what was left out and could matter, and what is undecided.
func (p *page) openings(r *finding.Report, leftOut, open int) {
	var blocks []string
	for _, o := range r.Omissions {
		if o.Blocking && !o.Accepted {
			blocks = append(blocks, place(o.Location)+o.Name+sentence(": ", o.Reason)+"; --accept "+o.Name)
		}
	}
	p.section("left out", blocks, leftOut, 3)
	p.undecided(r, report.Undecided(r.Results), open)
}

// undecided adds results without a verdict, each with the reason, unless the first line of the page has it.
func (p *page) undecided(r *finding.Report, results []finding.Result, limit int) {
	lines := titles(results)
	for i, result := range results {
		if why := cmp.Or(result.Message, result.Reason); r.Verdict != finding.Inconclusive || why != report.Reason(r) {
			lines[i] += sentence(": ", why)
		}
	}
	p.section("undecided", lines, limit, titleLines)
}

// bound adds what was explored, over at most four lines.
func (p *page) bound(r *finding.Report) { p.paragraph("bound: "+report.Bound(r), 4) }

// footer adds what every report ends with: assumptions, what was left out,
// versions and the command.
func (p *page) footer(r *finding.Report, assumptions int) {
	p.section("ignored", excused(r), 6, titleLines)
	if s := r.Suggesting; s != nil {
		p.section("tried", nonEmpty(report.Suggested(s)), 2, 2)
	}
	p.section("coverage", report.Coverage(r.Coverage, coverageNames), coverageLines, 2)
	p.section("actions", report.Actions(r.Actions), actionLines, 2)
	p.section("growth", report.Growth(r.Growth, valuesNamed), 4, 3)
	p.section("reduced", r.Bound.Reductions, 4, 1)
	p.section("assumes", r.Assumptions, assumptions, 2)
	p.section("warns", unplaced(r), 5, 3)
	if aside := leftOut(r); aside != "" {
		p.section("aside", []string{aside}, 2, 2)
	}
	p.section("by", nonEmpty(report.Versions(r)), 1, 1)
	if r.Command != "" {
		p.beside("repeat", []string{p.text(r.Command)})
	}
}

// beside counts what is ignored, for the line of the verdict.
func beside(r *finding.Report) string {
	if n := len(report.Ignored(r.Results)); n > 0 {
		return ", " + report.Count(n, "violation", "violations") + " ignored"
	}
	return ""
}

// excused names what is ignored, with the reasons.
func excused(r *finding.Report) []string {
	var lines []string
	for _, result := range report.Ignored(r.Results) {
		lines = append(lines, title(result)+": "+report.Excuse(result.Ignored))
	}
	return lines
}

// unplaced are the warnings that are about no line of a file, but about what happened.
func unplaced(r *finding.Report) []string {
	var lines []string
	for _, w := range r.Warnings {
		if w.Location == (finding.Location{}) {
			lines = append(lines, w.Message)
		}
	}
	return lines
}

// leftOut counts what the text does not list.
func leftOut(r *finding.Report) string {
	var parts []string
	if n := len(r.Omissions); n > 0 {
		accepted := 0
		for _, o := range r.Omissions {
			if o.Accepted {
				accepted++
			}
		}
		part := report.Count(n, "thing left out of account", "things left out of account")
		if accepted > 0 {
			part += fmt.Sprintf(" (%d accepted)", accepted)
		}
		parts = append(parts, part)
	}
	if n := len(r.Warnings) - len(unplaced(r)); n > 0 {
		parts = append(parts, report.Count(n, "warning", "warnings"))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " (" + elsewhere + ")"
}

// title names a result: SEA1001 no-endless-eviction  Deployment default/web.
func title(r finding.Result) string {
	return strings.TrimSpace(strings.TrimSpace(r.Rule+" "+r.Name) + "  " + r.Subject)
}

func titles(results []finding.Result) []string {
	var all []string
	for _, r := range results {
		all = append(all, title(r))
	}
	return all
}

// grouped is a line per property with its subjects, in order of appearance.
func grouped(results []finding.Result) []string {
	var order []string
	subjects := make(map[string][]string)
	for _, r := range results {
		key := strings.TrimSpace(r.Rule + " " + r.Name)
		if _, seen := subjects[key]; !seen {
			order = append(order, key)
		}
		subjects[key] = append(subjects[key], r.Subject)
	}
	for i, key := range order {
		all := subjects[key]
		order[i] = strings.TrimSpace(key + "  " + strings.Join(all, ", "))
		if len(all) > 3 {
			order[i] = fmt.Sprintf("%s  %s, … (%d)", key, strings.Join(all[:2], ", "), len(all))
		}
	}
	return order
}

func sentence(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
