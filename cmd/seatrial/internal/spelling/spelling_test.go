package spelling_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"timeout", "max-states", "max-memory"}
	for word, want := range map[string]string{
		"timeuot":    "timeout", // neighbours changed places
		"TIMEOUT":    "timeout",
		"max-state":  "max-states",
		"max-memery": "max-memory",
		"colour":     "",
		"t":          "",
		"":           "",
	} {
		if got := spelling.Nearest(word, names); got != want {
			t.Errorf("the nearest of %q is %q, want %q", word, got, want)
		}
	}
}
