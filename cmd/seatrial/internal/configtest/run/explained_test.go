package run

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// TestExplained: that a process of several tests fails, though each of them has passed, is not passed over.
func TestExplained(t *testing.T) {
	began := func(label string) record.Event { return record.Event{Process: "1", Label: label, Verb: record.Begin} }
	ended := func(label string, as Ending) record.Event {
		return record.Event{Process: "1", Label: label, Verb: record.End, Value: string(as)}
	}
	for name, c := range map[string]struct {
		code   int
		events []record.Event
		want   bool
	}{
		"all pass":                      {0, []record.Event{began("a"), ended("a", Passed)}, true},
		"one fails":                     {1, []record.Event{began("a"), ended("a", Failed), began("b"), ended("b", Passed)}, true},
		"what is around them fails":     {1, []record.Event{began("a"), ended("a", Passed), began("b"), ended("b", Skipped)}, false},
		"one panics":                    {2, []record.Event{began("a"), ended("a", Panicked)}, true},
		"one is at work":                {2, []record.Event{began("a"), ended("a", Passed), began("b")}, true},
		"what one has deferred panics":  {2, []record.Event{began("a"), ended("a", Failed), began("b"), ended("b", Passed)}, false},
		"a process of theirs is killed": {1, []record.Event{began("a"), ended("a", Passed), {Process: "2", Label: "a", Verb: record.Begin}}, false},
	} {
		if got := explained(process.Exit{Code: c.code}, c.events); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
