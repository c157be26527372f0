package campaign

import (
	"fmt"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
)

// told is a line for people.
func told(s campaign.Progress) string {
	left := ""
	if s.Left > 0 {
		left = fmt.Sprintf(", about %s left", s.Left.Round(time.Second))
	}
	switch s.What {
	case "start":
		return "starting a control plane"
	case "set up":
		return "setting up what the campaign needs in the cluster"
	case "learn":
		return "running the seed, to learn what is usual"
	case "provide":
		return fmt.Sprintf("running the seed again, with %s that it refers to and nobody gave", objects(s.Of))
	case "reproduce":
		return fmt.Sprintf("looking for it, %d of %d", s.Done+1, s.Of)
	case "repeat":
		return fmt.Sprintf("finding %d of %d is tried again%s", min(s.Done+1, s.Of), s.Of, left)
	case "reduce":
		return fmt.Sprintf("finding %d of %d is made smaller%s", min(s.Done+1, s.Of), s.Of, left)
	}
	return fmt.Sprintf("operation %d of %d, %d found%s", s.Done, s.Of, s.Found, left)
}

func objects(n int) string {
	if n == 1 {
		return "an object"
	}
	return fmt.Sprintf("%d objects", n)
}
