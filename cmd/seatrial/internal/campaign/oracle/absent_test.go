package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// TestAbsentIsOff: that nothing comes of a switch that is off, where the seed does not have it, says nothing of the switch.
func TestAbsentIsOff(t *testing.T) {
	for on, want := range map[bool]int{false: 0, true: 1} {
		tracer := oracle.NewTracer()
		{
			seed := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{}}
			now := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"suspend": on}}
			o := &operation.Operation{Property: "spec.suspend", Case: "switched", Changes: []operation.Change{{Path: []any{"spec", "suspend"}, Value: on}}}
			first := &oracle.Step{Resource: seed, End: history.State{key: seed}, Rest: oracle.Rest{Quiet: true}}
			last := &oracle.Step{Operation: o, Resource: now, Start: first.End, End: history.State{key: now}, Rest: oracle.Rest{Quiet: true}}
			tracer.Add(&oracle.Case{Steps: []*oracle.Step{first, last}, Mask: history.DefaultMask(), Key: key}, nil)
		}
		if got := len(tracer.Unsure()); got != want {
			t.Errorf("switched to %v: %d properties are unsure, want %d", on, got, want)
		}
	}
}

// TestSelectsNothing: that nothing comes of what selects other objects, or of what is said of those, says nothing of either: there are none.
func TestSelectsNothing(t *testing.T) {
	spec := &schema.Property{Path: "spec", Name: "spec"}
	for name, kind := range map[string]string{"routeSelector": "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector", "routeMatching": "", "retention": ""} {
		spec.Children = append(spec.Children, &schema.Property{Path: "spec." + name, Name: name, Parent: spec, Kind: kind})
	}
	for name, want := range map[string]int{"routeSelector": 0, "routeMatching": 0, "retention": 1} {
		tracer := oracle.NewTracer(spec)
		seed := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{}}
		now := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{name: "st-p1-o1"}}
		o := &operation.Operation{Property: "spec." + name, Case: "set", Changes: []operation.Change{{Path: []any{"spec", name}, Value: "st-p1-o1"}}}
		first := &oracle.Step{Resource: seed, End: history.State{key: seed}, Rest: oracle.Rest{Quiet: true}}
		last := &oracle.Step{Operation: o, Resource: now, Start: first.End, End: history.State{key: now}, Rest: oracle.Rest{Quiet: true}}
		tracer.Add(&oracle.Case{Steps: []*oracle.Step{first, last}, Mask: history.DefaultMask(), Key: key}, nil)
		if got := len(tracer.Unsure()); got != want {
			t.Errorf("%s: %d properties are unsure, want %d", name, got, want)
		}
	}
}
