package output

import (
	"io"

	"github.com/seatrial/seatrial/report/junit"
)

var _ = register(Format{
	Name: "junit", Doc: "JUnit XML: a test case per property and subject",
	Report: func(w io.Writer, d Document, _ Setting) error { return junit.Write(w, d.Report) },
})
