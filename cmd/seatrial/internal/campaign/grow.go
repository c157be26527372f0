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
	// ticks are when it is looked whether there is room for one, and room tells.
	ticks <-chan time.Time
	room  func() bool
	// add adds one, and tells whether there are more than ever.
	add func(context.Context) (bool, error)
}

// newGrowth has planes added where processors have nothing to do.
func newGrowth(now func() time.Time, add func(context.Context) (bool, error)) *growth {
	since, _ := headroom.Now(now())
	room := func() bool {
		load, known := headroom.Now(now())
		before := since
		since = load
		return known && idles(load, before)
	}
	return &growth{time.Tick(growAfter), room, add}
}

// idles tells whether processors had so little to do that another plane would find some that are free.
func idles(load, since headroom.Load) bool {
	return load.Free(since) >= freeLeast*float64(load.Processors)
}

// grow adds a plane at each tick at which there is room, and puts it to work, until that is over.
func (w *work) grow(ctx context.Context, begin func()) {
	g := w.t.growth
	for g != nil {
		select {
		case <-g.ticks:
		case <-ctx.Done():
			return
		}
		if !g.room() {
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
