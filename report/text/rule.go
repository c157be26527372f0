package text

import (
	"io"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// WriteRule renders all there is to say of a rule: what it means, why it is violated
// in Kubernetes, what people change, links, and e, an example that fails, whole. Of a
// rule about controllers it names the example.
func WriteRule(w io.Writer, r finding.Rule, e *finding.Example, o Options) error {
	p := newPage(o)
	p.add(p.paint(bold, r.ID+" "+r.Name))
	p.add(p.text(r.Title))
	p.blank()
	p.paragraphs(r.Means, "")
	p.heading("What does not count")
	p.paragraphs(r.Excuses, indent)
	p.reasons(r)
	p.asked(r)
	p.heading("Links")
	for _, l := range r.Links {
		p.add(indent+p.text(l.Title), indent+indent+l.URL)
	}
	p.add(indent+"this rule in the manual", indent+indent+r.URI())
	switch {
	case r.Controller() && r.Fails != "":
		p.experiments(r)
	case e != nil:
		p.example(r, e)
	}
	return p.write(w)
}

// asked says when a rule is judged.
func (p *page) asked(r finding.Rule) {
	p.heading("How it is asked for")
	if r.Controller() {
		p.paragraphs(strings.ReplaceAll(r.Asked(), "`", "")+weighs(r), indent)
		return
	}
	when := "seatrial " + r.Trial + " judges it always, unless a Scenario lists other properties."
	if r.OnRequest {
		when = "seatrial " + r.Trial + " judges it only where a Scenario asks for it, or --property=" + r.Name + "."
	}
	p.paragraphs(when+weighs(r)+" In a Scenario:", indent)
	p.blank()
	p.add(indent+"properties:", indent+"- rule: "+r.Name)
	for _, parameter := range r.Parameters {
		p.add(indent + "  " + parameter.Name + ":" + strings.Repeat(" ", max(1, 12-len(parameter.Name))) + "# " + p.text(strings.ReplaceAll(parameter.Doc, "`", "")))
	}
}

// weighs says of what level a violation is, behind another sentence.
func weighs(r finding.Rule) string {
	if r.Level == finding.LevelWarning {
		return " A violation is a warning."
	}
	return " A violation is an error."
}

// RuleHelp is a rule as viewers show it next to a finding: plain text without
// colours, its paragraphs unbroken.
func RuleHelp(r finding.Rule) string {
	var parts []string
	part := func(title, text string) {
		if text != "" {
			parts = append(parts, title+": "+text)
		}
	}
	parts = append(parts, r.Means)
	part("What does not count", r.Excuses)
	part("Why it happens", r.Why)
	if len(r.Mend) > 0 {
		parts = append(parts, "What people change:\n- "+strings.Join(r.Mend, "\n- "))
	}
	return strings.Join(parts, "\n\n")
}

// WriteRules renders a table of rules. more is what follows it.
func WriteRules(w io.Writer, all []finding.Rule, more string, o Options) error {
	p := newPage(o)
	rows := [][2]string{{"RULE", "NAME"}}
	for _, r := range all {
		name := r.Name
		if r.OnRequest {
			name += " +"
		}
		rows = append(rows, [2]string{r.ID, name})
	}
	var widths [2]int
	for _, row := range rows {
		for i := range row {
			widths[i] = max(widths[i], len(row[i]))
		}
	}
	const gap, least = "  ", 20
	before := widths[0] + widths[1] + 2*len(gap)
	for i, row := range rows {
		title := "A VIOLATION SAYS"
		if i > 0 {
			title = all[i-1].Title
		}
		left := row[0] + strings.Repeat(" ", widths[0]-len(row[0])) + gap + row[1] + strings.Repeat(" ", widths[1]-len(row[1])) + gap
		for _, line := range trace.Wrap(p.text(title), max(least, p.o.Width-before)) {
			p.add(left + line)
			left = strings.Repeat(" ", before)
		}
	}
	if more != "" && !p.o.Quiet {
		p.blank()
		p.paragraphs(more, "")
	}
	return p.write(w)
}

// reasons are the parts of a rule that help with a finding, too.
func (p *page) reasons(r finding.Rule) {
	p.heading("Why it happens")
	p.paragraphs(r.Why, indent)
	p.heading("What people change")
	for _, m := range r.Mend {
		for i, line := range trace.Wrap(p.text(m), p.o.Width-len(indent)-2) {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			p.add(indent + mark + line)
		}
	}
}

func (p *page) example(r finding.Rule, e *finding.Example) {
	p.heading("An example that fails: " + r.Fails)
	for i, f := range e.Files {
		if i > 0 {
			p.add(indent + "---")
		}
		p.add(indent + "# " + f.Name)
		for _, line := range strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n") {
			p.add(indent + p.text(line))
		}
	}
	p.blank()
	p.add("Try it: seatrial explain " + r.ID + " -o yaml | seatrial " + r.Trial + " -")
	p.heading("It holds with this change: " + r.Holds)
	for _, line := range strings.Split(strings.TrimSuffix(e.Difference, "\n"), "\n") {
		p.add(indent + p.text(line))
	}
}

// experiments names the examples of a rule about controllers.
func (p *page) experiments(r finding.Rule) {
	p.heading("A " + r.Example() + " that fails, and one that does not")
	p.paragraphs("In a clone of the repository, after make:", indent)
	p.blank()
	fails, holds := r.Commands()
	p.add(indent+fails, indent+holds)
}

// indent stands before what is below a heading.
const indent = "  "

func newPage(o Options) *page {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &page{o: o}
}

func (p *page) heading(title string) {
	p.blank()
	p.add(p.paint(bold, p.text(title)))
}

// paragraphs adds text whose paragraphs are apart by an empty line.
func (p *page) paragraphs(text, indent string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			p.add("")
		}
		for _, line := range trace.Wrap(p.text(paragraph), p.o.Width-len(indent)) {
			p.add(indent + line)
		}
	}
}
