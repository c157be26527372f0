package headroom

import (
	"runtime"
	"testing"
	"time"
)

// TestRead reads what the system says here, and what it might say elsewhere.
func TestRead(t *testing.T) {
	if l, ok := Now(time.Unix(1, 0)); ok && l.Idle <= 0 || ok != (runtime.GOMAXPROCS(0) >= runtime.NumCPU()) {
		t.Errorf("%+v, %v", l, ok)
	}
	if runtime.NumCPU() > 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		if l, ok := Now(time.Unix(1, 0)); ok {
			t.Errorf("one processor may be used, and %+v is known", l)
		}
	}
	if all, free, ok := Memory(); !ok || free <= 0 || all <= 0 {
		t.Errorf("%d of %d bytes are free, %v", free, all, ok)
	}
	for _, test := range []struct {
		text       string
		want       time.Duration
		processors int
	}{
		{"cpu  10 20 30 400 50 6 7 8 9 10\ncpu0 5 10 15 100 20\ncpu1 5 10 15 300 30 3 4\nintr 1 2 3 4 5\n", 4 * time.Second, 2},
		{"cpu0 10 20 30 x", 0, 0},
		{"cpu0 10 20", 0, 0},
		{"intr 1 2 3 4 5", 0, 0},
		{"", 0, 0},
	} {
		if got, n := idleIn([]byte(test.text)); n != test.processors || got != test.want {
			t.Errorf("%q: %v of %d", test.text, got, n)
		}
	}
	if all, free := memoryIn([]byte("MemTotal: 9 kB\nx\nMemFree: 3 kB\nMemAvailable:  7 kB\n")); all != 9<<10 || free != 7<<10 {
		t.Errorf("%d of %d bytes are free", free, all)
	}
}
