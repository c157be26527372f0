package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seatrial/seatrial/report/github"
	"github.com/seatrial/seatrial/report/markdown"
)

// summaryVariable names the file whose content a workflow shows as the summary of
// a step.
const summaryVariable = "GITHUB_STEP_SUMMARY"

var _ = register(Format{
	Name: "github", Doc: "annotations of GitHub Actions, and the summary of the step",
	Report: func(w io.Writer, d Document, _ Setting) error { return github.Write(w, d.Report) },
	Then:   summarise,
})

// summarise adds the Markdown to the step's summary, inside a workflow. It adds:
// other commands of the step write there too.
func summarise(d Document, s Setting) error {
	file := s.Env(summaryVariable)
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	if err := markdown.Write(&b, d.Report); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("write the step's summary (%s): %w", summaryVariable, cause(err))
	}
	_, err = f.Write(b.Bytes())
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the step's summary (%s): %w", summaryVariable, cause(err))
	}
	return nil
}
