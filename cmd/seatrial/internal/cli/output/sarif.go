package output

import (
	"io"

	"github.com/seatrial/seatrial/report/sarif"
)

var _ = register(Format{
	Name: "sarif", Doc: "SARIF 2.1.0, for code scanning",
	Report: func(w io.Writer, d Document, _ Setting) error { return sarif.Write(w, d.Report, d.Rules) },
})
