package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// TestAbsentIsHollow: that nothing comes of what says what its absence does, where the seed does not have it, says
// nothing of the property.
func TestAbsentIsHollow(t *testing.T) {
	for _, c := range []struct {
		value any
		want  int
	}{{false, 0}, {true, 1}, {"", 0}, {"st-p1-o1", 1}, {[]any{}, 0}, {[]any{"st-p1-o1"}, 1}, {map[string]any{}, 0}, {int64(0), 1}} {
		tracer := oracle.NewTracer()
		seed := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{}}
		now := history.Object{"kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"some": c.value}}
		o := &operation.Operation{Property: "spec.some", Case: "changed", Changes: []operation.Change{{Path: []any{"spec", "some"}, Value: c.value}}}
		first := &oracle.Step{Resource: seed, End: history.State{key: seed}, Rest: oracle.Rest{Quiet: true}}
		last := &oracle.Step{Operation: o, Resource: now, Start: first.End, End: history.State{key: now}, Rest: oracle.Rest{Quiet: true}}
		tracer.Add(&oracle.Case{Steps: []*oracle.Step{first, last}, Mask: history.DefaultMask(), Key: key}, nil)
		if got := len(tracer.Unsure()); got != c.want {
			t.Errorf("set to %v: %d properties are unsure, want %d", c.value, got, c.want)
		}
	}
}

// TestSelectsNothing: that nothing comes of what selects other objects, or of what is said of those, says nothing of
// either: there are none.
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
