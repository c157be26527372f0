package report

import (
	"fmt"

	"github.com/seatrial/seatrial/finding"
)

// Suggested says what was tried for suggestions, in one sentence.
func Suggested(s *finding.Suggesting) string {
	text := fmt.Sprintf("%s, each by a check of its own; with %d of them all was well", Count(s.Tried, "change", "changes"), s.Held)
	if s.Reason != "" {
		text += "; not all that are known: " + s.Reason
	}
	return text
}
