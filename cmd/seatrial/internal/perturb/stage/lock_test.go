package stage

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// TestLapsed: a process that ends when it could not renew its lock may end; one that holds none, has given it back, or
// has just renewed it may not.
func TestLapsed(t *testing.T) {
	lease := func(holder string) history.Object {
		return history.Object{"spec": map[string]any{"holderIdentity": holder, "leaseDurationSeconds": int64(15)}}
	}
	annotated := history.Object{"metadata": map[string]any{"annotations": map[string]any{leaderAnnotation: `{"holderIdentity":"a","leaseDurationSeconds":15}`}}}
	for name, c := range map[string]struct {
		resource string
		object   history.Object
		actor    string
		after    time.Duration
		want     bool
	}{
		"renewed":     {"leases.coordination.k8s.io", lease("a"), plan.Controller, 3 * time.Second, false},
		"not renewed": {"leases.coordination.k8s.io", lease("a"), plan.Controller, 10 * time.Second, true},
		"given back":  {"leases.coordination.k8s.io", lease(""), plan.Controller, 10 * time.Second, false},
		"another's":   {"leases.coordination.k8s.io", lease("a"), "kube-scheduler", 10 * time.Second, false},
		"of old":      {"configmaps", annotated, plan.Controller, 10 * time.Second, true},
		"no lock":     {"configmaps", history.Object{}, plan.Controller, time.Hour, false},
	} {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		s, err := newStage(Options{Experiment: &experiment.Experiment{}, Mask: history.DefaultMask(), Now: func() time.Time { return now }, Place: nowhere(t)})
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
		s.observe(history.Event{Revision: 1, Type: history.Create, Actor: c.actor, Key: history.Key{Resource: c.resource, Namespace: "a", Name: "lock"}, Object: c.object})
		now = now.Add(c.after)
		if got := s.lapsed(); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
