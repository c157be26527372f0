package replay

import (
	"maps"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/trace"
)

// TestTogether: what a controller does several of in one step comes of one decision, which
// has to be made after the step before.
func TestTogether(t *testing.T) {
	act := func(by, verb string) *trace.Act { return &trace.Act{By: by, Verb: verb, Role: trace.RoleController} }
	for _, c := range []struct {
		name string
		acts []*trace.Act
		want map[string]bool
	}{
		{"one delete", []*trace.Act{act("replicaset-controller", "delete")}, nil},
		{"two", []*trace.Act{act("replicaset-controller", "delete"), act("replicaset-controller", "delete")}, map[string]bool{"replicaset-controller": true}},
		{"of two components", []*trace.Act{act("replicaset-controller", "delete"), act("deployment-controller", "scale")}, nil},
		{"each for a pod of its own", []*trace.Act{act("taint-eviction-controller", "delete"), act("taint-eviction-controller", "delete")}, nil},
		{"a preemption", []*trace.Act{act("kube-scheduler", "delete"), act("kubelet", "gone"), act("kube-scheduler", "nominate")}, map[string]bool{"kube-scheduler": true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := together(c.acts); !maps.Equal(got, c.want) {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestCovered: every act needs a request of its own, also where one could be either.
func TestCovered(t *testing.T) {
	acts := []*trace.Act{{Node: "ab"}, {Node: "a"}} // a may be either, b only the first
	is := func(a *trace.Act, q request) bool { return strings.Contains(a.Node, q.Name) }
	for _, c := range []struct {
		parked string
		want   bool
	}{{"a b", true}, {"b a", true}, {"a", false}, {"b c", false}, {"a c a", true}} {
		var requests []request
		for _, name := range strings.Fields(c.parked) {
			requests = append(requests, request{Parked: admin.Parked{Name: name}})
		}
		if got := covered(acts, requests, is); got != c.want {
			t.Errorf("%s: %v", c.parked, got)
		}
	}
}
