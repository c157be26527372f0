package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestUsedWhereMade: what is only in the Job of a resource that is made with it is used, though the Job is over and is
// left as it is.
func TestUsedWhereMade(t *testing.T) {
	const job = "{kind: Job, metadata: {name: a-load}, spec: {parallelism: 1}, status: {conditions: [{type: Complete, status: 'True'}]}}"
	for twin, want := range map[string]int{job: 1, "{kind: Job, metadata: {name: a-load}, spec: {parallelism: 2}, status: {conditions: [{type: Complete, status: 'True'}]}}": 0} {
		c := caseOf(t, &operation.Operation{Property: "spec.size", Case: "one more", Changes: []operation.Change{{Path: []any{"spec", "size"}, Value: int64(2)}}}, thing+job, "{kind: Thing, metadata: {name: a}, spec: {size: 2}}\n"+job)
		c.Twin = &oracle.Step{End: state(t, "{kind: Thing, metadata: {name: a}, spec: {size: 2}}\n"+twin), Rest: oracle.Rest{Quiet: true}}
		tracer := oracle.NewTracer()
		tracer.Add(c, nil)
		if got := len(tracer.Unsure()); got != want {
			t.Errorf("%d properties are unsure, want %d", got, want)
		}
	}
}
