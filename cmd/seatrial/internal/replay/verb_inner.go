package replay

import (
	"context"

	"github.com/seatrial/seatrial/trace"
)

// What nothing shows: time that passes, and what components make up their minds to.
var (
	_ = register("wait", verb{})
	_ = register("refused", verb{})
	_ = register("maintenance", verb{})
	_ = register("drained", verb{})
)

// A cycle of the descheduler begins with its first choice. Which of several pods
// it takes shows only when it evicts one.
var _ = register("choose", verb{
	prepare: func(_ context.Context, r *run, a *trace.Act) error {
		r.chosen[identityOf(a.Pod)] = a.Among
		return nil
	},
})

// among are the pods that an act could equally be about.
func (r *run) among(a *trace.Act) []int {
	if len(a.Among) == 0 && a.Verb == "evict" {
		return r.chosen[identityOf(a.Pod)]
	}
	return a.Among
}
