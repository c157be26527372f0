package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// WriteSimulation renders a random walk to w: what it is, every step of it, what
// it rests on, and the command that repeats it. With Quiet it is the steps only.
func WriteSimulation(w io.Writer, s *finding.Simulation, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &page{o: o}
	steps := 0
	if s.Trace != nil {
		steps = len(s.Trace.Steps)
	}
	if !o.Quiet {
		const word = "SIMULATED"
		said := fmt.Sprintf("%s  %s from seed %d: %s", word, report.Count(steps, "step", "steps"), s.Seed, s.End)
		lines := p.cut(trace.Wrap(p.text(said), o.Width), 2, o.Width)
		lines[0] = p.paint(bold, word) + strings.TrimPrefix(lines[0], word)
		p.add(lines...)
		p.paragraph("one random walk of "+s.Text+"; no rule is judged", 3)
		p.blank()
	}
	if s.Trace != nil {
		var b bytes.Buffer
		if err := s.Trace.Write(&b, trace.Options{Width: o.Width, Color: o.Color, ASCII: o.ASCII}); err != nil {
			return err
		}
		p.add(strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
	}
	if !o.Quiet {
		p.blank()
		p.footer(&finding.Report{
			Tool: s.Tool, Version: s.Version, Kubernetes: s.Kubernetes, Command: s.Command,
			Assumptions: s.Assumptions, Omissions: s.Omissions, Warnings: s.Warnings,
		}, 10)
	}
	return p.write(w)
}
