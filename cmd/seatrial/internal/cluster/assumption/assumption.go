// Package assumption says what is assumed of the world around manifests that
// say nothing of it: which nodes there are, and what may happen to them. Its
// table for users is docs/defaults.md.
package assumption

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// Completed is an input with nothing left unsaid.
type Completed struct {
	Input *manifest.Input
	// Lines are what was assumed, each in words.
	Lines []string
}

// Runs tells how many of the pods that the workloads of an input want run when
// its nodes are filled from empty.
type Runs func(*manifest.Input) (running, wanted int, err error)

// eventsMax is how many events one behaviour has without a scenario.
const eventsMax = 2

// Complete returns in as it is checked: without any node it gets a default
// pool, and without a Scenario the default events. in itself is not changed.
func Complete(in *manifest.Input, runs Runs) (Completed, error) {
	c := Completed{Input: clone(in)}
	spec := &c.Input.Scenario.Value.Spec
	if in.Scenario == nil {
		c.Lines = append(c.Lines, defaultEvents(c.Input, spec)...)
	}
	if len(in.Nodes) > 0 || len(spec.NodePools) > 0 {
		return c, nil
	}
	lines, err := defaultPool(c.Input, spec, runs)
	c.Lines = append(c.Lines, lines...)
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
// every load move within the range of its autoscaler.
func defaultEvents(in *manifest.Input, spec *scenario.Spec) []string {
	twice, in2 := eventsMax, eventsMax
	spec.MaxEvents = &in2
	if len(in.Deployments) > 0 {
		spec.Events = append(spec.Events, scenario.Event{Type: scenario.EventRollout, Budget: &twice})
	}
	spec.Events = append(spec.Events,
		scenario.Event{Type: scenario.EventDrain, Budget: &twice},
		scenario.Event{Type: scenario.EventNodeLoss, Budget: &twice},
	)
	lines := []string{fmt.Sprintf("no Scenario: any rollout, drain, node loss or load within an HPA's range, %d in all, one at a time", eventsMax)}
	for i := range in.Autoscalers {
		e, line := loadEvent(in, &in.Autoscalers[i])
		if e != nil {
			spec.Events = append(spec.Events, *e)
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
