package judge

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestUsedAsWritten: a library says what is written, 2m, and its caller is given 2m0s.
func TestUsedAsWritten(t *testing.T) {
	outcome := func(value, typed string, carried bool) *run.Outcome {
		out := &run.Outcome{Events: []record.Event{
			{Verb: record.Read, Subject: "koanf:window", Value: value, At: "app.go:3"},
			{Verb: record.Copied, Subject: "field:app.App.window", Value: typed, At: "app.go:3"},
		}}
		if carried {
			out.Events = append(out.Events, record.Event{Verb: record.Carried, Subject: "field:app.App.window", Value: typed, At: "app.go:9"})
		}
		return out
	}
	for _, c := range []struct {
		value, typed string
		carried      bool
	}{
		{"2m", "2m0s", true}, {"2m", "2m0s", false}, {"7", "7ns", true}, {"7", "7ns", false}, {"5.0", "5", true}, {"5.0", "5", false}, {"a", "a", true}, {"a", "a", false},
	} {
		after := outcome(c.value, c.typed, c.carried)
		if is := used(after.Events[0], outcome("1m", "1m0s", c.carried), after); is != c.carried {
			t.Errorf("%+v: used is %t", c, is)
		}
	}
}

// TestOnlyCopied: what is said to be only copied has to have come there; where a test makes its configuration itself,
// it is what it was.
func TestOnlyCopied(t *testing.T) {
	outcome := func(value string) *run.Outcome {
		return &run.Outcome{Events: []record.Event{
			{Verb: record.Read, Subject: "field:Config.port", Value: value, At: "app.go:3?"},
			{Verb: record.Copied, Subject: "field:app.App.port", Value: value, At: "app.go:3"},
		}}
	}
	old, now := "80", "81"
	c := choose.Change{Class: &parameter.Class{ID: "field:Config.port"}, IDs: []parameter.ID{"field:Config.port"}, Old: &old, New: &now}
	for value, want := range map[string]string{"80": "", "81": "app.App.port at app.go:3", "0.081": "app.App.port at app.go:3"} {
		if got := onlyCopied(c, outcome("80"), outcome(value)); got.At != want {
			t.Errorf("%s: it says %q, want %q", value, got, want)
		}
	}
}
