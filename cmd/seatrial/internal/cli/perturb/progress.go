package perturb

import (
	"fmt"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
)

// plainEach is how often a line is written where none can be overwritten.
const plainEach = 30 * time.Second

// progress shows how far a trial is.
type progress struct {
	console *console.Console
	mu      sync.Mutex
	shown   time.Time
	what    string
}

func (p *progress) update(s perturb.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.console.Quiet {
		return
	}
	text := ""
	switch s.What {
	case "start":
		text = "starting a control plane"
	case "learn":
		text = fmt.Sprintf("learning what is usual, from %d runs", s.Of)
	default:
		text = fmt.Sprintf("plan %d of %d, %d failed, about %s left", s.Done, s.Of, s.Failed, s.Left.Round(time.Second))
	}
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

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console.EndStatus()
}
