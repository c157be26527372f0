package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestHopeless: it is known that a workload will never be ready when one of its own pods never will; what others may
// still bring about is waited for.
func TestHopeless(t *testing.T) {
	workload := func(app string, ready int64) history.Object {
		return history.Object{
			"metadata": map[string]any{"generation": int64(2)},
			"spec":     map[string]any{"replicas": int64(2), "selector": map[string]any{"matchLabels": map[string]any{"app": app}}},
			"status":   map[string]any{"observedGeneration": int64(2), "readyReplicas": ready, "updatedReplicas": ready},
		}
	}
	pod := func(app string, status map[string]any) history.Object {
		return history.Object{"metadata": map[string]any{"labels": map[string]any{"app": app}}, "status": status}
	}
	waiting := func(reason string) map[string]any {
		return map[string]any{"containerStatuses": []any{map[string]any{"state": map[string]any{"waiting": map[string]any{"reason": reason}}}}}
	}
	unscheduled := func(message string) map[string]any {
		return map[string]any{"conditions": []any{map[string]any{"type": "PodScheduled", "status": "False", "message": message}}}
	}
	const nowhere = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate"
	unseen := workload("web", 0)
	unseen["status"].(map[string]any)["observedGeneration"] = int64(1)
	for _, test := range []struct {
		name      string
		workloads []history.Object
		pods      []history.Object
		want      bool
	}{
		{"all is ready", []history.Object{workload("web", 2)}, []history.Object{pod("web", waiting("ErrImagePull"))}, false},
		{"an image that is nowhere", []history.Object{workload("web", 1)}, []history.Object{pod("web", waiting("ErrImagePull"))}, true},
		{"a node that there is not", []history.Object{workload("web", 0)}, []history.Object{pod("web", unscheduled(nowhere))}, true},
		{"nodes that are full", []history.Object{workload("web", 0)}, []history.Object{pod("web", unscheduled("0/3 nodes are available: 3 Insufficient cpu. preemption: none"))}, false},
		{"one node that would do", []history.Object{workload("web", 0)}, []history.Object{pod("web", unscheduled("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector."))}, false},
		{"a Secret that may come", []history.Object{workload("web", 0)}, []history.Object{pod("web", waiting("CreateContainerConfigError"))}, false},
		{"it was not seen yet", []history.Object{unseen}, []history.Object{pod("web", waiting("ErrImagePull"))}, false},
		{"another's pod", []history.Object{workload("web", 0)}, []history.Object{pod("db", waiting("ErrImagePull"))}, false},
		{"one of two workloads", []history.Object{workload("web", 0), workload("db", 0)}, []history.Object{pod("db", waiting("ErrImagePull"))}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := history.State{}
			for i, o := range test.workloads {
				s[history.Key{Resource: "deployments.apps", Namespace: "default", Name: string(rune('a' + i))}] = o
			}
			for i, o := range test.pods {
				s[history.Key{Resource: "pods", Namespace: "default", Name: string(rune('a' + i))}] = o
			}
			if got := hopeless(s); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
