package html

import (
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// difference is an object in two versions, row by row.
type difference struct {
	Title  string   `json:"title"`
	Note   string   `json:"note,omitempty"`
	Before string   `json:"before,omitempty"`
	After  string   `json:"after,omitempty"`
	Fields []string `json:"fields,omitempty"`
	Rows   []row    `json:"rows,omitempty"`
	// More says what is not shown.
	More string `json:"more,omitempty"`
}

// row is a line of both versions; one of them may have none.
type row struct {
	Before *string `json:"before,omitempty"`
	After  *string `json:"after,omitempty"`
	// Alike tells that both are the same.
	Alike bool `json:"alike,omitempty"`
}

const (
	differenceLinesMax  = 400
	differenceFieldsMax = 8
)

func versions(all []finding.Difference) []difference {
	var out []difference
	for _, from := range all {
		d := difference{Title: printable(from.Title), Note: printable(from.Note), Before: printable(from.Before), After: printable(from.After)}
		d.Fields = printables(from.Fields[:min(len(from.Fields), differenceFieldsMax)])
		lines := from.Lines[:min(len(from.Lines), differenceLinesMax)]
		if n := len(from.Lines) - len(lines); n > 0 {
			d.More = "… " + report.Count(n, "line more", "lines more") + ": the JSON report has all"
		}
		d.Rows = rows(report.Clipped(lines, len(lines)))
		out = append(out, d)
	}
	return out
}

// rows sets lines that are in the first version alone beside those behind them that are in the second.
func rows(lines []string) []row {
	var out []row
	open, last := 0, "" // the first row that has no line of the second version yet, and the sign of the line before
	for _, line := range lines {
		sign, text := line[:min(len(line), 1)], printable(strings.ReplaceAll(line[min(len(line), 1):], "\t", tab))
		switch {
		case sign == "-":
			if last == "+" {
				open = len(out)
			}
			out = append(out, row{Before: &text})
		case sign == "+" && open < len(out):
			out[open].After = &text
			open++
		case sign == "+":
			out = append(out, row{After: &text})
			open = len(out)
		default:
			out = append(out, row{Before: &text, After: &text, Alike: true})
			open = len(out)
		}
		last = sign
	}
	return out
}
