package agenda

import (
	"context"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// Loop looks at the keys of an agenda when they are due, one after the other, and
// writes what follows. A write has a goroutine of its own, because any may be
// held for long: within Patience the next key waits for it, so that writes happen
// in the order in which keys are due; after that it does not, and while a write
// is held so, all the others are waited for a tenth of Patience only.
type Loop[K comparable] struct {
	Agenda   *Agenda[K]
	Clock    clock.Clock
	Patience time.Duration
	// Retry is how long after a failed write its key is looked at afresh.
	Retry time.Duration
	// Decide says what is to be written of a key, nil if nothing is, and when to
	// look at it again: zero if only when something happens to it.
	Decide func(K) (write func(context.Context) error, next time.Time)
	// Report gets the errors of writes. It may be nil.
	Report func(error)

	mu   sync.Mutex
	held int
}

// Run serves until the context ends, and returns when all writes have.
func (l *Loop[K]) Run(ctx context.Context) {
	var writers sync.WaitGroup
	defer writers.Wait()
	for ctx.Err() == nil {
		key, ok, next := l.Agenda.Next(l.Clock.Now())
		if !ok {
			l.sleep(ctx, next)
			continue
		}
		write, next := l.Decide(key)
		if write == nil {
			l.Agenda.Done(key, next)
			continue
		}
		l.wait(ctx, l.begin(ctx, &writers, key, write, next))
	}
}

// sleep waits until something is due or comes.
func (l *Loop[K]) sleep(ctx context.Context, next time.Time) {
	var due <-chan time.Time
	if !next.IsZero() {
		timer := l.Clock.NewTimer(next.Sub(l.Clock.Now()))
		defer timer.Stop()
		due = timer.C()
	}
	select {
	case <-ctx.Done():
	case <-l.Agenda.Wake():
	case <-due:
	}
}

// writing is a write under way.
type writing struct {
	done chan struct{}
	// late: it was not waited for. finished: it has ended. Both are under the lock.
	late, finished bool
}

func (l *Loop[K]) begin(ctx context.Context, writers *sync.WaitGroup, key K, write func(context.Context) error, next time.Time) *writing {
	w := &writing{done: make(chan struct{})}
	writers.Go(func() {
		if err := write(ctx); err != nil && ctx.Err() == nil {
			next = l.Clock.Now().Add(l.Retry)
			if l.Report != nil {
				l.Report(err)
			}
		}
		l.mu.Lock()
		w.finished = true
		if w.late {
			l.held--
		}
		l.mu.Unlock()
		l.Agenda.Done(key, next)
		close(w.done)
	})
	return w
}

// wait waits for a write as long as there is patience.
func (l *Loop[K]) wait(ctx context.Context, w *writing) {
	l.mu.Lock()
	patience := l.Patience
	if l.held > 0 {
		patience /= 10
	}
	l.mu.Unlock()
	timer := l.Clock.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-w.done:
	case <-ctx.Done():
	case <-timer.C():
		l.mu.Lock()
		defer l.mu.Unlock()
		if !w.finished {
			w.late = true
			l.held++
		}
	}
}
