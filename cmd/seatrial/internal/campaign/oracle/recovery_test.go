package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestRecovery: what could not work is taken back, and then all is as if it had never been.
func TestRecovery(t *testing.T) {
	const good, bad = "{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: good}}", "{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: bad}}"
	repair := &operation.Operation{Property: "spec.size", Case: "huge", Repairs: true}
	cases := []struct {
		name     string
		op       *operation.Operation
		end      string
		rest     oracle.Rest
		twinRest oracle.Rest
		want     []string
	}{
		{name: "it recovers", op: repair, end: good, rest: oracle.Rest{Quiet: true}, twinRest: oracle.Rest{Quiet: true}},
		{
			name: "something of it stays", op: repair, end: bad, rest: oracle.Rest{Quiet: true}, twinRest: oracle.Rest{Quiet: true},
			want: []string{`spec.serviceName of statefulsets.apps default/a is "bad", and "good" where it never went wrong`},
		},
		{
			name: "it never comes to rest", op: repair, end: bad, rest: oracle.Rest{Why: "statefulsets.apps default/a: 0 of 3 pods are ready"}, twinRest: oracle.Rest{Quiet: true},
			want: []string{"it does not recover: what could not work is taken back, and still it does not come to rest: statefulsets.apps default/a: 0 of 3 pods are ready"},
		},
		{
			name: "it goes in a circle", op: repair, end: bad, rest: oracle.Rest{Cycle: &history.Cycle{}}, twinRest: oracle.Rest{Quiet: true},
			want: []string{"it does not recover: what could not work is taken back, and still it does not come to rest: writes go on"},
		},
		{name: "the twin does not come to rest either", op: repair, end: good, rest: oracle.Rest{Why: "x"}, twinRest: oracle.Rest{Why: "x"}},
		{name: "no repair: the twin's matter", op: property("spec.size"), end: bad, rest: oracle.Rest{Quiet: true}, twinRest: oracle.Rest{Quiet: true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, c.op, thing+bad, thing+c.end, thing+good, "")
			k.Last().Rest, k.Twin.Rest = c.rest, c.twinRest
			hold(t, "recovery", k, c.want)
			if c.op.Repairs {
				hold(t, "twin", k, nil)
			}
		})
	}
}
