package oracle_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestUnfinishedWarnings: who warns of the resource again and again is not done with it; a warning that came once may
// be of its start.
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
		of := &oracle.Case{Steps: []*oracle.Step{{End: s}}, Key: key}
		if got := oracle.Unfinished(of); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTransientWarnings: a warning that does not come anew when the operator is started again was of the time until
// pods were ready.
func TestTransientWarnings(t *testing.T) {
	const event = "{kind: Event, metadata: {name: e}, type: Warning, count: 3, involvedObject: {kind: Thing, name: a}, reason: Waiting, message: no pod}"
	end := state(t, thing+event)
	for _, c := range []struct {
		name   string
		behind []history.Event
		want   string
	}{
		{"no more", nil, ""},
		{"anew", []history.Event{write(t, "", strings.Replace(event, "name: e", "name: f", 1))}, "again and again there is the warning Waiting no pod"},
		{"another", []history.Event{write(t, "", strings.Replace(event, "no pod", "no node", 1))}, ""},
	} {
		of := &oracle.Case{Steps: []*oracle.Step{{End: end, Output: "dial tcp 10.0.0.1:80: connection refused"}}, Restart: &oracle.Step{Events: c.behind}, Key: key}
		if got := oracle.Unfinished(of); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if of.Unreachable = []string{"tcp"}; oracle.Unfinished(of) != "" {
			t.Errorf("%s: it is said though it is known", c.name)
		}
	}
}
