package replay

import (
	"context"
	"errors"

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

// choose begins a cycle of the descheduler and waits until it wants to evict one of the
// pods that it evicts in the trace: it chooses among pods as they are now, and the next
// step may change them. If it does not want to, the step of the eviction says so.
func (r *run) choose(ctx context.Context) error {
	if err := r.deschedule(ctx); err != nil || !r.evictsLater() {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, choosesWithin, errPatience)
	defer cancel()
	generation, refused := int64(0), 0
	for {
		queue, quiet, err := r.parked(limited, generation)
		switch {
		case errors.Is(err, errPatience):
			return nil
		case err != nil:
			return err
		}
		generation = queue.Generation
		if _, err := r.view.look(); err != nil {
			return err
		}
		requests, err := r.through(ctx, queue)
		if err != nil {
			return err
		}
		for _, q := range requests {
			switch {
			case q.Actor != "descheduler":
			case r.later(q) != nil:
				return nil
			case refused == choices:
				return nil
			default:
				refused++
				r.out.Again++
				if err := r.refuse(ctx, q); err != nil {
					return err
				}
			}
		}
		if !quiet {
			continue
		}
		generation = 0
		if err := r.deschedule(ctx); err != nil {
			return err
		}
	}
}

// evictsLater tells whether the cycle that begins evicts anything in the trace.
func (r *run) evictsLater() bool {
	for _, step := range r.trace.Steps[r.step+1:] {
		for i := range step.Acts {
			switch a := &step.Acts[i]; {
			case a.Verb == "choose":
				return false
			case a.By == "descheduler" && a.Verb == "evict":
				return true
			}
		}
	}
	return false
}
