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
	if all, free := memoryIn([]byte("MemTotal: 9 kB\nx\nMemFree: 3 kB\nMemAvailable:  7 kB\n")); all != 9<<10 || free != 7<<10 {
		t.Errorf("%d of %d bytes are free", free, all)
	}
}
