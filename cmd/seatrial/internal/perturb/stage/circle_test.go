package stage

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// TestCircles: writes that came for a change, and once more for each event behind it, are no circle; what goes on is.
func TestCircles(t *testing.T) {
	for _, test := range []struct {
		name string
		// rounds were seen before it was first looked, and more came after that.
		rounds, more int
		want         bool
	}{
		{"once", 1, 0, false},
		{"twice more", 3, 0, false},
		{"on and on", 3, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, now := runOf(nil)
			l.s.o.Now = func() time.Time { return now }
			revision := int64(0)
			round := func() {
				for i, actor := range []string{plan.Controller, "deployment-controller"} {
					revision++
					form := func(said int) history.Object {
						return history.Object{"metadata": map[string]any{"name": "a"}, "data": map[string]any{"said": int64(said)}}
					}
					l.s.cycles.Add(history.Event{
						Key: history.Key{Resource: "configmaps", Name: "a"}, Type: history.Update, Actor: actor, Revision: revision,
						Previous: form((i + 1) % 2), Object: form(i),
					}, now)
				}
			}
			for range test.rounds {
				round()
			}
			if l.s.circlesFor(time.Second) {
				t.Error("it is known at once")
			}
			for range test.more {
				round()
			}
			now = now.Add(time.Minute)
			if got := l.s.circlesFor(time.Second); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
			if got := l.rest("").Cycle != nil; got != test.want {
				t.Errorf("the end has a circle: %v, want %v", got, test.want)
			}
		})
	}
}
