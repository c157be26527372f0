package output

import (
	"io"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report/markdown"
)

var _ = register(Format{
	Name: "markdown", Doc: "for summaries and comments",
	Report: func(w io.Writer, d Document, _ Setting) error { return markdown.Write(w, d.Report) },
	Simulation: func(w io.Writer, sim *finding.Simulation, _ Setting) error {
		return markdown.WriteSimulation(w, sim)
	},
})
