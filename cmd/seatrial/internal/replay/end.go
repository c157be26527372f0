package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// restsFor is how long nothing may happen in a state in which a trace rests: some
// periods of every loop.
const restsFor = 3 * time.Second

// rest lets every component look at the last state, and tells whether one of them
// goes on.
func (r *run) rest(ctx context.Context) error {
	if err := r.admin.Steer(ctx, r.plane, admin.Steer{}); err != nil {
		return err
	}
	if _, ok := r.trace.Setup.Components["descheduler"]; ok {
		if err := r.deschedule(ctx); err != nil {
			return err
		}
	}
	looked := map[string]int{}
	deadline := time.Now().Add(restsFor)
	for time.Now().Before(deadline) {
		queue, _, err := r.parked(ctx, 0)
		if err != nil {
			return err
		}
		if _, err := r.view.look(); err != nil {
			return err
		}
		requests, err := r.through(ctx, queue)
		if err != nil {
			return err
		}
		for _, q := range requests {
			if looked[r.shown(q)]++; q.Revision >= r.acted && looked[r.shown(q)] > refusals {
				return &divergence{expected: "nothing more", seen: []string{r.shown(q)}, why: "the trace rests here"}
			}
			if err := r.refuse(ctx, q); err != nil {
				return err
			}
		}
		limited, cancel := context.WithTimeout(ctx, calm)
		_, _ = r.admin.Parked(limited, r.plane, queue.Generation)
		cancel()
	}
	r.out.Rows = append(r.out.Rows, Row{Step: len(r.trace.Steps), Expected: "rests", Seen: fmt.Sprintf("nothing for %v", restsFor)})
	return nil
}
