package fleet

import (
	"testing"

	"github.com/seatrial/seatrial/controlplane"
)

// TestRoom: for how many planes there is memory.
func TestRoom(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		what      string
		all, free int64
		planes    int
		want      bool
	}{
		{"a large computer at rest", 64 * gib, 60 * gib, 32, true},
		{"they have half of it", 24 * gib, 20 * gib, 12, true},
		{"that would be more", 24 * gib, 20 * gib, 13, false},
		{"others have the memory", 64 * gib, 2*gib - 1, 5, false},
		{"a small one", 8 * gib, 7 * gib, 5, false},
	} {
		if got := room(c.all, c.free, c.planes); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestExpand: there are no more planes than may be, and none is added to those that are about to be replaced; what was
// lost with a process is no more than there was.
func TestExpand(t *testing.T) {
	f := &Fleet{o: Options{Parallel: 2, Most: 3}, current: &ships{process: &controlplane.Process{}}}
	f.current.planes.Store(2)
	s, ok := f.expand(true)
	if !ok || s.busy != 1 {
		t.Fatalf("%v: %d are busy", ok, s.busy)
	}
	if s.planes.Add(1); !f.note(s) {
		t.Error("the third is no more than ever")
	}
	if _, ok := f.expand(true); ok {
		t.Error("there are more than may be")
	}
	f.current = &ships{process: &controlplane.Process{}} // another process
	f.current.planes.Store(2)
	if _, ok := f.expand(false); ok {
		t.Error("there is no room")
	}
	if s, ok := f.expand(true); !ok || s.planes.Add(1) != 3 || f.note(s) {
		t.Error("what there was before is more than ever")
	}
	f.current.planes.Store(2)
	f.current.runs = runsMax
	if _, ok := f.expand(true); ok {
		t.Error("those that are about to be replaced get one more")
	}
}
