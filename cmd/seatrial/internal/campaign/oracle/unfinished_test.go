package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestUnfinishedWarnings: who warns of the resource again and again is not done with it; a warning that came once may be of its start.
func TestUnfinishedWarnings(t *testing.T) {
	const failed = "reason: ReconcileFailed, message: '0 of 3 nodes have started'"
	for _, c := range []struct{ name, event, want string }{
		{"again and again", "type: Warning, count: 3, involvedObject: {kind: Thing, name: a}, " + failed, "again and again there is the warning Reconcile Failed 0 of 3 nodes have started"},
		{"in a series", "type: Warning, series: {count: 2}, regarding: {kind: Thing, name: a}, reason: ReconcileFailed, note: nothing answers", "again and again there is the warning Reconcile Failed nothing answers"},
		{"once", "type: Warning, count: 1, involvedObject: {kind: Thing, name: a}, " + failed, ""},
		{"no warning", "type: Normal, count: 3, involvedObject: {kind: Thing, name: a}, " + failed, ""},
		{"of something else", "type: Warning, count: 3, involvedObject: {kind: Pod, name: a-0}, " + failed, ""},
	} {
		s := state(t, thing+"{kind: Event, metadata: {name: e}, "+c.event+"}")
		if got := oracle.Unfinished(s, key); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
