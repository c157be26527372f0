package campaign

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// looking is a stage whose operator goes on when it is waited for the second time: its resource has another phase then.
type looking struct {
	growing
	phases  []string
	writes  []int
	settled int
	waited  []time.Duration
}

func (l *looking) Settle(_ context.Context, p stage.Patience) (stage.Rest, error) {
	l.settled++
	l.waited = append(l.waited, max(p.Long, p.Idle))
	return stage.Rest{Quiet: true, Gap: time.Duration(l.settled) * 10 * time.Second}, nil
}

func (l *looking) Untouched() history.State { return nil }

func (l *looking) State() history.State {
	return history.State{webKey: {"status": map[string]any{"phase": l.phases[max(0, l.settled-1)]}}}
}

func (l *looking) Events() []history.Event {
	return slices.Repeat([]history.Event{{Key: mapKey, Type: history.Create, Actor: plan.Controller}}, l.writes[max(0, l.settled-1)])
}

// TestLate: an operator that is not done with the seed, or has done nothing, may only look again later: that is waited
// for once, and behind each operation where something came of it.
func TestLate(t *testing.T) {
	for _, c := range []struct {
		name    string
		phases  []string
		writes  []int
		settled int
		quiet   time.Duration // how long nothing may move afterwards
		later   time.Duration // the same of a resource that is not done
	}{
		{"it is done at once", []string{"Running"}, []int{1}, 1, quietMax, 0},
		{"it is done when it looks again", []string{"Creating", "Running"}, []int{1, 2}, 2, quietMax, 30 * time.Second},
		{"it is never done", []string{"Creating", "Creating"}, []int{1, 1}, 2, quietMax, 0},
		{"it begins when it looks again", []string{"", ""}, []int{0, 1}, 2, 30 * time.Second, 30 * time.Second},
		{"it never begins", []string{"", ""}, []int{0, 0}, 2, quietMax, 0},
	} {
		live := &looking{phases: c.phases, writes: c.writes}
		l := &lab{key: webKey, now: time.Now}
		p := &performance{live: live, lab: l}
		if err := p.settle(t.Context(), &oracle.Step{Resource: history.Object{}}); err != nil {
			t.Fatal(err)
		}
		if live.settled != c.settled || live.settled > 1 && live.waited[1] != lateMost {
			t.Errorf("%s: it was waited for %d times, for %v", c.name, live.settled, live.waited)
		}
		after := l.tempo.patience(webKey)
		if got := after.LongFor(history.State{webKey: {"status": map[string]any{"phase": "Creating"}}}); after.Quiet != c.quiet || got != c.later {
			t.Errorf("%s: nothing may move for %s then, and %s of what is not done; want %s and %s", c.name, after.Quiet, got, c.quiet, c.later)
		}
		if waits := after.Waits(history.State{webKey: {"status": map[string]any{"phase": "Creating"}}}) != ""; waits != (c.later > 0) {
			t.Errorf("%s: what is not done is waited for: %t", c.name, waits)
		}
	}
}
