package campaign

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/history"
)

// The more was found, and the slower the machine, the more time is kept for it: a fifth at least, and half at most.
// Where nothing is found, there is time for one that comes in the end.
func TestReserve(t *testing.T) {
	for _, test := range []struct {
		name     string
		found    int
		each     time.Duration
		findings int
		want     time.Duration
	}{
		{"nothing is found", 0, time.Second, 0, 12 * time.Second},
		{"nothing is found on a slow machine", 0, 3 * time.Second, 0, 20 * time.Second},
		{"one root", 1, 500 * time.Millisecond, 0, 20 * time.Second},
		{"two", 2, time.Second, 0, 36 * time.Second},
		{"one on a slow machine", 1, 2 * time.Second, 0, 48 * time.Second},
		{"very many", 50, time.Second, 0, 50 * time.Second},
		{"three, of which one is enough", 3, time.Second, 1, 24 * time.Second},
	} {
		begun := time.Unix(0, 0)
		one := &trial{begun: begun, o: &Options{Until: begun.Add(100 * time.Second), Findings: test.findings, Now: func() time.Time { return begun.Add(10 * test.each) }}}
		w := &work{t: one, begun: begun, done: 10, causes: map[string]bool{}}
		for n := range test.found {
			w.causes[string(rune('a'+n))] = true
		}
		if got := w.reserve(); got != test.want {
			t.Errorf("%s: %s of 100 s, want %s", test.name, got, test.want)
		}
	}
}

// When the time is over in the middle of a sequence, the rest of it is left, and is counted as not tried; what was seen
// before is repeated.
func TestHalted(t *testing.T) {
	now := time.Unix(0, 0)
	one := made(&fake{operator: func(spec map[string]any, old history.Object) map[string]any {
		if spec["size"] == "3" {
			now = now.Add(time.Minute)
		}
		return forgets(spec, old)
	}}, "spec.text=sentinel-1 spec.text- spec.size=2 spec.size=3 spec.size=4 spec.size=5")
	one.begun, one.o.Until, one.o.Now = now, now.Add(time.Minute), func() time.Time { return now }
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(one.out); one.out.Skipped != 2 || len(got) != 1 || one.out.Findings[0].Failed == 0 {
		t.Errorf("%d were not tried, and it found %q", one.out.Skipped, got)
	}
}
