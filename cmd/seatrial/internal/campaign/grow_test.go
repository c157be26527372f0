package campaign

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/headroom"
)

// TestIdles: a plane more is worth it where processors have nothing to do.
func TestIdles(t *testing.T) {
	for _, c := range []struct {
		what string
		idle time.Duration // of two processors in five seconds
		want bool
	}{
		{"the operator waits", 8 * time.Second, true},
		{"just enough is free", 4 * time.Second, true},
		{"one of two works", 3900 * time.Millisecond, false},
	} {
		since := headroom.Load{At: time.Unix(0, 0), Processors: 2}
		if got := idles(headroom.Load{At: time.Unix(5, 0), Idle: c.idle, Processors: 2}, since); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestWatch: what counts is what the processors did since it was looked before, and nothing where that is not known.
func TestWatch(t *testing.T) {
	begin := time.Unix(0, 0)
	loads := []headroom.Load{{At: begin}, {At: begin.Add(5 * time.Second), Idle: 9 * time.Second}, {At: begin.Add(10 * time.Second), Idle: 10 * time.Second}, {At: begin.Add(15 * time.Second), Idle: 20 * time.Second}}
	known := []bool{true, true, true, false}
	_, room := newGrowth(func() (headroom.Load, bool) {
		load, is := loads[0], known[0]
		loads, known = loads[1:], known[1:]
		load.Processors = 2
		return load, is
	}, nil).watch()
	for i, want := range []bool{true, false, false} {
		if got := room(); got != want {
			t.Errorf("the %d. time there is room: %v", i+1, got)
		}
	}
}

// TestGrow: planes come one after another as long as there is room for them, and each gets work to do.
func TestGrow(t *testing.T) {
	for _, c := range []struct {
		what string
		room []bool
		more []bool // what becomes of each that there is room for; an error behind the last
		want int
	}{
		{"there is room three times, and two are more than ever", []bool{true, true, false, true}, []bool{true, true, false}, 2},
		{"there never is", []bool{false, false}, nil, 0},
		{"one cannot be added: nor is another tried", []bool{true, true, true}, []bool{true}, 1},
	} {
		one := made(&fake{operator: follows})
		ticks := make(chan time.Time)
		room := func() bool { room := c.room[0]; c.room = c.room[1:]; return room }
		one.growth = &growth{
			watch: func() (<-chan time.Time, func() bool) { return ticks, room },
			add: func(context.Context) (bool, error) {
				if len(c.more) == 0 {
					return false, errors.New("no port is left")
				}
				more := c.more[0]
				c.more = c.more[1:]
				return more, nil
			},
		}
		left := make(chan struct{})
		began := 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			(&work{t: one}).grow(t.Context(), left, func() { began++ })
		}()
		for range c.room {
			select {
			case ticks <- time.Time{}:
			case <-done:
			}
		}
		close(left)
		<-done
		if began != c.want || one.workers() != 1+c.want {
			t.Errorf("%s: %d began to work, and there are %d", c.what, began, one.workers())
		}
	}
}

// meeting is a laboratory in which no run is made before two are asked for.
type meeting struct {
	laboratory
	mu   sync.Mutex
	runs int
	both chan struct{}
}

func (m *meeting) do(ctx context.Context, j job) (*run, error) {
	m.mu.Lock()
	if m.runs++; m.runs == 2 {
		close(m.both)
	}
	m.mu.Unlock()
	select {
	case <-m.both:
		return m.laboratory.do(ctx, j)
	case <-time.After(time.Minute):
		return nil, errors.New("nobody else is at work")
	}
}

// TestGrown: what was added is put to work while the first is still at its sequence, and no sequence is run twice.
func TestGrown(t *testing.T) {
	one := made(&fake{operator: follows}, "spec.text=x", "spec.size=3", "spec.text=y")
	if err := one.learn(t.Context(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	one.lab = &meeting{laboratory: one.lab, both: make(chan struct{})}
	ticks := make(chan time.Time, 1)
	ticks <- time.Time{}
	one.growth = &growth{
		watch: func() (<-chan time.Time, func() bool) { return ticks, func() bool { return true } },
		add:   func(context.Context) (bool, error) { return true, nil },
	}
	if err := one.runAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(one.out.Results); got != 4 || one.workers() != 2 { // with the seed's
		t.Errorf("%d results of %d", got, one.workers())
	}
}
