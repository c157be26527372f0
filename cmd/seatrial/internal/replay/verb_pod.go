package replay

import (
	"context"
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// podNow is the real pod of an act, and the pod of a state.
func (r *run) podNow(a *trace.Act, s history.State) (name, history.Object) {
	n, known := r.pods.names[identityOf(a.Pod)]
	if !known {
		return n, nil
	}
	return n, s[history.Key{Resource: "pods", Namespace: n.namespace, Name: n.name}]
}

// samePod tells whether a request is about the pod of an act, or about one that
// it could equally be about.
func samePod(r *run, a *trace.Act, q request) bool {
	return a.Pod != nil && r.pods.could(a.Pod, r.among(a), q.pod())
}

func takePod(r *run, a *trace.Act, q request) { r.pods.take(a.Pod, r.among(a), q.pod()) }

var _ = register("bind", verb{
	prepare: func(ctx context.Context, r *run, a *trace.Act) error {
		n, _ := r.podNow(a, nil)
		return r.turn(ctx, n, a.Pod.Node, len(a.Ties) > 1)
	},
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/binding" && samePod(r, a, q) && text(q.body, "target", "name") == a.Pod.Node
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return text(pod, "spec", "nodeName") == a.Pod.Node
	},
})

var _ = register("start", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && text(q.body, "status", "phase") == "Running" &&
			(ready(q.body) == a.Pod.Ready || !q.conditioned())
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return text(pod, "status", "phase") == "Running" && ready(pod) == a.Pod.Ready
	},
})

var _ = register("ready", verb{
	prepare: unflap,
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && ready(q.body)
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return ready(pod)
	},
})

var _ = register("unready", verb{
	perform: flap,
	through: "kubelet",
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && q.conditioned() && !ready(q.body)
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return pod == nil || !ready(pod)
	},
})

var _ = register("reject", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && text(q.body, "status", "phase") == "Failed"
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return text(pod, "status", "phase") == "Failed"
	},
})

var _ = register("crash", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && q.conditioned() && !ready(q.body)
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return pod != nil && !ready(pod)
	},
})

var _ = register("nominate", verb{
	prepare: func(ctx context.Context, r *run, a *trace.Act) error {
		n, _ := r.podNow(a, nil)
		return r.turn(ctx, n, "", false)
	},
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && text(q.body, "status", "nominatedNodeName") == a.Pod.Nominated
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return text(pod, "status", "nominatedNodeName") == a.Pod.Nominated
	},
})

// leaving tells whether a pod is gone or on its way.
func leaving(r *run, a *trace.Act, s history.State) bool {
	_, pod := r.podNow(a, s)
	return pod == nil || terminating(pod) && !a.Gone
}

var _ = register("evict", verb{
	prepare: func(ctx context.Context, r *run, a *trace.Act) error {
		if a.By == "descheduler" {
			return r.deschedule(ctx)
		}
		return nil
	},
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		n, _ := r.podNow(a, nil)
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: n.namespace, Name: n.name}}
		return r.client.PolicyV1().Evictions(n.namespace).Evict(ctx, eviction)
	},
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/eviction" && samePod(r, a, q)
	},
	taken:    takePod,
	happened: leaving,
})

var _ = register("gone", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods" && q.Verb == "delete" && samePod(r, a, q)
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return pod == nil
	},
})

// turn has the scheduler decide about one pod and nothing else.
func (r *run) turn(ctx context.Context, n name, node string, tie bool) error {
	if n.name == "" {
		return fmt.Errorf("a pod that is to be scheduled is not there")
	}
	tries := steadyTries
	if tie {
		tries = tieTries
	}
	return r.steer(ctx, n, node, tries)
}
