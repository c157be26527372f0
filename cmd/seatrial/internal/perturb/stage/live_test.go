package stage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
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
	server, own := key("services", "default", "kubernetes"), key("services", "shop", "kubernetes")
	all := history.State{pod: {}, role: {}, node: {}, other: {}, server: {}, own: {}}
	if diff := cmp.Diff(history.State{pod: {}, node: {}, own: {}}, users(all, map[history.Key]bool{node: true})); diff != "" {
		t.Error(diff)
	}
}

// TestInternal: what the cluster does with what was its own from the beginning is no part of a run; what it makes then
// is, and what the controller has written.
func TestInternal(t *testing.T) {
	role := func(name string) history.Key {
		return history.Key{Resource: "clusterroles.rbac.authorization.k8s.io", Name: name}
	}
	place := nowhere(t)
	place.Base = history.State{role("admin"): {}, role("edit"): {}, role("view"): {}}
	s, err := newStage(Options{Experiment: &experiment.Experiment{}, Mask: history.DefaultMask(), Now: func() time.Time { return time.Time{} }, Place: place})
	if err != nil {
		t.Fatal(err)
	}
	for i, by := range []struct{ name, actor string }{{"admin", "clusterrole-aggregation-controller"}, {"edit", "controller"}, {"new", "clusterrole-aggregation-controller"}} {
		s.observe(history.Event{Revision: int64(i + 1), Type: history.Update, Key: role(by.name), Object: history.Object{"kind": "ClusterRole"}, Actor: by.actor})
	}
	want := history.State{role("edit"): {"kind": "ClusterRole"}, role("new"): {"kind": "ClusterRole"}}
	if diff := cmp.Diff(want, (&Live{s: s}).State()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, s.final()); diff != "" {
		t.Error(diff)
	}
}

// TestOthersAreNoGap: silence in which kubelets were waited for says nothing of how fast the controller is.
func TestOthersAreNoGap(t *testing.T) {
	for _, others := range []func(history.State) string{nil, func(s history.State) string { return map[bool]string{true: "an image"}[len(s) == 0] }} {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		s, err := newStage(Options{Experiment: &experiment.Experiment{}, Mask: history.DefaultMask(), Now: func() time.Time { return now }, Place: nowhere(t)})
		if err != nil {
			t.Fatal(err)
		}
		s.others = others
		write := func(name string) {
			for range time.Minute / lookEvery {
				now = now.Add(lookEvery)
				s.still.look(now, true)
			}
			s.observe(history.Event{Revision: s.newest + 1, Type: history.Create, Key: history.Key{Resource: "pods", Namespace: "a", Name: name}, Object: history.Object{"kind": "Pod"}})
		}
		write("a")
		now = now.Add(time.Second)
		if counted := s.gap > 0; counted == (others != nil) {
			t.Errorf("others %t: a gap of %s", others != nil, s.gap)
		}
		write("b")
		if s.gap < time.Minute {
			t.Errorf("others %t: then a gap of %s", others != nil, s.gap)
		}
	}
}
