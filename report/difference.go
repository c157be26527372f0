package report

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// columnsMax is how much of a line is shown.
const columnsMax = 240

// Heading is what a difference is of, and what its signs mean; that they are before and after goes without
// saying.
func Heading(d finding.Difference) string {
	title := d.Title
	if len(d.Lines) > 0 && d.Before != "" && d.Before != "before" {
		title += fmt.Sprintf(" (- %s, + %s)", d.Before, d.After)
	}
	if d.Note != "" {
		title += ": " + d.Note
	}
	return title
}

// Clipped are lines, at most so many and none too long. What is left out is counted.
func Clipped(lines []string, limit int) []string {
	var out []string
	for i, line := range lines {
		if i == limit-1 && len(lines) > limit {
			return append(out, fmt.Sprintf(" … %s", Count(len(lines)-i, "line more", "lines more")))
		}
		if runes := []rune(strings.ToValidUTF8(line, "\uFFFD")); len(runes) > columnsMax {
			line = string(runes[:columnsMax]) + fmt.Sprintf("… (%s more)", Count(len(runes)-columnsMax, "character", "characters"))
		}
		out = append(out, line)
	}
	return out
}
