package markdown

import (
	"fmt"
	"path"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// Rule is what there is to say of a rule beside its name and title, as viewers show
// it next to a finding. The texts of rules are ours and are not escaped.
func Rule(r finding.Rule) string {
	var b strings.Builder
	b.WriteString(r.Means + "\n")
	part := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, text)
		}
	}
	part("What does not count", r.Excuses)
	part("Why it happens", r.Why)
	part("What people change", list(r.Mend))
	var links []string
	for _, l := range r.Links {
		links = append(links, fmt.Sprintf("[%s](%s)", l.Title, l.URL))
	}
	part("Links", list(links))
	return b.String()
}

func list(items []string) string {
	var lines []string
	for _, item := range items {
		lines = append(lines, "- "+item)
	}
	return strings.Join(lines, "\n")
}

// RulePage is a rule's page of the manual. folder is where a folder of the
// repository is found from the page. The example of a rule about controllers may be
// nil; its files are shown where they are known.
func RulePage(r finding.Rule, e *finding.Example, folder func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n*%s*\n\n%s", r.ID, r.Name, r.Title, Rule(r))
	if r.Controller() {
		experiments(&b, r, e, folder)
		return b.String()
	}
	b.WriteString("\n## Parameters\n\n")
	if r.OnRequest {
		b.WriteString("Checked when a scenario asks for it, with\n\n")
	} else {
		b.WriteString("Checked unless a scenario lists other properties. It takes\n\n")
	}
	b.WriteString("| parameter | meaning |\n|---|---|\n")
	for _, p := range r.Parameters {
		fmt.Fprintf(&b, "| `%s` | %s |\n", p.Name, p.Doc)
	}
	fmt.Fprintf(&b, "\n```yaml\nproperties:\n- rule: %s\n```\n", r.Name)
	fmt.Fprintf(&b, "\n## Examples\n\n[`%s`](%s) fails", r.Fails, folder(r.Fails))
	if e.Said == "" {
		b.WriteString(".\n")
		for _, f := range e.Files {
			fmt.Fprintf(&b, "\n```yaml\n# %s\n%s```\n", f.Name, f.Text)
		}
	} else {
		fmt.Fprintf(&b, ":\n\n```\n$ seatrial %s %s\n%s\n```\n", r.Trial, r.Fails, e.Said)
	}
	fmt.Fprintf(&b, "\n[`%s`](%s) holds. It differs in\n\n```diff\n%s```\n", r.Holds, folder(r.Holds), e.Difference)
	return b.String()
}

// experiments are the examples of a rule about controllers.
func experiments(b *strings.Builder, r finding.Rule, e *finding.Example, folder func(string) string) {
	fails, _ := r.Commands()
	if fails == "" {
		fmt.Fprintf(b, "\n## How it is judged\n\n%s\n", r.Asked())
		return
	}
	fmt.Fprintf(b, "\n## Examples\n\n%s In a clone of the repository, after `make`,\n\n", r.Asked())
	fmt.Fprintf(b, "```\n%s\n```\n\nfinds it in [a %s](%s) that is wrong, and nothing in the [same](%s) without the mistake.\n", fails, r.Example(), folder(r.Fails), folder(r.Holds))
	if e == nil {
		return
	}
	for _, f := range e.Files {
		fmt.Fprintf(b, "\n`%s`:\n\n```%s\n%s```\n", f.Name, strings.TrimPrefix(path.Ext(f.Name), "."), f.Text)
	}
}

// Rules is the manual's list of rules. page is where the page of a rule is found from
// it, and cel the one on properties of the user's own.
func Rules(all []finding.Rule, page func(finding.Rule) string, cel string) string {
	var b strings.Builder
	b.WriteString("# Rules\n\nWhat seatrial knows by name. `seatrial explain RULE` shows the same as the page of a rule.\n\n## Of configurations\n\n")
	b.WriteString("`seatrial check` judges those with a + when a scenario asks for them, the others always, unless a scenario lists\nother properties. Properties of your own are written [in CEL](" + cel + ").\n\n")
	table := func(trial string) {
		b.WriteString("| rule | name | a violation says |\n|---|---|---|\n")
		for _, r := range all {
			if r.Trial != trial {
				continue
			}
			plus := ""
			if r.OnRequest {
				plus = " +"
			}
			fmt.Fprintf(&b, "| [%s](%s) | %s%s | %s |\n", r.ID, page(r), r.Name, plus, r.Title)
		}
	}
	table("check")
	b.WriteString("\n## Of controllers\n\n`seatrial perturb` judges all of them, or those that `--pattern` names.\n\n")
	table("perturb")
	b.WriteString("\n## Of operators\n\n`seatrial campaign` judges all of them, but those whose oracle is switched off.\n\n")
	table("campaign")
	b.WriteString("\n## Of changed configurations\n\n`seatrial configtest diff` judges them, and `seatrial configtest generate` the last two.\n\n")
	table("configtest")
	b.WriteString("\n## Of reconcilers\n\n`seatrial settle` judges all of them, and `settle.Check` in a test.\n\n")
	table("settle")
	b.WriteString("\n## Of specifications\n\n`seatrial spec` judges what a specification and its configuration claim.\n\n")
	table("spec")
	return b.String()
}
