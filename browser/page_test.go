package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report/html"
)

// written is a file with the page of a report.
func written(t testing.TB, r *finding.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Write(&b, r, html.Options{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
