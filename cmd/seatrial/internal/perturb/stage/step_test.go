package stage

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
)

// TestNotQuietBehindAStep: what users have just done is still to be heard of, however
// long all was quiet before.
func TestNotQuietBehindAStep(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := &Stage{o: Options{Now: func() time.Time { return now }}, user: &Driver{}, effective: now}
	now = now.Add(time.Minute)
	if left := s.untilQuiet(time.Second); left > 0 {
		t.Fatalf("quiet in %s, and all was for a minute", left)
	}
	if _, err := s.step(t.Context(), &experiment.Step{Run: []string{"true"}}); err != nil {
		t.Fatal(err)
	}
	if left := s.untilQuiet(time.Second); left != time.Second {
		t.Errorf("quiet in %s right behind a step", left)
	}
}
