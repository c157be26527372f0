package output

import (
	"io"

	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
)

// JSON is the format that holds everything, and from which every other can be
// made later.
const JSON = "json"

var _ = register(Format{
	Name: JSON, Doc: "for programs: everything, as docs/report-schema.json has it",
	Report:     func(w io.Writer, d Document, _ Setting) error { return reportjson.Write(w, d.Report) },
	Simulation: func(w io.Writer, sim *finding.Simulation, _ Setting) error { return reportjson.WriteSimulation(w, sim) },
})
