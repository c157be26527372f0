package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// rule is one of the kubelets' (docs/kubelet-rules.md), with what it is for.
type rule struct {
	Name  string            `json:"name"`
	Pods  map[string]string `json:"pods,omitempty"`
	Run   string            `json:"run,omitempty"`
	Exit  map[string]any    `json:"exit,omitempty"`
	Ready string            `json:"ready,omitempty"`
	// Unready has after, for and every.
	Unready map[string]string `json:"unready,omitempty"`
	Updates string            `json:"updates,omitempty"`
	Exits   int               `json:"exits,omitempty"`
	BackOff float64           `json:"backOff,omitempty"`
}

// asKubelets has a pod with a readiness probe be running in one write and ready in
// another, as the model has it and as kubelets do.
var asKubelets = rule{Name: "writes as kubelets", Updates: "kubelet"}

// say tells the kubelets all rules of the replay.
func (r *run) say(ctx context.Context) error {
	document, err := json.Marshal(r.rules) // JSON is YAML
	if err != nil {
		return err
	}
	return r.admin.SetRules(ctx, r.plane, string(document))
}

// Pods crash from now on: their containers end as soon as they run, and never
// become ready.
var _ = register("doom", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		selected := map[string]string{}
		if a.Node != "" {
			selected["node"] = a.Node
		}
		switch kind, namespace, object := named(a.Object); {
		case kind == "Node":
			selected["node"] = object
		case a.Revision != nil:
			selected["namespace"], selected["owner"] = namespace, "ReplicaSet/"+r.setOf(a.Object, *a.Revision)
		case kind == "Deployment":
			selected["namespace"], selected["owner"] = namespace, "ReplicaSet/"+object+"-*"
		case kind == "ReplicaSet":
			selected["namespace"], selected["owner"] = namespace, "ReplicaSet/"+object
		case kind == "Pod":
			selected["namespace"], selected["name"] = namespace, object
		case a.Node == "":
			return unsupported{"make pods of " + a.Object + " crash"}
		}
		r.rules = append([]rule{{
			Name: sentence(a), Pods: selected, Run: "1ms", Ready: "never", Exit: map[string]any{"code": 1},
		}}, r.rules...)
		return r.say(ctx)
	},
})

// setOf is the real name of the ReplicaSet of a template.
func (r *run) setOf(workload string, revision int) string {
	_, namespace, _ := named(workload)
	for _, w := range r.trace.Setup.Workloads {
		if w.Object == workload && revision < len(w.Revisions) {
			return r.setName(namespace, w.Revisions[revision].Set)
		}
	}
	return "?"
}

// flap has one pod fail its readiness probe, until it is to be ready again.
func flap(ctx context.Context, r *run, a *trace.Act) error {
	if a.Pod == nil {
		return unsupported{"do " + sentence(a)}
	}
	n, _ := r.podNow(a, nil)
	r.rules = append([]rule{{
		Name: flapOf(n), Pods: map[string]string{"namespace": n.namespace, "name": n.name},
		Unready: map[string]string{"after": "0s", "for": "1h"},
	}}, r.rules...)
	return r.say(ctx)
}

func flapOf(n name) string { return fmt.Sprintf("%s/%s is not ready", n.namespace, n.name) }

// unflap ends that.
func unflap(ctx context.Context, r *run, a *trace.Act) error {
	n, _ := r.podNow(a, nil)
	for i, each := range r.rules {
		if each.Name == flapOf(n) {
			r.rules = append(r.rules[:i:i], r.rules[i+1:]...)
			return r.say(ctx)
		}
	}
	return nil
}

// The containers of a pod end once more and are started again. The rule stays: they
// have ended as often as it says.
var _ = register("restart", verb{
	prepare: func(ctx context.Context, r *run, a *trace.Act) error {
		n, pod := r.podNow(a, r.view.state)
		name := fmt.Sprintf("%s/%s ends and starts again", n.namespace, n.name)
		r.rules = append([]rule{{
			Name: name, Pods: map[string]string{"namespace": n.namespace, "name": n.name},
			Run: "1ms", Exits: restarts(pod) + 1, BackOff: 0.001, Updates: "all", Exit: map[string]any{"code": 1},
		}}, slices.DeleteFunc(r.rules, func(each rule) bool { return each.Name == name })...)
		return r.say(ctx)
	},
	perform: func(context.Context, *run, *trace.Act) error { return nil },
	through: "kubelet",
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "pods/status" && samePod(r, a, q) && q.conditioned() && !ready(q.body)
	},
	taken: takePod,
	happened: func(r *run, a *trace.Act, s history.State) bool {
		_, pod := r.podNow(a, s)
		return !ready(pod)
	},
})

// restarts is how often the containers of a pod were started again, at most.
func restarts(pod map[string]any) int {
	most := 0
	statuses, _ := history.Object(pod).At("status", "containerStatuses").([]any)
	for _, each := range statuses {
		if status, ok := each.(map[string]any); ok {
			if n, ok := whole(status, "restartCount"); ok {
				most = max(most, int(n))
			}
		}
	}
	return most
}
