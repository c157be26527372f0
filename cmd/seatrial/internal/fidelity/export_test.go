package fidelity

import (
	"math/rand/v2"

	"github.com/seatrial/seatrial/trace"
)

// Record is what is seen of a trace that happens as it says, with names for the
// ReplicaSets that it creates.
func Record(t *trace.Trace, random *rand.Rand, rename func(string) string) []Action {
	r := newRecorder(t, random)
	r.rename = rename
	r.record(t)
	return Seen(t, Start{Pods: r.start}, r.events)
}
