package perturb

import (
	"fmt"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
)

// told is a line for people.
func told(s perturb.Progress) string {
	switch s.What {
	case "start":
		return "starting a control plane"
	case "learn":
		return fmt.Sprintf("learning what is usual, from %d runs", s.Of)
	}
	return fmt.Sprintf("plan %d of %d, %d failed, about %s left", s.Done, s.Of, s.Failed, s.Left.Round(time.Second))
}
