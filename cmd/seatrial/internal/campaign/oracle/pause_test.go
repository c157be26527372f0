package oracle_test

import "testing"

// TestHandedOn: an operator that hands on what is to pause is held to that; one that pauses is held to nothing.
func TestHandedOn(t *testing.T) {
	const (
		runs, held = "{kind: Part, metadata: {name: a}, spec: {suspend: false, size: 3}}\n", "{kind: Part, metadata: {name: a}, spec: {suspend: true, size: 3}}\n"
		service    = "{kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}\n"
		noted      = "{kind: Part, metadata: {name: a, annotations: {before: '3'}}, spec: {suspend: true, size: 3}}\n"
		done       = "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {phase: Suspended}}\n"
		given      = "{kind: ConfigMap, metadata: {name: given}, data: {a: old}}\n"
		patched    = "{kind: ConfigMap, metadata: {name: given}, data: {a: new}}\n"
	)
	wrong := []string{"spec.suspend of parts.example.com default/a is false, and true where the resource was never another"}
	for _, c := range []struct {
		name, before, end, twin string
		want                    []string
	}{
		{name: "it is handed on", end: thing + held + service, twin: thing + held + service},
		{name: "it is only handed on when it is made", end: thing + runs + service, twin: thing + held + service, want: wrong},
		{name: "the operator pauses", end: thing + runs + service, twin: thing},
		{name: "it makes a part of it all the same", end: thing + runs + service, twin: thing + service},
		{name: "claims are of before", end: thing + held + "{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}", twin: thing + held},
		{name: "it notes what was before, and says so", end: done + noted, twin: thing + held},
		{name: "it pauses, and has changed what others made", before: given, end: thing + patched, twin: thing + given},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := property("spec.suspend")
			o.Misoperation, o.Pauses = true, true
			k := twins(t, o, thing+runs+service+c.before, c.end, c.twin, "")
			k.Steps[0].Start = state(t, c.before)
			hold(t, "twin", k, c.want)
			o.Pauses = false
			hold(t, "twin", k, nil)
		})
	}
}
