package console

import (
	"sync"
	"time"
)

// plainEach is how often a line is written where none can be overwritten.
const plainEach = 30 * time.Second

// Progress shows how far something is that takes long.
type Progress struct {
	console *Console
	mu      sync.Mutex
	shown   time.Time
	what    string
}

// Progress is one that has shown nothing.
func (c *Console) Progress() *Progress { return &Progress{console: c} }

// Tell shows a text instead of the one before. Where lines cannot be overwritten it is shown if
// something else is being done, or now and then.
func (p *Progress) Tell(what, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.console.Quiet {
		return
	}
	if p.console.Streams.Rewritable() {
		p.console.Status(text)
		return
	}
	now := p.console.Now()
	if what != p.what || now.Sub(p.shown) >= plainEach {
		p.console.Line(text)
		p.shown, p.what = now, what
	}
}

// End takes away what was shown last.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console.EndStatus()
}
