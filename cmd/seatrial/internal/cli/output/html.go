package output

import (
	"io"

	"github.com/seatrial/seatrial/finding"
	reporthtml "github.com/seatrial/seatrial/report/html"
)

var _ = register(Format{
	Name: "html", Doc: "for people: a page to step through what happens, in one file",
	Report: func(w io.Writer, d Document, _ Setting) error {
		return reporthtml.Write(w, d.Report, reporthtml.Options{Facts: d.Facts})
	},
	Simulation: func(w io.Writer, sim *finding.Simulation, _ Setting) error { return reporthtml.WriteSimulation(w, sim) },
})
