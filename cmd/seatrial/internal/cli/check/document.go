package check

import (
	"io"

	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	reporttext "github.com/seatrial/seatrial/report/text"
)

type report struct{ *finding.Report }

func (r report) JSON(w io.Writer) error { return reportjson.Write(w, r.Report) }
func (r report) Text(w io.Writer, o reporttext.Options) error {
	return reporttext.Write(w, r.Report, o)
}

type simulation struct{ *finding.Simulation }

func (s simulation) JSON(w io.Writer) error { return reportjson.WriteSimulation(w, s.Simulation) }
func (s simulation) Text(w io.Writer, o reporttext.Options) error {
	return reporttext.WriteSimulation(w, s.Simulation, o)
}
