package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/trace"
)

const (
	// calm is how long nothing new is parked before what is in the way is refused.
	calm = 300 * time.Millisecond
	// refusals is how often a component may decide otherwise with everything before
	// its eyes, until it has diverged.
	refusals = 3
	// looks is the same for the autoscaler, which takes no notice of a pod for some
	// seconds after it is ready, and looks twice a second.
	looks = 12
	// cycles is the same for the descheduler, which goes through maps: each cycle
	// may begin with another pod.
	cycles = 20
	// choices and choosesWithin are how often and for how long it may choose others than
	// the trace where only one will do, as a pod that has not started among three.
	choices       = 200
	choosesWithin = 25 * time.Second
	// draws is the same for the scheduler's choice of a node for a preemption.
	draws = 30
)

// chances is how often a component may decide otherwise. On which of several equal
// nodes a preemption makes room the scheduler draws.
func chances(q request) int {
	switch {
	case q.Actor == autoscaler:
		return looks
	case q.Actor == "descheduler":
		return cycles
	case q.Actor == "node-lifecycle-controller":
		return looks // it writes what it decided five times before it looks again
	case q.Actor == "kube-scheduler" && (q.Verb == "delete" || text(q.body, "status", "nominatedNodeName") != ""):
		return draws
	}
	return refusals
}

// patience is how long an act is waited for, by who does it: some look once in a
// while only.
func patience(a *trace.Act) time.Duration {
	switch a.By {
	case "kube-scheduler":
		if a.Verb != "bind" {
			return 25 * time.Second // a preemption, that is drawn again and again
		}
	case "pod-garbage-collector-controller":
		return 50 * time.Second // it looks every 20 s, and no option says otherwise
	case "node-lifecycle-controller", "taint-eviction-controller":
		return 25 * time.Second
	}
	return 12 * time.Second
}

// await lets the first request through that is one of the acts, and returns which.
func (r *run) await(ctx context.Context, acts []*trace.Act) (*trace.Act, error) {
	var limit time.Duration
	for _, a := range acts {
		limit = max(limit, patience(a))
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, errPatience)
	defer cancel()
	fresh := map[string]int{}
	generation := int64(0)
	for {
		queue, quiet, err := r.parked(limited, generation)
		switch {
		case errors.Is(err, errPatience):
			return nil, r.diverge(ctx, acts, fresh)
		case err != nil:
			return nil, err
		}
		generation = queue.Generation
		if _, err := r.view.look(); err != nil {
			return nil, err
		}
		requests, err := r.through(ctx, queue)
		if err != nil {
			return nil, err
		}
		if a, err := r.pick(ctx, acts, requests); a != nil || err != nil {
			return a, err
		}
		if err := r.refusedTurn(ctx, acts); err != nil {
			return nil, err
		}
		if !quiet {
			continue
		}
		generation = 0
		if slices.ContainsFunc(acts, func(a *trace.Act) bool { return a.By == "descheduler" && a.Verb == "evict" }) {
			if err := r.deschedule(ctx); err != nil {
				return nil, err
			}
		}
		for _, q := range requests {
			if !r.inTheWay(q, acts) {
				continue
			}
			if a := r.later(q); a != nil {
				shown, err := r.let(ctx, a, q)
				if err != nil {
					return nil, err
				}
				r.early[a] = shown
				break
			}
			if r.knows(q) && !r.besides(q, acts) {
				fresh[r.shown(q)]++
			}
			if fresh[r.shown(q)] > chances(q) {
				return nil, r.diverge(ctx, acts, fresh)
			}
			r.out.Again++
			if err := r.refuse(ctx, q); err != nil {
				return nil, err
			}
		}
	}
}

// decidesAtOnce are the components that decide from one view upon several writes. Where the
// first of them was decided before the step the others may not be the step's, and when it is
// done they cannot be decided anew: all are, before that.
var decidesAtOnce = map[string]bool{"replicaset-controller": true, "deployment-controller": true, "kube-scheduler": true}

// together are the components of which several acts come of one decision.
func together(acts []*trace.Act) map[string]bool {
	seen, out := map[string]bool{}, map[string]bool{}
	for _, a := range acts {
		if by := writer(a); decidesAtOnce[by] && seen[by] {
			out[by] = true
		} else {
			seen[by] = true
		}
	}
	return out
}

// complete tells whether all of a decision is there, as far as it is sent at once: the
// ReplicaSet controller deletes its pods side by side. It may have decided while it was told
// of the step before, and then these are others.
func (r *run) complete(actor string, acts []*trace.Act, requests []request) bool {
	if actor != "replicaset-controller" {
		return true
	}
	var deletes []*trace.Act
	for _, a := range acts {
		if writer(a) == actor && a.Verb == "delete" {
			deletes = append(deletes, a)
		}
	}
	return covered(deletes, requests, func(a *trace.Act, q request) bool { return q.Actor == actor && verbs[a.Verb].matches(r, a, q) })
}

// covered tells whether each act has a request of its own that is it.
func covered(acts []*trace.Act, requests []request, is func(*trace.Act, request) bool) bool {
	if len(acts) == 0 {
		return true
	}
	for i, q := range requests {
		if is(acts[0], q) && covered(acts[1:], slices.Delete(slices.Clone(requests), i, i+1), is) {
			return true
		}
	}
	return false
}

// pick lets the first request through that is one of the acts, and returns which; nil if
// none is, or it does not show.
func (r *run) pick(ctx context.Context, acts []*trace.Act, requests []request) (*trace.Act, error) {
	for _, a := range acts {
		for _, q := range requests {
			ending, begun := r.ending[a]
			if a.Verb == "gone" && !begun && q.ends() && samePod(r, a, q) {
				takePod(r, a, q) // its deletion is next
				r.ending[a] = q.pod()
				if err := r.admin.Release(ctx, r.plane, q.ID); err != nil && !admin.NotFound(err) {
					return nil, err
				}
				continue
			}
			if !verbs[a.Verb].matches(r, a, q) || q.Actor != writer(a) || begun && q.pod() != ending {
				continue
			}
			if r.undecided[q.Actor] && (!r.knows(q) || !r.complete(q.Actor, acts, requests)) {
				continue // in the way
			}
			if shown, err := r.let(ctx, a, q); shown || err != nil {
				return a, err
			}
		}
	}
	return nil, nil
}

var errPatience = errors.New("it does not come")

// parked is what is parked when it changes, or when nothing has for a while.
func (r *run) parked(ctx context.Context, after int64) (queue admin.Queue, quiet bool, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, calm, errCalm)
	defer cancel()
	queue, err = r.admin.Parked(limited, r.plane, after)
	if err == nil || ctx.Err() != nil {
		return queue, false, causeOf(ctx, err)
	}
	if !errors.Is(context.Cause(limited), errCalm) {
		return queue, false, err
	}
	queue, err = r.admin.Parked(ctx, r.plane, 0)
	return queue, true, causeOf(ctx, err)
}

var errCalm = errors.New("calm")

// causeOf is why a request failed: its context's end, if that is it.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// through lets what has no effect through and returns the rest.
func (r *run) through(ctx context.Context, queue admin.Queue) ([]request, error) {
	var rest []request
	for _, p := range queue.Parked {
		q, err := r.read(p)
		if err != nil {
			return nil, err
		}
		if q.effective() || r.exact && q.ends() {
			rest = append(rest, q)
		} else if err := r.admin.Release(ctx, r.plane, q.ID); err != nil && !admin.NotFound(err) {
			return nil, err
		}
	}
	return rest, nil
}

// let lets a request through and waits until it shows. It does not if the API
// server refuses it, because something else of the object has changed: then its
// component writes it again. That is not a matter of time: the API server's answer is
// waited for.
func (r *run) let(ctx context.Context, a *trace.Act, q request) (shown bool, err error) {
	if taken := verbs[a.Verb].taken; taken != nil {
		taken(r, a, q)
	}
	code, err := r.admin.Pass(ctx, r.plane, q.ID)
	if err != nil && !admin.NotFound(err) {
		return false, causeOf(ctx, err)
	}
	within := showsSoon
	if code >= http.StatusOK && code < http.StatusMultipleChoices {
		within = shows
	}
	return r.happened(ctx, a, within)
}

// refuse has a component look again. After a conflict the autoscaler would not: it sends
// what it has decided five times (reconcileAutoscaler of pkg/controller/podautoscaler).
func (r *run) refuse(ctx context.Context, q request) error {
	refusal := admin.Refusal{Code: http.StatusConflict, Reason: "Conflict"}
	switch q.Actor {
	case "descheduler":
		refusal = admin.Refusal{Code: http.StatusTooManyRequests, Reason: "TooManyRequests"}
	case autoscaler:
		refusal = admin.Refusal{Code: http.StatusServiceUnavailable, Reason: "ServiceUnavailable"}
	}
	err := r.admin.Refuse(ctx, r.plane, q.ID, refusal)
	if admin.NotFound(err) {
		return nil
	}
	return err
}

// inTheWay tells whether a request keeps its component from what is waited for: a
// controller that waits for one answer does nothing else for that object.
func (r *run) inTheWay(q request, acts []*trace.Act) bool {
	if q.ends() {
		return false
	}
	for _, a := range acts {
		if q.Actor != writer(a) {
			continue
		}
		if a.Pod != nil && podByPod[q.Actor] && q.Name != "" && !samePod(r, a, q) {
			continue
		}
		return true
	}
	return false
}

// podByPod are the components that do for one pod what they do whatever waits for
// another: what they want with that is not otherwise than the trace says, but later.
var podByPod = map[string]bool{"kubelet": true, "taint-eviction-controller": true}

// besides tells whether a request is about another budget than the acts: in which order
// budgets are recounted whose pods changed is the controller's own affair.
func (r *run) besides(q request, acts []*trace.Act) bool {
	return q.Resource == "poddisruptionbudgets.policy/status" &&
		!slices.ContainsFunc(acts, func(a *trace.Act) bool { return about(r, a, q) })
}

// diverge says what was waited for and what there is instead.
func (r *run) diverge(ctx context.Context, acts []*trace.Act, fresh map[string]int) error {
	if a := acts[0]; a.Verb == "delete" && a.By == "replicaset-controller" && r.step < len(r.trace.Steps) && r.overtakes(r.trace.Steps[r.step].Acts) {
		return unsupported{"have the ReplicaSet controller delete " + podName(a.Pod) + " and keep a pod that became ready after it: that is possible where both have been ready for about as long, which a trace does not say"}
	}
	d := &divergence{expected: sentence(acts[0])}
	queue, err := r.admin.Parked(ctx, r.plane, 0)
	if err != nil {
		return err
	}
	requests, err := r.through(ctx, queue)
	if err != nil {
		return err
	}
	for _, q := range requests {
		if r.outlasts(acts[0], q) {
			return unsupported{"have " + sentence(acts[0]) + ", which is while a part of an autoscaler's window has passed: it would have to take as long as it says"}
		}
		if r.inTheWay(q, acts) {
			d.seen = append(d.seen, r.shown(q))
		}
	}
	for _, shown := range slices.Sorted(maps.Keys(fresh)) {
		if len(d.seen) == 0 {
			d.seen = append(d.seen, shown)
		}
	}
	if len(d.seen) == 0 {
		d.why = fmt.Sprintf("%s does nothing of the kind within %v", acts[0].By, patience(acts[0]))
	}
	return d
}

// later is an act of a later step that a request of the descheduler is: in which
// order a cycle evicts the pods that it chose is its own affair.
func (r *run) later(q request) *trace.Act {
	if q.Actor != "descheduler" {
		return nil
	}
	for i := r.step + 1; i < len(r.trace.Steps); i++ {
		for j := range r.trace.Steps[i].Acts {
			a := &r.trace.Steps[i].Acts[j]
			switch {
			case a.Verb == "choose":
				return nil // the next cycle's
			case a.By == q.Actor && a.Verb == "evict" && !r.early[a] && verbs[a.Verb].matches(r, a, q):
				return a
			}
		}
	}
	return nil
}
