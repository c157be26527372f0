package campaign

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/machine"
)

// TestIdles: a plane more is worth it where processors have nothing to do, and where there is memory for it.
func TestIdles(t *testing.T) {
	for _, c := range []struct {
		what   string
		idle   time.Duration // of two processors in five seconds
		memory int64
		want   bool
	}{
		{"the operator waits", 8 * time.Second, 8 << 30, true},
		{"just enough is free", 4 * time.Second, 2 << 30, true},
		{"one of two works", 3900 * time.Millisecond, 8 << 30, false},
		{"no memory is left", 8 * time.Second, 2<<30 - 1, false},
	} {
		since := machine.Load{At: time.Unix(0, 0), Processors: 2}
		if got := idles(machine.Load{At: time.Unix(5, 0), Idle: c.idle, Processors: 2}, since, c.memory); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestGrow: planes come one after another as long as there is room for them, and each gets work to do.
func TestGrow(t *testing.T) {
	for _, c := range []struct {
		what  string
		room  []bool
		added []bool // what becomes of each that there is room for; an error behind the last
		want  int
	}{
		{"there is room three times, and two may be added", []bool{true, true, false, true}, []bool{true, true, false}, 2},
		{"there never is", []bool{false, false}, nil, 0},
		{"one cannot be added: nor is another tried", []bool{true, true, true}, []bool{true}, 1},
	} {
		one := made(&fake{operator: follows})
		one.another = func(context.Context) (bool, error) {
			if len(c.added) == 0 {
				return false, errors.New("no port is left")
			}
			added := c.added[0]
			c.added = c.added[1:]
			return added, nil
		}
		w := &work{t: one, drained: make(chan struct{})}
		ticks := make(chan time.Time)
		began := 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.grow(t.Context(), ticks, func() bool { room := c.room[0]; c.room = c.room[1:]; return room }, func() { began++ })
		}()
		for range c.room {
			select {
			case ticks <- time.Time{}:
			case <-done:
			}
		}
		close(w.drained)
		<-done
		if began != c.want || one.workers() != 1+c.want {
			t.Errorf("%s: %d began to work, and there are %d", c.what, began, one.workers())
		}
	}
}

// TestGrown: what was added is put to work on the sequences that are left, and all of them are run once.
func TestGrown(t *testing.T) {
	lab := &fake{operator: follows}
	one := made(lab, "spec.text=x", "spec.size=3", "spec.text=y")
	one.another = func(context.Context) (bool, error) { return true, nil }
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(one.out.Results); got != 4 { // with the seed's
		t.Errorf("%d results", got)
	}
}
