package settle

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
	"github.com/seatrial/seatrial/finding"
)

// Outcome is what a run came to.
type Outcome struct {
	// Tests are what each call of settle.Check has left, by package and test.
	Tests       []Message
	Interrupted bool

	packages []tested
}

// trouble is what went wrong beside what was found, a line or more for each. An error does not
// take back what the outcome has.
func (r *record) trouble(o *Outcome, exit process.Exit) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []error
	for _, m := range o.Tests {
		if m.Error != "" {
			all = append(all, inputf("%s: %s", o.subject(&m), m.Error))
		}
	}
	if r.builds.Len() > 0 {
		all = append(all, inputf("the tests do not compile:\n%s", lastLines(r.builds.String(), 20)))
	}
	for _, p := range o.packages {
		all = append(all, r.unheard(o, p)...)
	}
	switch {
	case len(all) > 0 || exit.Code == 0 && len(o.Tests) > 0:
	case exit.Code == 0:
		all = append(all, inputf("no test that calls settle.Check was run: does --run match one?"))
	case exit.Code != 1 || len(o.Tests) == 0:
		all = append(all, inputf("go test %s:\n%s", exit, lastLines(r.loose.String(), 20)))
	}
	return errors.Join(all...)
}

// unheard are the failures of a package that no report tells of.
func (r *record) unheard(o *Outcome, p tested) (all []error) {
	for name := range r.failed {
		path, test, _ := strings.Cut(name, " ")
		if path != p.path || test == "" {
			continue
		}
		told := func(m Message) bool {
			return m.Directory == p.directory && (m.Test == test || strings.HasPrefix(m.Test, test+"/") || strings.HasPrefix(test, m.Test+"/")) &&
				(m.Error != "" || m.Report != nil && m.Report.Verdict != finding.Holds)
		}
		if !slices.ContainsFunc(o.Tests, told) {
			all = append(all, inputf("%s of %s fails, and not by what settle found:\n%s", test, p.path, r.tail(name)))
		}
	}
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	open := slices.ContainsFunc(o.Tests, func(m Message) bool { return m.Directory == p.directory && !m.over() })
	if open && len(all) == 0 {
		all = append(all, inputf("the tests of %s ended by themselves:\n%s", p.path, r.tail(p.path+" ")))
	}
	return all
}

// tailLines is how many lines are shown of what a test said.
const tailLines = 12

// tail is the end of what a test said, from its panic on if there is one: what follows are calls, of which
// the first are the user's.
func (r *record) tail(name string) string {
	if r.output[name] == nil {
		return "(it said nothing)"
	}
	text := strings.ReplaceAll(r.output[name].String(), "\t", "    ")
	at := strings.LastIndex("\n"+text, "\npanic: ")
	if at < 0 {
		return lastLines(text, tailLines)
	}
	var lines []string
	for line := range strings.Lines(text[at:]) {
		if line = strings.TrimRight(line, "\n"); line != "" && len(lines) < tailLines {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// subject names a test, with its package where there are several.
func (o *Outcome) subject(m *Message) string {
	if len(o.packages) < 2 {
		return m.Test
	}
	return filepath.Base(m.Directory) + "." + m.Test
}

// Begun tells whether there is anything to report of: a search that is over, or one that had begun.
func (o *Outcome) Begun() bool {
	return slices.ContainsFunc(o.Tests, func(m Message) bool { return m.Error == "" })
}

// Report is the outcome for all formats.
func (o *Outcome) Report() *finding.Report {
	r := &finding.Report{Tool: "seatrial", Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}, Interrupted: o.Interrupted}
	r.Bound.Complete, r.All = true, len(o.Tests) > 1 // a violation ends the search of its test only
	var verdicts []finding.Verdict
	var bounds []string
	for i := range o.Tests {
		m := &o.Tests[i]
		switch {
		case m.Report != nil:
			add(r, m, o.subject(m))
			verdicts = append(verdicts, m.Report.Verdict)
			bounds = append(bounds, fmt.Sprintf("%s: %s", o.subject(m), m.Report.Bound.Text))
		case m.Error == "":
			verdicts = append(verdicts, finding.Inconclusive)
			r.Bound.Complete, r.Bound.Reason = false, "not all searches came to their end"
			r.Bound.States += m.States
			r.Results = append(r.Results, finding.Result{
				Rule: "SEA5001", Name: "settles", Subject: o.subject(m), Verdict: finding.Inconclusive,
				Reason: fmt.Sprintf("its search was ended in the middle, with %d states", m.States),
			})
		}
	}
	r.Verdict = finding.Combine(verdicts...)
	switch len(bounds) {
	case 0:
		r.Bound.Text = "no search came to its end"
	case 1:
		_, r.Bound.Text, _ = strings.Cut(bounds[0], ": ")
	default:
		r.Bound.Text = fmt.Sprintf("%d searches, each up to a bound of its own", len(bounds))
		r.Assumptions = append(bounds, r.Assumptions...)
	}
	if r.Verdict == finding.Inconclusive && r.Reason == "" {
		r.Reason = "not all searches came to their end"
		if len(o.Tests) == 0 {
			r.Reason = "no search was begun"
		}
	}
	return r
}

// add adds the report of a test.
func add(r *finding.Report, m *Message, subject string) {
	from := m.Report
	r.Kubernetes = from.Kubernetes
	for _, result := range from.Results {
		result.Subject = subject + strings.TrimPrefix(result.Subject, m.Test)
		r.Results = append(r.Results, result)
	}
	for _, a := range from.Assumptions {
		if !slices.Contains(r.Assumptions, a) {
			r.Assumptions = append(r.Assumptions, a)
		}
	}
	r.Warnings = append(r.Warnings, from.Warnings...)
	b := &r.Bound
	b.States, b.Transitions, b.Depth = b.States+from.Bound.States, b.Transitions+from.Bound.Transitions, max(b.Depth, from.Bound.Depth)
	if !from.Bound.Complete && b.Complete {
		b.Complete, b.Reason = false, from.Bound.Reason
	}
	if from.Verdict == finding.Inconclusive && r.Reason == "" {
		r.Reason = subject + ": " + from.Reason
	}
}
