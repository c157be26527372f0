package settle

import (
	"fmt"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/settle"
	"github.com/seatrial/seatrial/report"
)

// plainEach is how often a line is written where none can be overwritten.
const plainEach = 30 * time.Second

// progress shows how far a run is.
type progress struct {
	console *console.Console
	mu      sync.Mutex
	shown   time.Time
}

func (p *progress) update(s settle.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.console.Quiet {
		return
	}
	text := "building the tests of " + report.Count(s.Packages, "package", "packages")
	switch {
	case s.Test != "":
		text = fmt.Sprintf("%s: %s; %d over", s.Test, report.Count(s.States, "state", "states"), s.Done)
	case s.Tests > 0:
		text = fmt.Sprintf("%d over", s.Done)
	}
	if p.console.Streams.Rewritable() {
		p.console.Status(text)
		return
	}
	now := p.console.Now()
	if p.shown.IsZero() || now.Sub(p.shown) >= plainEach {
		p.console.Line(text)
		p.shown = now
	}
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console.EndStatus()
}
