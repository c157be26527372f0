package agenda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

// due takes all keys that are due at a time.
func due(a *Agenda[string], seconds int) string {
	var keys []string
	for {
		key, ok, _ := a.Next(at(seconds))
		if !ok {
			return strings.Join(keys, " ")
		}
		keys = append(keys, key)
	}
}

func TestDueKeysComeInTheOrderOfTheirTimes(t *testing.T) {
	a := New[string](nil)
	a.At("late", at(3))
	a.At("first", at(1))
	a.At("second", at(1))
	a.At("moved", at(9))
	a.At("moved", at(1)) // earlier counts
	a.At("first", at(5)) // later does not
	if got := due(a, 0); got != "" {
		t.Errorf("at 0 s: %q", got)
	}
	if _, _, next := a.Next(at(0)); !next.Equal(at(1)) {
		t.Errorf("the next is due at %v", next)
	}
	if got := due(a, 3); got != "first second moved late" {
		t.Errorf("at 3 s: %q", got)
	}
}

func TestAKeyIsHeldByOne(t *testing.T) {
	a := New[string](nil)
	a.At("k", at(0))
	if got := due(a, 0); got != "k" {
		t.Fatalf("got %q", got)
	}
	a.At("k", at(0))
	if got := due(a, 9); got != "" {
		t.Errorf("handed out twice: %q", got)
	}
	a.Done("k", at(5)) // what came meanwhile is earlier
	if got := due(a, 0); got != "k" {
		t.Errorf("not handed out again: %q", got)
	}
	a.Done("k", time.Time{})
	a.Done("k", at(1)) // not held: nothing
	if _, ok, next := a.Next(at(9)); ok || !next.IsZero() {
		t.Errorf("it is still down for %v", next)
	}
}

func TestPendingLeavesTheBackgroundOut(t *testing.T) {
	a := New(func(key string) bool { return key == "heartbeat" })
	a.At("heartbeat", at(0))
	if held, next := a.Pending(); held != 0 || !next.IsZero() {
		t.Errorf("%d held, next %v", held, next)
	}
	a.At("k", at(2))
	if held, next := a.Pending(); held != 0 || !next.Equal(at(2)) {
		t.Errorf("%d held, next %v", held, next)
	}
	due(a, 2)
	if held, next := a.Pending(); held != 1 || !next.IsZero() {
		t.Errorf("%d held, next %v", held, next)
	}
}

func TestEveryKeyComesOnce(t *testing.T) {
	a := New[string](nil)
	var want []string
	for i := range 500 {
		key := fmt.Sprintf("k%03d", i*7%500)
		a.At(key, at(i*13%17))
		want = append(want, key)
	}
	got := strings.Fields(due(a, 20))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d keys of %d", len(got), len(want))
	}
}

func TestWake(t *testing.T) {
	a := New[string](nil)
	a.At("k", at(0))
	select {
	case <-a.Wake():
	default:
		t.Error("a new key wakes nobody")
	}
}

// TestLoop holds the write of one key: the others go on, in the order in which
// they are due; a failed write is tried again.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		a := New[string](nil)
		var mu sync.Mutex
		var log []string
		release, refused := make(chan struct{}), false
		loop := Loop[string]{
			Agenda: a, Clock: clock.RealClock{}, Patience: 20 * time.Millisecond, Retry: time.Second,
			Decide: func(key string) (func(context.Context) error, time.Time) {
				if key == "nothing" {
					return nil, time.Time{}
				}
				return func(context.Context) error {
					if key == "held" {
						<-release
					}
					mu.Lock()
					defer mu.Unlock()
					log = append(log, fmt.Sprintf("%v %s", time.Since(begin), key))
					if key == "b" && !refused {
						refused = true
						return errors.New("refused")
					}
					return nil
				}, time.Time{}
			},
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { loop.Run(ctx); close(ended) }()
		for _, key := range []string{"nothing", "held", "a", "b", "c"} {
			a.At(key, begin)
		}
		time.Sleep(5 * time.Second)
		close(release)
		synctest.Wait()
		if held, next := a.Pending(); held != 0 || !next.IsZero() {
			t.Errorf("%d held, next %v", held, next)
		}
		cancel()
		<-ended
		want := []string{"20ms a", "20ms b", "20ms c", "1.02s b", "5s held"}
		if !slices.Equal(log, want) {
			t.Errorf("got %q, want %q", log, want)
		}
	})
}
