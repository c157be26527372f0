package machine

import (
	"testing"
	"time"
)

// TestFree: what processors are free is the least of what the machine has, and of what this process may use.
func TestFree(t *testing.T) {
	begin := time.Unix(0, 0)
	for _, test := range []struct {
		what       string
		idle, used time.Duration
		processors int
		want       float64
	}{
		{"a machine at rest", 20 * time.Second, 0, 2, 2},
		{"a third of one of two is used", 16700 * time.Millisecond, 3300 * time.Millisecond, 2, 1.67},
		{"others use the machine", 2 * time.Second, time.Second, 2, 0.2},
		{"the container uses what it may have of a large machine", 600 * time.Second, 20 * time.Second, 2, 0},
		{"more than it may have, since times are rounded", 600 * time.Second, 21 * time.Second, 2, 0},
	} {
		from := Load{At: begin, Idle: time.Hour, Used: time.Minute}
		to := Load{At: begin.Add(10 * time.Second), Idle: time.Hour + test.idle, Used: time.Minute + test.used, Processors: test.processors}
		if got := to.Free(from); got != test.want {
			t.Errorf("%s: %v, not %v", test.what, got, test.want)
		}
	}
	if got := (Load{Processors: 2}).Free(Load{}); got != 0 {
		t.Errorf("where no time has passed: %v", got)
	}
}
