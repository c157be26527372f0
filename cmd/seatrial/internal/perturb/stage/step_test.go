package stage

import (
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// TestNotQuietBehindAStep: what users have just done is still to be heard of, however
// long all was quiet before.
func TestNotQuietBehindAStep(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := &Stage{o: Options{Now: func() time.Time { return now }}, user: &Driver{}, rec: &recording.Recording{}, still: still{looked: now}}
	for range time.Minute / lookEvery {
		now = now.Add(lookEvery)
		s.still.look(now, true)
	}
	if left := s.untilQuiet(time.Second); left > 0 {
		t.Fatalf("quiet in %s, and all was for a minute", left)
	}
	if _, err := s.step(t.Context(), &experiment.Step{Run: []string{"true"}}); err != nil {
		t.Fatal(err)
	}
	if left := s.untilQuiet(time.Second); left != time.Second {
		t.Errorf("quiet in %s right behind a step", left)
	}
}

// TestNoStateIsMissed: what is so between two events only ends a wait, and what was so
// before it does not.
func TestNoStateIsMissed(t *testing.T) {
	e, err := experiment.Parse("experiment.yaml", "sample", "/", []byte(`
apiVersion: seatrial.dev/v1alpha1
kind: Experiment
controller: {command: [manager]}
steps:
- wait: {object: configmaps default/a, until: "object.data.at == '2'"}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newStage(Options{Experiment: e, Mask: history.DefaultMask(), Now: func() time.Time { return time.Time{} }, Place: nowhere(t)})
	if err != nil {
		t.Fatal(err)
	}
	key := history.Key{Resource: "configmaps", Namespace: "default", Name: "a"}
	var last history.Object
	write := func(at string) {
		o := history.Object{"kind": "ConfigMap", "metadata": map[string]any{"name": "a"}, "data": map[string]any{"at": at}}
		s.observe(history.Event{Revision: s.newest + 1, Type: history.Update, Key: key, Previous: last, Object: o})
		last = o
	}
	write("2")
	write("1")
	s.waitFor(e.Steps[0].Wait)
	if s.came {
		t.Fatal("what was so before the wait has ended it")
	}
	write("2")
	write("3")
	if !s.came {
		t.Error("what was so between two events was missed")
	}
}

// nowhere is a place that nobody asks.
func nowhere(t *testing.T) Place {
	t.Helper()
	return Place{Config: &rest.Config{Host: "https://127.0.0.1:1"}, Revision: 1, Folder: t.TempDir()}
}

// TestTakeover: a standby leads when it has made the lock anew, however much it watched
// before; one of a controller that shows no lock leads at once.
func TestTakeover(t *testing.T) {
	write := func(kind history.Type, resource string, o history.Object) history.Event {
		return history.Event{Actor: plan.Controller, Type: kind, Key: history.Key{Resource: resource, Name: "lock"}, Object: o}
	}
	const leases = "leases.coordination.k8s.io"
	held := history.Object{"metadata": map[string]any{"annotations": map[string]any{leaderAnnotation: "{}"}}}
	for _, test := range []struct {
		name          string
		before, after history.Event
		want          bool
	}{
		{"a lease", write(history.Create, leases, nil), write(history.Create, leases, nil), true},
		{"the last word of the old leader", write(history.Create, leases, nil), write(history.Update, leases, nil), false},
		{"another write", write(history.Create, leases, nil), write(history.Create, "pods", nil), false},
		{"an annotation", write(history.Create, "configmaps", held), write(history.Update, "configmaps", held), true},
		{"no lock", write(history.Create, "pods", nil), write(history.Create, "pods", nil), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &Stage{rec: &recording.Recording{Events: []history.Event{test.before, test.after}}}
			if leads := s.locked(&cast{takesOver: 1}); leads != test.want {
				t.Errorf("it leads: %t", leads)
			}
			if !s.locked(&cast{}) {
				t.Error("one that was started and takes nothing over waits for a lock")
			}
		})
	}
}
