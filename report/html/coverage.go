package html

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// coverage is what was tried of a schema: in a few sentences, and a row for each property.
type coverage struct {
	Lines []string     `json:"lines"`
	Rows  []coveredRow `json:"rows"`
	// Others are properties of which nothing is tried by itself, with why.
	Others []note `json:"others,omitempty"`
	// More says what is not shown.
	More string `json:"more,omitempty"`
}

type coveredRow struct {
	Property string        `json:"property"`
	Type     string        `json:"type,omitempty"`
	Cases    []coveredCase `json:"cases,omitempty"`
}

// coveredCase is a case with what became of it, which Said says in words.
type coveredCase struct {
	Name   string `json:"name"`
	Fate   string `json:"fate"`
	Said   string `json:"said"`
	Reason string `json:"reason,omitempty"`
}

const (
	// coveredRowsMax bounds the rows, and the names of properties without any; coveredNames those that a sentence has.
	coveredRowsMax = 1000
	coveredNames   = 10
)

func coverageOf(all []finding.Covered) *coverage {
	if len(all) == 0 {
		return nil
	}
	c := &coverage{Lines: printables(report.Coverage(all, coveredNames)), Rows: []coveredRow{}}
	others := map[string][]string{}
	var whys []string
	for _, p := range all {
		if len(p.Cases) == 0 {
			if others[p.Why] == nil {
				whys = append(whys, p.Why)
			}
			others[p.Why] = append(others[p.Why], p.Property)
			continue
		}
		r := coveredRow{Property: printable(p.Property), Type: printable(strings.TrimSpace(p.Type + " " + p.Kind))}
		for _, one := range p.Cases {
			r.Cases = append(r.Cases, coveredCase{printable(one.Name), string(one.Fate), report.Fate(one.Fate), printable(one.Reason)})
		}
		c.Rows = append(c.Rows, r)
	}
	if n := len(c.Rows) - coveredRowsMax; n > 0 {
		c.Rows, c.More = c.Rows[:coveredRowsMax], "… "+report.Count(n, "property more", "properties more")+": the JSON report has all"
	}
	for _, why := range whys {
		names := others[why]
		text := strings.Join(names[:min(len(names), coveredRowsMax)], ", ")
		if n := len(names) - coveredRowsMax; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		c.Others = append(c.Others, note{Text: printable(why), Field: printable(text)})
	}
	return c
}
