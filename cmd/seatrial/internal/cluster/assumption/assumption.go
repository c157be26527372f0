// Package assumption says what is assumed of the world around manifests that
// say nothing of it: which nodes there are, and what may happen to them. Its
// table for users is docs/defaults.md.
package assumption

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// Completed is an input with nothing left unsaid.
type Completed struct {
	Input *manifest.Input
	Lines []Line
}

// Line is one thing that was assumed, in words.
type Line struct {
	Text string
	// About are the actors, by their titles, and the subjects of rules that it
	// concerns alone; none if it concerns any.
	About []string
}

// Asked is what a check is narrowed to.
type Asked struct {
	// Exact keeps to the least number of nodes.
	Exact bool
	// Happens tells which types of events may happen.
	Happens func(scenario.EventType) bool
}

// Runs tells how many of the pods that the workloads of an input want run when
// its nodes are filled from empty.
type Runs func(*manifest.Input) (running, wanted int, err error)

// eventsMax is how many events one behaviour has without a scenario.
const eventsMax = 2

// Complete returns in as it is checked: without any node it gets a default
// pool, and without a Scenario the default events. in itself is not changed.
func Complete(in *manifest.Input, asked Asked, runs Runs) (Completed, error) {
	c := Completed{Input: clone(in)}
	spec := &c.Input.Scenario.Value.Spec
	if in.Scenario == nil {
		c.Lines = append(c.Lines, defaultEvents(c.Input, spec, asked.Happens)...)
	}
	if len(in.Nodes) > 0 || len(spec.NodePools) > 0 {
		return c, nil
	}
	lines, err := defaultPool(c.Input, spec, asked.Exact, runs)
	for _, line := range lines {
		c.Lines = append(c.Lines, Line{Text: line})
	}
	return c, err
}

// clone copies what Complete changes: the input and its Scenario, empty if
// there is none.
func clone(in *manifest.Input) *manifest.Input {
	out, s := *in, &scenario.Scenario{}
	o := manifest.Object[*scenario.Scenario]{}
	if in.Scenario != nil {
		o, *s = *in.Scenario, *in.Scenario.Value
	}
	o.Value = s
	out.Scenario = &o
	return &out
}

// defaultEvents lets every workload be rolled, every node drained or lost, and
// every load move within the range of its autoscaler. The lines are about those
// that happen.
func defaultEvents(in *manifest.Input, spec *scenario.Spec, happens func(scenario.EventType) bool) []Line {
	twice, in2 := eventsMax, eventsMax
	spec.MaxEvents = &in2
	var words []string
	add := func(word string, e *scenario.Event) {
		spec.Events = append(spec.Events, *e)
		if happens(e.Type) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(in.Deployments) > 0 {
		add("rollout", &scenario.Event{Type: scenario.EventRollout, Budget: &twice})
	}
	add("drain", &scenario.Event{Type: scenario.EventDrain, Budget: &twice})
	add("node loss", &scenario.Event{Type: scenario.EventNodeLoss, Budget: &twice})
	var lines []Line
	for i := range in.Autoscalers {
		e, line := loadEvent(in, &in.Autoscalers[i], happens(scenario.EventLoad))
		if e != nil {
			add("load within an HPA's range", e)
		}
		if line.Text != "" {
			lines = append(lines, line)
		}
	}
	return append([]Line{{Text: "no Scenario: " + inAll(words)}}, lines...)
}

// inAll says what may happen how often.
func inAll(events []string) string {
	n := len(events)
	switch n {
	case 0:
		return "no event"
	case 1:
		return fmt.Sprintf("any %s, %d in all, one at a time", events[0], eventsMax)
	}
	return fmt.Sprintf("any %s or %s, %d in all, one at a time", strings.Join(events[:n-1], ", "), events[n-1], eventsMax)
}
