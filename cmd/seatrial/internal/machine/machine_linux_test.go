package machine

import (
	"testing"
	"time"
)

// TestRead reads what the system says here, and what it might say elsewhere.
func TestRead(t *testing.T) {
	if l, ok := Now(time.Unix(1, 0)); !ok || l.Idle <= 0 || l.Processors < 1 {
		t.Errorf("%+v, %v", l, ok)
	}
	if n, ok := Memory(); !ok || n <= 0 {
		t.Errorf("%d bytes are left, %v", n, ok)
	}
	for _, test := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"cpu  10 20 30 400 50 6 7 8 9 10\ncpu0 1 2 3 4\n", 4 * time.Second, true},
		{"cpu  10 20 30 x", 0, false},
		{"cpu  10 20", 0, false},
		{"intr 1 2 3 4 5", 0, false},
		{"", 0, false},
	} {
		if got, ok := idleIn([]byte(test.text)); ok != test.ok || ok && got != test.want {
			t.Errorf("%q: %v, %v", test.text, got, ok)
		}
	}
	if got := field([]byte("MemTotal: 9 kB\nMemAvailable:  7 kB\n"), "MemAvailable:"); got != 7 {
		t.Errorf("MemAvailable is %d", got)
	}
}
