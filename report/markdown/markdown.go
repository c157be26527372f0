// Package markdown renders a report as GitHub-flavoured Markdown, for the summary
// of a workflow and for comments.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

const (
	// shownMax is how many violations are shown with their steps; a summary holds
	// one MiB.
	shownMax = 20
	// stepLinesMax is the most lines of a trace.
	stepLinesMax = 80
	// rowsMax is the most rows of a table or items of a list.
	rowsMax = 200
)

// Write renders r to w: the verdict, each violation with its steps and places, then
// what held, what was assumed and left out, and the command that repeats it.
func Write(w io.Writer, r *finding.Report) error {
	p := &page{}
	violated := report.With(r.Results, finding.Violated)
	ignored := report.Ignored(r.Results)
	p.heading(r, len(violated), len(ignored))
	p.line("Bound: %s", text(report.Bound(r)))
	p.line("")
	for i, one := range violated {
		if i == shownMax {
			p.line("… and %d more; the JSON report has all.\n", len(violated)-i)
			break
		}
		if err := p.violation(one); err != nil {
			return err
		}
	}
	if err := p.unconfirmed(r); err != nil {
		return err
	}
	p.omissions(r, true)
	p.table("Undecided", report.Undecided(r.Results), func(one finding.Result) string { return one.Reason })
	p.table("Ignored", ignored, func(one finding.Result) string { return report.Excuse(one.Ignored) })
	held := report.With(r.Results, finding.Holds)
	if len(held) > 0 {
		p.fold(report.Count(len(held), "property holds", "properties hold"), func() {
			p.table("", held, func(one finding.Result) string {
				if one.Vacuous != "" {
					return "vacuous: " + one.Vacuous
				}
				return ""
			})
		})
	}
	p.footer(r)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// WriteSimulation renders a random walk to w, every step of it.
func WriteSimulation(w io.Writer, s *finding.Simulation) error {
	p := &page{}
	steps := 0
	if s.Trace != nil {
		steps = len(s.Trace.Steps)
	}
	p.line("## ▶ seatrial: %s from seed %d: %s\n", report.Count(steps, "step", "steps"), s.Seed, text(s.End))
	p.line("One random walk of %s; no rule is judged.\n", text(s.Text))
	if s.Trace != nil {
		if err := p.steps(s.Trace, 0); err != nil {
			return err
		}
	}
	p.footer(&finding.Report{
		Tool: s.Tool, Version: s.Version, Kubernetes: s.Kubernetes, Command: s.Command,
		Assumptions: s.Assumptions, Omissions: s.Omissions, Warnings: s.Warnings,
	})
	_, err := io.WriteString(w, p.b.String())
	return err
}

type page struct{ b strings.Builder }

// each gives what f makes of every line.
func each(lines []string, f func(string) string) []string {
	var all []string
	for _, line := range lines {
		all = append(all, f(line))
	}
	return all
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

func (p *page) heading(r *finding.Report, violated, ignored int) {
	beside := ""
	if ignored > 0 {
		beside = ", " + report.Count(ignored, "violation", "violations") + " ignored"
	}
	switch report.Overall(r) {
	case finding.Violated:
		p.line("## ❌ seatrial: violated%s\n", beside)
		if violated > 1 {
			p.line("%s.\n", report.Count(violated, "property is violated", "properties are violated"))
		}
	case finding.Holds:
		p.line("## ✅ seatrial: holds%s\n", beside)
		p.line("%s up to this bound.\n", report.Count(len(report.With(r.Results, finding.Holds)), "property holds", "properties hold"))
	default:
		p.line("## ❔ seatrial: inconclusive%s\n", beside)
		p.line("%s\n", text(report.Reason(r)))
		if len(report.Unconfirmed(r.Results)) > 0 {
			p.line("What is below may be chance. That is not a pass.\n")
			return
		}
		p.line("Nothing was found in what was explored. That is not a pass.\n")
	}
}

// unconfirmed shows what was seen and may be chance, as violations are shown.
func (p *page) unconfirmed(r *finding.Report) error {
	all := report.Unconfirmed(r.Results)
	for i, one := range all {
		if i == shownMax {
			p.line("… and %d more; the JSON report has all.\n", len(all)-i)
			break
		}
		if err := p.violation(one); err != nil {
			return err
		}
	}
	return nil
}

func (p *page) violation(r finding.Result) error {
	p.line("### %s — %s\n", code(report.Property(r)), code(r.Subject))
	if r.Message != "" {
		p.line("%s\n", text(r.Message))
	}
	if r.Verdict == finding.Inconclusive && r.Reason != "" {
		p.line("**Not confirmed:** %s\n", text(r.Reason))
	}
	p.differences("What was done", r.Applied)
	p.differences("What is different", r.Compared)
	var leads []string
	for _, c := range r.Consequences {
		leads = append(leads, text(c))
	}
	p.list("What comes of it", leads)
	for _, c := range r.Causes {
		at := ""
		if place := c.Location.FileLine(); place != "" {
			at = code(place) + " "
		}
		p.line("- %s%s", at, text(c.Message))
	}
	if len(r.Causes) > 0 {
		p.line("")
	}
	p.suggestions(r)
	if r.Trace == nil {
		return nil
	}
	return p.steps(r.Trace, stepLinesMax)
}

// steps adds a trace, folded unless it is short.
func (p *page) steps(t *trace.Trace, lines int) error {
	var b strings.Builder
	if err := t.Write(&b, trace.Options{Lines: lines, Elsewhere: "the JSON report has all"}); err != nil {
		return err
	}
	table := strings.TrimSuffix(b.String(), "\n")
	fence := strings.Repeat("`", max(3, longest(table)+1))
	summary := report.Count(len(t.Steps), "step", "steps")
	if end := report.End(t); end != "" {
		summary += "; " + end
	}
	p.fold(summary, func() { p.line("%s\n%s\n%s", fence, table, fence) })
	return nil
}

func (p *page) omissions(r *finding.Report, blocking bool) {
	var items []string
	for _, o := range r.Omissions {
		if (o.Blocking && !o.Accepted) != blocking {
			continue
		}
		item := code(o.Name) + ": " + text(o.Reason)
		if at := o.Location.FileLine(); at != "" {
			item = code(at) + " " + item
		}
		if blocking {
			item += "; " + code("--accept "+o.Name)
		} else if o.Accepted {
			item += " (accepted)"
		}
		items = append(items, item)
	}
	title := "Left out of account"
	if blocking {
		title = "Left out, and could change the verdict"
	}
	p.list(title, items)
}

func (p *page) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	p.line("**%s**\n", title)
	for i, item := range items {
		if i == rowsMax {
			p.line("- … and %d more; the JSON report has all", len(items)-i)
			break
		}
		p.line("- %s", item)
	}
	p.line("")
}

// table has a row for each result.
func (p *page) table(title string, results []finding.Result, note func(finding.Result) string) {
	if len(results) == 0 {
		return
	}
	if title != "" {
		p.line("**%s**\n", title)
	}
	p.line("| property | subject | |\n|---|---|---|")
	for i, r := range results {
		if i == rowsMax {
			p.line("| … and %d more | the JSON report has all | |", len(results)-i)
			break
		}
		p.line("| %s | %s | %s |", cell(code(report.Property(r))), cell(code(r.Subject)), cell(text(note(r))))
	}
	p.line("")
}

// fold hides what body adds behind a line.
func (p *page) fold(summary string, body func()) {
	p.line("<details><summary>%s</summary>\n", text(summary))
	body()
	p.line("\n</details>\n")
}

func (p *page) footer(r *finding.Report) {
	var assumed, warnings []string
	for _, a := range r.Assumptions {
		assumed = append(assumed, text(a))
	}
	for _, w := range r.Warnings {
		at := ""
		if place := w.Location.FileLine(); place != "" {
			at = code(place) + " "
		}
		warnings = append(warnings, at+text(w.Message))
	}
	p.fold("What this rests on", func() {
		p.list("Assumed", assumed)
		p.omissions(r, false)
		p.list("Warnings", warnings)
		p.list("Tried of the schema", each(report.Coverage(r.Coverage, rowsMax), text))
		p.list("Actions", each(report.Actions(r.Actions), text))
		p.list("Growth", each(report.Growth(r.Growth, rowsMax), text))
		p.line("%s", text(report.Versions(r)))
	})
	if r.Command != "" {
		p.line("Repeat it with %s", code(r.Command))
	}
}
