package stage

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// TestRemakes: what the controller deletes and makes anew again and again does not end; what others do, and what it makes anew
// once or twice, does.
func TestRemakes(t *testing.T) {
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
					l.s.remakes.add(history.Event{Key: set, Type: history.Update, Actor: test.deletes, Object: going})
					l.s.remakes.add(history.Event{Key: set, Type: history.Delete, Actor: "garbage-collector", Previous: going})
				} else {
					l.s.remakes.add(history.Event{Key: set, Type: history.Delete, Actor: test.deletes, Previous: history.Object{}})
				}
				l.s.remakes.add(history.Event{Key: set, Type: history.Create, Actor: test.makes, Object: history.Object{}})
			}
			key, got := l.endless()
			if got != test.want || got && key != set {
				t.Errorf("%v, %v", key, got)
			}
			if r := l.rest(""); r.Remade != key {
				t.Errorf("the end has %v", r.Remade)
			}
		})
	}
}
