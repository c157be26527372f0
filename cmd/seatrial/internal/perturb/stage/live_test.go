package stage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/history"
)

// TestUsers: what was there before a run is in its state whether anybody touches it or not, if it is not the
// cluster's own.
func TestUsers(t *testing.T) {
	key := func(resource, namespace, name string) history.Key {
		return history.Key{Resource: resource, Namespace: namespace, Name: name}
	}
	pod, role := key("pods", "default", "given"), key("roles.rbac.authorization.k8s.io", "kube-system", "a")
	node, other := key("nodes", "", "node-1"), key("nodes", "", "node-2")
	all := history.State{pod: {}, role: {}, node: {}, other: {}}
	if diff := cmp.Diff(history.State{pod: {}, node: {}}, users(all, map[history.Key]bool{node: true})); diff != "" {
		t.Error(diff)
	}
}
