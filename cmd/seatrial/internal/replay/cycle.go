package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/trace"
)

// situation is what a cycle comes back to: how many pods of each ReplicaSet are
// where and in what phase, the replicas that are asked for, and what keeps pods off
// nodes. It does not tell pods apart.
type situation map[string]int

// failedMax is how many failed pods of a ReplicaSet on a node count: as a check, it
// tells two from one and no more from two.
const failedMax = 2

// situation is that of the last look.
func (r *run) situation() situation {
	out := situation{}
	for key, object := range r.view.state {
		switch key.Resource {
		case "pods":
			of := "pod " + key.Namespace + "/" + key.Name
			if i, ok := r.pods.identities[name{key.Namespace, key.Name}]; ok {
				of = fmt.Sprintf("pods of %s revision %d", i.owner, i.revision)
			}
			is := text(object, "status", "phase")
			switch {
			case terminating(object):
				is = "terminating" // what its containers still say does not matter
			case ready(object):
				is += " and ready"
			}
			on := text(object, "spec", "nodeName")
			line := strings.TrimSuffix(fmt.Sprintf("%s %s on %s", of, is, on), " on ")
			out[line]++
			if is == "Failed" {
				out[line] = min(out[line], failedMax)
			}
		case "deployments.apps", "replicasets.apps":
			if replicas, _ := whole(object, "spec", "replicas"); replicas > 0 {
				out[fmt.Sprintf("replicas of %s %s/%s", key.Resource, key.Namespace, key.Name)] = int(replicas)
			}
		case "nodes":
			for taint := range taints(object, "spec", "taints") {
				out["nodes with "+taint+": "+key.Name] = 1
			}
			if object.At("spec", "unschedulable") == true {
				out["nodes that are cordoned: "+key.Name] = 1
			}
		}
	}
	return out
}

// differs says in what two situations differ; empty if they do not.
func (s situation) differs(from situation) []string {
	var out []string
	all := maps.Clone(s)
	maps.Copy(all, from)
	for _, line := range slices.Sorted(maps.Keys(all)) {
		if s[line] != from[line] {
			out = append(out, fmt.Sprintf("%d %s, at its beginning %d", s[line], line, from[line]))
		}
	}
	return out
}

// round is called before each step and after the last: where a round begins, and where the last one ends, all has to be
// as it was at the beginning of the first. Else the steps can be repeated some times,
// and not for ever.
func (r *run) round(ctx context.Context, step int) error {
	if r.cycleSteps == 0 || step < r.loop || (step-r.loop)%r.cycleSteps != 0 {
		return nil
	}
	if _, err := r.view.look(); err != nil {
		return err
	}
	now := r.situation()
	if step == r.loop {
		r.beginning = now
		return nil
	}
	if differing := now.differs(r.beginning); len(differing) > 0 {
		return &divergence{expected: "the cycle ends where it began", seen: differing}
	}
	queue, err := r.admin.Parked(ctx, r.plane, 0)
	if err != nil {
		return err
	}
	if step == r.loop+r.cycleSteps {
		r.waiting = map[int64]bool{}
		for _, p := range queue.Parked {
			r.waiting[p.ID] = true
		}
	}
	return nil
}

// starved tells whether a component that has no part in the cycle wanted to write
// throughout, and still does: it would not wait for ever. The slow loops may, since
// they wait for the others; and so may who wants it now and then only. So it is asked
// before each step of the last round, and after the last, whether it still wants to,
// with everything before its eyes.
func (r *run) starved(ctx context.Context, step int) error {
	last := len(r.trace.Steps) - r.cycleSteps
	if r.cycleSteps == 0 || step < last || step > last && len(r.starving) == 0 {
		return nil
	}
	queue, err := r.admin.Parked(ctx, r.plane, 0)
	if err != nil {
		return err
	}
	requests, err := r.through(ctx, queue)
	if err != nil {
		return err
	}
	asked := map[int64]bool{}
	wanted := map[string]bool{}
	for _, q := range requests {
		switch shown := r.shown(q); {
		case step == last && (!r.waiting[q.ID] || r.takesPart(q.Actor) || q.Actor == "descheduler" || q.Actor == autoscaler):
		case step > last && !r.starving[shown]:
		default:
			wanted[shown], asked[q.ID] = true, true
			if err := r.refuse(ctx, q); err != nil {
				return err
			}
		}
	}
	if r.starving, err = r.insist(ctx, wanted, asked, calm+backOff<<(step-last)); err != nil || step < len(r.trace.Steps) {
		return err
	}
	if len(r.starving) == 0 {
		return nil
	}
	return &divergence{expected: "the cycle for ever", seen: slices.Sorted(maps.Keys(r.starving)), why: "it waits throughout the cycle"}
}

// backOff is twice how long controllers take to look again after a conflict; after each
// more they take twice as long.
const backOff = 10 * time.Millisecond

// insist are those of the writes that are wanted again within a time after they were
// refused.
func (r *run) insist(ctx context.Context, wanted map[string]bool, refused map[int64]bool, within time.Duration) (map[string]bool, error) {
	out := map[string]bool{}
	limited, cancel := context.WithTimeoutCause(ctx, within, errCalm)
	defer cancel()
	for generation := int64(0); len(out) < len(wanted); {
		queue, err := r.admin.Parked(limited, r.plane, generation)
		if errors.Is(context.Cause(limited), errCalm) {
			return out, nil
		} else if err != nil {
			return out, causeOf(ctx, err)
		}
		generation = queue.Generation
		requests, err := r.through(ctx, queue)
		if err != nil {
			return out, err
		}
		for _, q := range requests {
			if shown := r.shown(q); wanted[shown] && !refused[q.ID] {
				out[shown] = true
			}
		}
	}
	return out, nil
}

// takesPart tells whether a component writes in the cycle.
func (r *run) takesPart(actor string) bool {
	for _, s := range r.trace.Steps[r.loop:] {
		if slices.ContainsFunc(s.Acts, func(a trace.Act) bool { return writer(&a) == actor }) {
			return true
		}
	}
	return false
}
