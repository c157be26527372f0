package stage

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/history"
)

// TestStill: rest is what was seen of it, and not what passed while nobody could look, or a process had something to
// do.
func TestStill(t *testing.T) {
	const ms = time.Millisecond
	begin := time.Unix(0, 0)
	for _, test := range []struct {
		name string
		// looks are how long after the one before it each was taken, negative where something was under way then.
		looks []time.Duration
		want  time.Duration
	}{
		{"nothing moves", []time.Duration{100 * ms, 50 * ms, 100 * ms}, 250 * ms},
		{"the machine does other things for long", []time.Duration{100 * ms, 10 * time.Second}, 100*ms + lookMost},
		{"it waits for an answer", []time.Duration{100 * ms, -100 * ms, -100 * ms, 100 * ms}, 200 * ms},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, now := still{looked: begin}, begin
			for _, d := range test.looks {
				now = now.Add(max(d, -d))
				s.look(now, d > 0)
			}
			if s.at != test.want {
				t.Errorf("%s, want %s", s.at, test.want)
			}
		})
	}
}

// TestOwed: a process has something to do as long as a stream has not given it what has happened.
func TestOwed(t *testing.T) {
	now := time.Unix(0, 0)
	o := owed{}
	o.add(history.Event{Revision: 7, Key: history.Key{Resource: "pods", Namespace: "shop", Name: "a"}}, now)
	for _, test := range []struct {
		name   string
		stream apiproxy.StreamActivity
		later  time.Duration
		want   bool
	}{
		{"it has not", apiproxy.StreamActivity{Resource: "pods", Delivered: 6}, 0, true},
		{"it has", apiproxy.StreamActivity{Resource: "pods", Delivered: 7}, 0, false},
		{"of its namespace", apiproxy.StreamActivity{Resource: "pods", Namespace: "shop", Delivered: 6}, 0, true},
		{"of another namespace", apiproxy.StreamActivity{Resource: "pods", Namespace: "bank", Delivered: 6}, 0, false},
		{"of another resource", apiproxy.StreamActivity{Resource: "services", Delivered: 6}, 0, false},
		{"of some pods", apiproxy.StreamActivity{Resource: "pods", Part: true, Delivered: 6}, 0, false},
		{"it never does", apiproxy.StreamActivity{Resource: "pods", Delivered: 6}, owedMax, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := o.to(test.stream, now.Add(test.later)); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}
