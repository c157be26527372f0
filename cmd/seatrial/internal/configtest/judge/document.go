package judge

import (
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// RefusedDocument is the failure of a test that has the new version of a document in the place of its own one, where
// what it does with the old one in that place goes on: it fails at a place at which it did not, and does no more there
// than to say that there is an error, or the program panics. What it asserts of its own document fails with both. Nil
// if that is not so.
func (h HandsOn) RefusedDocument(t choose.Test, old, now *run.Outcome) *run.Outcome {
	if old.Ending != run.Passed && old.Ending != run.Failed {
		return nil
	}
	if now.Ending == run.Panicked && !panicsItself(now) {
		return now
	}
	if now.Ending != run.Failed || !elsewhere(now, old) {
		return nil
	}
	says := unlogged(now, old)
	if !h.error(t, says) || strings.TrimSpace(Says(says)) == "" {
		return nil
	}
	return says
}
