package campaign

import (
	"fmt"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
)

// plainEach is how often a line is written where none can be overwritten.
const plainEach = 30 * time.Second

// progress shows how far a campaign is.
type progress struct {
	console *console.Console
	mu      sync.Mutex
	shown   time.Time
	what    string
}

func (p *progress) update(s campaign.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.console.Quiet {
		return
	}
	text := told(s)
	if p.console.Streams.Rewritable() {
		p.console.Status(text)
		return
	}
	now := p.console.Now()
	if s.What != p.what || now.Sub(p.shown) >= plainEach {
		p.console.Line(text)
		p.shown, p.what = now, s.What
	}
}

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
	case "reproduce":
		return fmt.Sprintf("looking for it, %d of %d", s.Done+1, s.Of)
	case "repeat":
		return fmt.Sprintf("finding %d of %d is tried again%s", min(s.Done+1, s.Of), s.Of, left)
	case "reduce":
		return fmt.Sprintf("finding %d of %d is made smaller%s", min(s.Done+1, s.Of), s.Of, left)
	}
	return fmt.Sprintf("operation %d of %d, %d found%s", s.Done, s.Of, s.Found, left)
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console.EndStatus()
}
