package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// TestVanished: an object that has a number of the resource is there with another one, too.
func TestVanished(t *testing.T) {
	const thing = "{kind: Thing, metadata: {name: a}, spec: {minAvailable: "
	const budget = "{kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 1}}"
	gone := func(to string) []string {
		return []string{"spec.minAvailable is " + to + ", and poddisruptionbudgets.policy default/a is gone, of which spec.minAvailable was 1 before"}
	}
	for _, c := range []struct {
		name, start   string
		set           any
		to, end, twin string
		said          string
		want          []string
	}{
		{name: "it is there", start: budget, set: "25%", to: "25%", end: "{kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 25%}}"},
		{name: "it is not", start: budget, set: "25%", to: "25%", want: gone("25%")},
		{name: "nor with a number", start: budget, set: int64(2), to: "2", want: gone("2")},
		{name: "none is asked for", start: budget, set: "0%", to: "0%"},
		{name: "0 is none", start: budget, set: int64(0), to: "0"},
		{name: "there is another in its place", start: budget, set: "25%", to: "25%", end: "{kind: PodDisruptionBudget, metadata: {name: b}, spec: {}}"},
		{name: "it had another number", start: "{kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 7}}", set: "25%", to: "25%"},
		{name: "it had it for something else", start: "{kind: PodDisruptionBudget, metadata: {name: a}, spec: {maxUnavailable: 1}}", set: "25%", to: "25%"},
		{name: "only on this way, which is the twin's to say", start: budget, set: "25%", to: "25%", twin: budget},
		{name: "it says so", start: budget, set: "25%", to: "25%", said: ", status: {message: spec.minAvailable is invalid}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &operation.Operation{Property: "spec.minAvailable", Case: "percentage", Changes: []operation.Change{{Path: []any{"spec", "minAvailable"}, Value: c.set}}}
			k := caseOf(t, o, thing+"1}}\n"+c.start, thing+c.to+"}"+c.said+"}\n"+c.end)
			if c.twin != "" {
				k.Twin = quiet(t, nil, "", thing+c.to+"}}\n"+c.twin)
			}
			hold(t, "consistency", k, c.want)
		})
	}
}
