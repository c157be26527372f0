// Package progress shows on stderr how an exploration goes: of commands that explore by themselves.
package progress

import (
	"encoding/json"
	"fmt"
	"runtime/metrics"
	"time"

	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/statespace"
)

const (
	quietFor      = time.Second // short runs show no progress
	statusEvery   = time.Second
	plainLineEach = 30 * time.Second
)

// How progress is shown.
const (
	Auto  = "auto"
	Plain = "plain"
	JSON  = "json"
	None  = "none"
)

// Flag adds the flag that says how it is shown, and sets mode to what it is without.
func Flag(flags *pflag.FlagSet, mode *string) {
	*mode = Auto
	flags.Var(console.NewChoice(mode, Auto, Plain, JSON, None), "progress", "how to show progress on stderr; plain is a line every 30 s")
}

// Progress shows how an exploration goes. The engine calls it at most once a second.
type Progress struct {
	console *console.Console
	mode    string
	now     func() time.Time
	memory  func() uint64

	began, shown time.Time
	// About is what is being checked, if it is not the input itself.
	About string
	last  statespace.Progress
}

// New returns nil if no progress is wanted.
func New(c *console.Console, mode string) *Progress {
	if mode == None || c.Quiet {
		return nil
	}
	if mode == Auto && c.Streams.Rewritable() {
		mode = Auto
	} else if mode == Auto {
		mode = Plain
	}
	return &Progress{console: c, mode: mode, now: time.Now, memory: heap, began: time.Now()}
}

// Update shows s if it is time.
func (p *Progress) Update(s statespace.Progress) {
	now := p.now()
	every := statusEvery
	if p.mode == Plain {
		every = plainLineEach
	}
	if now.Sub(p.began) < quietFor || !p.shown.IsZero() && now.Sub(p.shown) < every {
		return
	}
	rate := p.rate(s, now)
	p.shown, p.last = now, s
	switch p.mode {
	case JSON:
		p.json(s, rate, now)
	case Plain:
		p.console.Line(p.line(s, rate, now))
	default:
		line := []rune(p.line(s, rate, now))
		p.console.Status(string(line[:min(len(line), 79)]))
	}
}

// End removes what was only for the time being.
func (p *Progress) End() { p.console.EndStatus() }

// rate is the number of states per second since it was last shown. A new
// exploration within one check begins at zero again.
func (p *Progress) rate(s statespace.Progress, now time.Time) int {
	since, states := now.Sub(p.shown), s.States-p.last.States
	if p.shown.IsZero() {
		since = now.Sub(p.began)
	}
	if states < 0 {
		states = s.States
	}
	return int(float64(states) / since.Seconds())
}

func (p *Progress) line(s statespace.Progress, rate int, now time.Time) string {
	return p.About + fmt.Sprintf("%4ds  %s states (%s/s)  frontier %s  depth %d  %s MiB",
		int(now.Sub(p.began).Seconds()), short(s.States), short(rate), short(s.Frontier), s.Depth, short(int(p.memory()>>20)))
}

// json writes one object per line. Its fields are only added to.
func (p *Progress) json(s statespace.Progress, rate int, now time.Time) {
	text, err := json.Marshal(struct {
		Seconds         float64 `json:"seconds"`
		States          int     `json:"states"`
		Transitions     int     `json:"transitions"`
		StatesPerSecond int     `json:"statesPerSecond"`
		Frontier        int     `json:"frontier"`
		Depth           int     `json:"depth"`
		MemoryBytes     uint64  `json:"memoryBytes"`
	}{float64(now.Sub(p.began).Milliseconds()) / 1000, s.States, s.Transitions, rate, s.Frontier, s.Depth, p.memory()})
	if err == nil { // numbers always encode
		p.console.Line(string(text))
	}
}

// short writes a number in at most five characters: 999, 12.3k, 4.5M.
func short(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk", float64(n/100)/10)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1fM", float64(n/100_000)/10)
	}
	return fmt.Sprintf("%.1fG", float64(n/100_000_000)/10)
}

// heap is the memory of the Go heap in use, in bytes.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
