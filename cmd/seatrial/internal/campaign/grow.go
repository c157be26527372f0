package campaign

import (
	"context"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/machine"
)

const (
	// growAfter is how long it is seen what processors do until there is another plane, or none.
	growAfter = 5 * time.Second
	// freeLeast is the part of the processors that has nothing to do then, at least: operators that wait for what does not answer
	// leave them most of the time.
	freeLeast = 0.4
	// planeMemory is what a plane takes behind many runs, with its operator, in bytes; as much again is left to others.
	planeMemory = 1 << 30
)

// spare sees what the machine has left.
type spare struct {
	now   func() time.Time
	since machine.Load
}

// spares begins to look.
func spares(now func() time.Time) *spare {
	load, _ := machine.Now(now())
	return &spare{now, load}
}

// has tells whether another plane would find processors that had nothing to do since it was asked before, and memory; false where the
// system does not tell.
func (s *spare) has() bool {
	load, tells := machine.Now(s.now())
	memory, knows := machine.Memory()
	since := s.since
	s.since = load
	return tells && knows && idles(load, since, memory)
}

func idles(load, since machine.Load, memory int64) bool {
	return load.Free(since) >= freeLeast*float64(load.Processors) && memory >= 2*planeMemory
}

// grow looks at each tick whether there is room for another plane, adds it and puts it to work, until there is no sequence left to begin.
func (w *work) grow(ctx context.Context, ticks <-chan time.Time, room func() bool, begin func()) {
	for w.t.another != nil {
		select {
		case <-ticks:
		case <-w.drained:
			return
		case <-ctx.Done():
			return
		}
		if !room() {
			continue
		}
		switch added, err := w.t.another(ctx); {
		case err != nil:
			return // there are those that there are
		case added:
			w.t.added()
			begin()
		}
	}
}

// added counts a plane more.
func (t *trial) added() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.grown++
}

// workers is how much may be done at once by now.
func (t *trial) workers() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.o.Parallel + t.grown
}
