package report

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// Coverage says in a few sentences what was tried of a schema: the totals, and then the worst, at most so
// many names of each. None without a schema.
func Coverage(all []finding.Covered, names int) []string {
	if len(all) == 0 {
		return nil
	}
	properties, cases := 0, 0
	total := map[finding.Fate]int{}
	var opaque, without, partly []string
	for _, c := range all {
		if c.Opaque {
			opaque = append(opaque, c.Property)
		}
		of := map[finding.Fate]int{}
		var none []string
		for _, one := range c.Cases {
			of[one.Fate]++
			if one.Fate == finding.Ineffective {
				none = append(none, one.Name)
			}
		}
		tried := of[finding.Effective] + of[finding.Ineffective]
		if tried+of[finding.RefusedByServer] > 0 {
			properties++
		}
		cases += len(c.Cases)
		for fate, n := range of {
			total[fate] += n
		}
		switch {
		case len(none) > 0 && len(none) == tried:
			without = append(without, c.Property)
		case len(none) > 0:
			partly = append(partly, c.Property+": "+strings.Join(none, ", "))
		}
	}
	line := fmt.Sprintf("%s of %s tried by themselves, with %s: %d had an effect, %d had none", Thousands(properties), Count(len(all), "property", "properties"),
		Count(cases, "case", "cases"), total[finding.Effective], total[finding.Ineffective])
	for _, part := range []struct {
		fate finding.Fate
		text string
	}{
		{finding.RefusedBySchema, "the schema refuses %d"}, {finding.RefusedByServer, "the API server or a webhook %d"}, {finding.Untried, "there was no time for %d"},
	} {
		if n := total[part.fate]; n > 0 {
			line += ", " + fmt.Sprintf(part.text, n)
		}
	}
	lines := []string{line}
	for _, worst := range []struct {
		text, between string
		names         []string
	}{
		{"no case has an effect of: ", ", ", without},
		{"some cases have none, others do, of: ", "; ", partly},
		{"the schema does not say what is in (give values, kinds or examples): ", ", ", opaque},
	} {
		if n := len(worst.names); n > 0 {
			text := worst.text + strings.Join(worst.names[:min(n, names)], worst.between)
			if n > names {
				text += fmt.Sprintf(" and %d more", n-names)
			}
			lines = append(lines, text)
		}
	}
	return lines
}

// Fate is what became of a case, in words.
func Fate(f finding.Fate) string {
	switch f {
	case finding.Effective:
		return "had an effect"
	case finding.Ineffective:
		return "had no effect"
	case finding.RefusedBySchema:
		return "refused by the schema"
	case finding.RefusedByServer:
		return "refused by the API server or a webhook"
	}
	return "no time"
}
