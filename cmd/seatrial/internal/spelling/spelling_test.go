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

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"maxloss", "maxlost", true}, {"maxloss", "MaxLsos", true}, {"loglevel", "zaplevel", false}, {"", "ab", true}, {"", "abc", false}} {
		if got := spelling.Within(c.a, c.b, 2); got != c.want {
			t.Errorf("%q is within two slips of %q: %t", c.a, c.b, got)
		}
	}
}
