package output

import (
	"io"

	"github.com/seatrial/seatrial/finding"
	reporttext "github.com/seatrial/seatrial/report/text"
)

var _ = register(Format{
	Name: Text, Doc: "for people, at a terminal",
	Report: func(w io.Writer, d Document, s Setting) error { return reporttext.Write(w, d.Report, s.text()) },
	Simulation: func(w io.Writer, sim *finding.Simulation, s Setting) error {
		return reporttext.WriteSimulation(w, sim, s.text())
	},
})

func (s Setting) text() reporttext.Options {
	return reporttext.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Quiet: s.Quiet}
}
