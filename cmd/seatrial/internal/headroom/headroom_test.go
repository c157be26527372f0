package headroom

import (
	"testing"
	"time"
)

// TestFree: how many processors had nothing to do between two moments.
func TestFree(t *testing.T) {
	begin := time.Unix(0, 0)
	for _, test := range []struct {
		what string
		idle time.Duration
		want float64
	}{
		{"all is at rest", 20 * time.Second, 2},
		{"a third of one of two is used", 16700 * time.Millisecond, 1.67},
		{"they are used", 2 * time.Second, 0.2},
		{"more than there are, since times are rounded", 20100 * time.Millisecond, 2},
		{"less than before", -time.Second, 0},
	} {
		from := Load{At: begin, Idle: time.Hour, Processors: 2}
		to := Load{At: begin.Add(10 * time.Second), Idle: time.Hour + test.idle, Processors: 2}
		if got := to.Free(from); got != test.want {
			t.Errorf("%s: %v, not %v", test.what, got, test.want)
		}
	}
	if got := (Load{Processors: 2}).Free(Load{}); got != 0 {
		t.Errorf("where no time has passed: %v", got)
	}
}
