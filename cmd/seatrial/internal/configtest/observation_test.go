package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestConfiguration: which files of a module may be configurations, by their names.
func TestConfiguration(t *testing.T) {
	for file, want := range map[string]bool{
		"deploy/config.yaml": true, "app.env": true, "config/testdata/good.yml": false, "testdata/a/b.json": false, "testdatas/a.toml": true, "main.go": false,
	} {
		if got := configuration(file); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}

// TestBesides: what a test reads besides the values that it sets, in whichever way they are written.
func TestBesides(t *testing.T) {
	for name, c := range map[string]struct {
		sets, reads []string // values
		want        bool
	}{
		"its own":          {[]string{"3"}, []string{"3"}, false},
		"as configured":    {[]string{"0"}, []string{"0", "5"}, true},
		"another way":      {[]string{"1m", "a,b", "2.50"}, []string{"1m0s", "[a b]", "2.5"}, false},
		"sets none":        {nil, []string{"5"}, false}, // then it reads it, and nothing else
		"nobody knows who": {[]string{"0"}, []string{"?"}, false},
	} {
		var events []record.Event
		for _, v := range c.sets {
			events = append(events, record.Event{Verb: record.Set, Subject: "flag:--a", Value: v, At: record.Test})
		}
		for _, v := range c.reads {
			at := "a.go:1"
			if v == "?" {
				at += record.Unsure
			}
			events = append(events, record.Event{Verb: record.Read, Subject: "flag:--a", Value: v, At: at})
		}
		if got := len(besides(events)) > 0; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
