package stage

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// TestRemade: what the controller deletes and makes anew again and again does not end; what others do, and what it
// makes anew once or twice, does.
func TestRemade(t *testing.T) {
	set := history.Key{Resource: "statefulsets.apps", Namespace: "default", Name: "a"}
	going := history.Object{"metadata": map[string]any{"deletionTimestamp": "2026-01-01T00:00:00Z"}}
	for _, test := range []struct {
		name           string
		deletes, makes string
		times          int
		gradual, want  bool
	}{
		{name: "again and again", deletes: plan.Controller, makes: plan.Controller, times: remadeMost, want: true},
		{name: "each waits for its finalizers", deletes: plan.Controller, makes: plan.Controller, times: remadeMost, gradual: true, want: true},
		{name: "a few times", deletes: plan.Controller, makes: plan.Controller, times: remadeMost - 1},
		{name: "somebody else deletes", deletes: "garbage-collector", makes: plan.Controller, times: 2 * remadeMost},
		{name: "somebody else makes", deletes: plan.Controller, makes: "statefulset-controller", times: 2 * remadeMost},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, _ := runOf(nil)
			for range test.times {
				if test.gradual {
					l.s.endless.add(history.Event{Key: set, Type: history.Update, Actor: test.deletes, Object: going})
					l.s.endless.add(history.Event{Key: set, Type: history.Delete, Actor: "garbage-collector", Previous: going})
				} else {
					l.s.endless.add(history.Event{Key: set, Type: history.Delete, Actor: test.deletes, Previous: history.Object{}})
				}
				l.s.endless.add(history.Event{Key: set, Type: history.Create, Actor: test.makes, Object: history.Object{}})
			}
			if got := l.endless(); got.Is() != test.want || test.want && got != (Endless{Object: set}) || l.rest("").Endless != got {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestRestored: a field that the controller sets and somebody else sets back each time is a fight without end; one that
// it changes by itself, one that somebody changes once, and a status, which follows what comes and goes, is none.
func TestRestored(t *testing.T) {
	web := history.Key{Resource: "deployments.apps", Namespace: "default", Name: "web"}
	const scaler = "horizontal-pod-autoscaler"
	for _, test := range []struct {
		name, part, other string
		// values are what the controller sets in turn, and the other sets it back.
		values []int64
		want   string
	}{
		{
			name: "an autoscaler wants more", part: "spec", other: scaler, values: []int64{3},
			want: "sets spec.replicas of deployments.apps default/web from 7 to 3 again and again, and " + scaler + " sets it back",
		},
		{name: "it goes to and fro by itself", part: "spec", other: plan.Controller, values: []int64{3}},
		{name: "another value each time", part: "spec", other: scaler, values: []int64{1, 2, 3, 4, 5}},
		{name: "what is so", part: "status", other: scaler, values: []int64{3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, _ := runOf(nil)
			of := func(n int64) history.Object {
				return history.Object{test.part: map[string]any{"replicas": n}}
			}
			now, turns := int64(7), restoredMost+1
			for i := range turns {
				next := test.values[i%len(test.values)]
				l.s.endless.add(history.Event{Key: web, Type: history.Update, Actor: plan.Controller, Previous: of(now), Object: of(next)})
				if i == turns-2 && l.endless().Is() {
					t.Error("it is known too early")
				}
				now = 7
				l.s.endless.add(history.Event{Key: web, Type: history.Update, Actor: test.other, Previous: of(next), Object: of(now)})
			}
			got := ""
			if l.endless().Is() {
				got = l.endless().String()
			}
			if got != test.want {
				t.Errorf("it %s, want %s", got, test.want)
			}
		})
	}
}
