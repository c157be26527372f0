package campaign

import (
	"context"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/headroom"
)

const (
	// growAfter is how long it is seen what processors do until there is another plane, or none.
	growAfter = 5 * time.Second
	// freeLeast is the part of the processors that has nothing to do then, at least: operators that wait for what does
	// not answer leave them most of the time.
	freeLeast = 0.4
)

// growth is what more planes come from.
type growth struct {
	// watch begins to look: it gives when it is looked whether there is room for one, and what tells.
	watch func() (ticks <-chan time.Time, room func() bool)
	// add adds one, and tells whether there are more than ever.
	add func(context.Context) (bool, error)
}

// newGrowth has planes added where processors have nothing to do, as load says.
func newGrowth(load func() (headroom.Load, bool), add func(context.Context) (bool, error)) *growth {
	return &growth{func() (<-chan time.Time, func() bool) {
		since, _ := load()
		return time.Tick(growAfter), func() bool {
			now, known := load()
			before := since
			since = now
			return known && idles(now, before)
		}
	}, add}
}

// idles tells whether processors had so little to do that another plane would find some that are free.
func idles(load, since headroom.Load) bool {
	return load.Free(since) >= freeLeast*float64(load.Processors)
}

// grow adds a plane at each tick at which there is room, and puts it to work, until nothing is left to begin. One that
// is being added then is added, for what comes behind.
func (w *work) grow(ctx context.Context, left <-chan struct{}, begin func()) {
	g := w.t.growth
	if g == nil {
		return
	}
	ticks, room := g.watch()
	for {
		select {
		case <-ticks:
		case <-left:
			return
		}
		if !room() {
			continue
		}
		switch more, err := g.add(ctx); {
		case err != nil:
			return // there are those that there are
		case more:
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
