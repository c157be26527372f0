package campaign

import (
	"reflect"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// stopsAt does not follow spec.size while spec.text has a value.
func stopsAt(value string) func(map[string]any, history.Object) map[string]any {
	return func(spec map[string]any, old history.Object) map[string]any {
		data := follows(spec, old)
		if size := old.At("data", "size"); size != nil && spec["text"] == value {
			data["size"] = size
		}
		return data
	}
}

// What shows only where two of many properties are changed, by an operation that changes fifteen, behind twelve others,
// is made smaller until nothing else is in it, and has the names of both.
func TestManyAtOnce(t *testing.T) {
	one := made(&fake{operator: stopsAt("mode")}, "spec.a=1 spec.b=1 spec.c=1 spec.d=1 spec.a=2 spec.b=2 spec.c=2 spec.d=2 spec.a=3 spec.b=3 spec.c=3 spec.d=3")
	many := &operation.Operation{Name: "many", Property: "spec.e", Case: "many"}
	for _, words := range []string{
		"spec.e=1", "spec.f=1", "spec.g=1", "spec.text=mode", "spec.h=1", "spec.i=1", "spec.j=1", "spec.k=1", "spec.l=1", "spec.m=1", "spec.n=1", "spec.size=7", "spec.o=1", "spec.p=1", "spec.q=1",
	} {
		o := do(words)
		many.Changes = append(many.Changes, o.Changes...)
		if o.Property != many.Property {
			many.With = append(many.With, o.Property)
		}
	}
	s := one.out.Plan.Sequences[0]
	s.Operations = append(s.Operations, many)
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"twin spec.text, spec.size: spec.text: set; spec.size: removed"}
	if got := told(one.out); !reflect.DeepEqual(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
