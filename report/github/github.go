// Package github renders a report as workflow commands of GitHub Actions, which
// put annotations on the lines of manifests.
package github

import (
	"fmt"
	"io"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// Write renders r to w, a line for each annotation: an error for each violation, a
// warning for what is undecided and for what is left out and could matter, a
// notice for what is ignored, and one for a run that holds. GitHub shows ten of each
// sort for a step, so that the violations come first and what all say alike is said
// once.
func Write(w io.Writer, r *finding.Report) error {
	var b strings.Builder
	for _, one := range report.With(r.Results, finding.Violated) {
		annotate(&b, "error", first(one.Causes), report.Property(one), violation(one))
	}
	verdict := report.Overall(r)
	if verdict == finding.Inconclusive {
		annotate(&b, "warning", finding.Location{}, "seatrial: inconclusive", report.Reason(r)+". That is not a pass.")
		for _, o := range r.Omissions {
			if o.Blocking && !o.Accepted {
				annotate(&b, "warning", o.Location, "left out of account", o.Name+": "+o.Reason)
			}
		}
	}
	// Beside a violation, too: but not that the search for others ended with it.
	for _, one := range report.With(r.Results, finding.Inconclusive) {
		said := one.Message == "" && (one.Reason == "" || one.Reason == r.Bound.Reason || verdict == finding.Inconclusive && one.Reason == report.Reason(r))
		switch {
		case said:
		case one.Message != "":
			annotate(&b, "warning", first(one.Causes), report.Property(one)+": not confirmed", violation(one))
		default:
			annotate(&b, "warning", first(one.Causes), report.Property(one), one.Subject+": inconclusive: "+one.Reason)
		}
	}
	for _, one := range report.Ignored(r.Results) {
		annotate(&b, "notice", first(one.Causes), report.Property(one), one.Subject+": ignored: "+report.Excuse(one.Ignored))
	}
	if verdict == finding.Holds {
		annotate(&b, "notice", finding.Location{}, "seatrial: holds", report.Count(len(report.With(r.Results, finding.Holds)), "property", "properties")+" up to this bound: "+report.Bound(r))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// violation is what is said of one: what is wrong, and the places.
func violation(r finding.Result) string {
	text := r.Subject + ": " + r.Message
	if r.Message == "" {
		text = r.Subject + " violates " + report.Property(r)
	}
	lines := []string{text}
	for _, c := range r.Causes {
		line := c.Message
		if at := c.Location.FileLine(); at != "" {
			line = at + ": " + line
		}
		lines = append(lines, line)
	}
	for i := range lines {
		lines[i] = trace.Printable(lines[i], false)
	}
	return strings.Join(lines, "\n")
}

// first is the first place in a file that a runner has.
func first(causes []finding.Cause) finding.Location {
	for _, c := range causes {
		if _, _, _, ok := c.Location.Artifact(); ok {
			return c.Location
		}
	}
	return finding.Location{}
}

// annotate writes one command.
func annotate(b *strings.Builder, command string, at finding.Location, title, message string) {
	var about []string
	add := func(name, value string) { about = append(about, name+"="+property.Replace(value)) }
	if file, line, column, ok := at.Artifact(); ok {
		add("file", strings.TrimPrefix(file, "./"))
		if line > 0 {
			add("line", fmt.Sprint(line))
		}
		if line > 0 && column > 0 {
			add("col", fmt.Sprint(column))
		}
	}
	add("title", trace.Printable(title, false))
	fmt.Fprintf(b, "::%s %s::%s\n", command, strings.Join(about, ","), data.Replace(message))
}

// Workflow commands end at a line's end; a property of one at a comma or colon.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
