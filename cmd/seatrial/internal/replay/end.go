package replay

import (
	"context"
	"fmt"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/trace"
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
	_, descheduler := r.trace.Setup.Components["descheduler"]
	looked := map[string]int{}
	deadline := time.Now().Add(restsFor)
	for time.Now().Before(deadline) || r.cycle != nil {
		if ended, err := r.ended(); err != nil {
			return err
		} else if ended && descheduler {
			descheduler = false // one cycle that sees the last state
			if err := r.deschedule(ctx); err != nil {
				return err
			}
		}
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
			looked[r.shown(q)]++
			goesOn := looked[r.shown(q)] > refusals
			if q.Actor == "descheduler" {
				// It tries once, and one that a budget refuses is no step.
				if goesOn, err = r.evictable(ctx, q.pod()); err != nil {
					return err
				}
				goesOn = goesOn && !descheduler
			}
			if goesOn && r.knows(q) {
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
	if err := r.drains(ctx); err != nil {
		return err
	}
	r.out.Rows = append(r.out.Rows, Row{Step: len(r.trace.Steps), Expected: "rests", Seen: fmt.Sprintf("nothing for %v", restsFor)})
	return nil
}

// drains tells whether a drain that the trace leaves waiting would go on: whoever
// drains asks for the same evictions again and again.
func (r *run) drains(ctx context.Context) error {
	open := draining(r.trace)
	for _, key := range r.view.state.Keys() {
		pod := r.view.state[key]
		if key.Resource != "pods" || !open[text(pod, "spec", "nodeName")] || terminating(pod) || stays(pod) {
			continue
		}
		n := name{key.Namespace, key.Name}
		if goesOn, err := r.evictable(ctx, n); err != nil {
			return err
		} else if goesOn {
			return &divergence{expected: "nothing more", seen: []string{"drain evict " + r.pods.shown(n)}, why: "the API server allows it, and the trace rests here"}
		}
	}
	return nil
}

// draining are the nodes whose drain has begun and is not done at the end.
func draining(t *trace.Trace) map[string]bool {
	open := map[string]bool{}
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			switch a := &t.Steps[i].Acts[k]; {
			case a.Verb == "cordon" && a.By == "drain":
				open[machine(a)] = true
			case a.Verb == "drained", a.Verb == "uncordon":
				delete(open, machine(a))
			}
		}
	}
	return open
}

// stays tells whether a drain leaves a pod alone, as kubectl drain
// --ignore-daemonsets does.
func stays(pod map[string]any) bool {
	kind, _ := controller(pod)
	return kind == "DaemonSet" || text(pod, "metadata", "annotations", "kubernetes.io/config.mirror") != ""
}

// evictable tells whether the API server would evict a pod now.
func (r *run) evictable(ctx context.Context, n name) (bool, error) {
	err := r.client.PolicyV1().Evictions(n.namespace).Evict(ctx, &policyv1.Eviction{
		ObjectMeta:    metav1.ObjectMeta{Namespace: n.namespace, Name: n.name},
		DeleteOptions: &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}},
	})
	if answered(err) {
		return false, nil
	}
	return err == nil, err
}
