package oracle_test

import (
	"reflect"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// Of a twin it is kept what oracles ask for: where it came to, and not on which way. The step itself stays as it is.
func TestBare(t *testing.T) {
	config := history.Key{Resource: "configmaps", Name: "a"}
	object := history.Object{"metadata": map[string]any{"name": "web", "managedFields": []any{"a"}}, "data": map[string]any{"size": "1"}}
	step := &oracle.Step{
		Start: history.State{key: object}, End: history.State{config: object}, Events: []history.Event{{Key: config, Type: history.Create, Actor: plan.Controller, Object: object}},
		Output: "done", Rest: oracle.Rest{Quiet: true},
	}
	want := &oracle.Step{
		End:    history.State{config: {"metadata": map[string]any{"name": "web"}, "data": map[string]any{"size": "1"}}},
		Output: "done", Rest: oracle.Rest{Quiet: true}, Written: 1,
	}
	if got := (&oracle.Case{Steps: []*oracle.Step{step}, Mask: history.DefaultMask()}).Bare(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if object.At("metadata", "managedFields") == nil {
		t.Error("the step was changed")
	}
}
