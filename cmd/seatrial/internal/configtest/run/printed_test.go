package run

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// TestPrinted: of what is shortened no line is cut.
func TestPrinted(t *testing.T) {
	got := printed(process.Output{First: []byte("one\npassword hun"), Last: []byte("ter2 is wrong\nFAIL\n"), Bytes: 1000})
	if strings.Contains(got, "hun") || strings.Contains(got, "ter2") || got != "one\n… 991 bytes are left out …\nFAIL\n" {
		t.Errorf("it is %q", got)
	}
}
