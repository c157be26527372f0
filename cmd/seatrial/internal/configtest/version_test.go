package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
)

// version is one of two of a configuration, of a file of some name.
func version(t *testing.T, name, text string) Version {
	t.Helper()
	settings, err := change.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Version{Name: name, Text: []byte(text), Settings: settings}
}
