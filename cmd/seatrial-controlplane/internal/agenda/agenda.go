// Package agenda is a list of keys with the time at which each is to be looked
// at: what a loop needs that serves many objects with few goroutines.
package agenda

import (
	"container/heap"
	"sync"
	"time"
)

// Agenda says which key to look at next, and when. A key is in the hands of at
// most one caller at a time. Keys that are due come in the order of their times;
// those of the same time in the order in which they were put down. It is safe
// for concurrent use; make one with New.
type Agenda[K comparable] struct {
	mu      sync.Mutex
	entries map[K]*entry[K]
	queue   queue[K]
	serial  int64
	wake    chan struct{}
	// background are keys that do not count as work.
	background func(K) bool
}

type entry[K comparable] struct {
	key    K
	due    time.Time
	serial int64
	// index is the place in the queue, -1 if it is not there.
	index int
	// held: somebody looks at it. again is when it is to be looked at after that.
	held  bool
	again time.Time
}

// New makes an empty agenda. Keys for which background answers true are left out
// of Pending: they come again for ever. It may be nil.
func New[K comparable](background func(K) bool) *Agenda[K] {
	return &Agenda[K]{entries: make(map[K]*entry[K]), wake: make(chan struct{}, 1), background: background}
}

// At puts key down for the time t, unless it is there for an earlier one. If
// somebody holds it, it comes again after Done.
func (a *Agenda[K]) At(key K, t time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.entries[key]
	if e == nil {
		e = &entry[K]{key: key, index: -1}
		a.entries[key] = e
	}
	switch {
	case e.held:
		e.again = earlier(e.again, t)
	case e.index < 0 || t.Before(e.due):
		a.put(e, t)
	}
	a.signal()
}

// Next hands out a key that is due at the time now. Without one it says when the
// next will be, or the zero time if none is down. Wake tells when to ask again.
func (a *Agenda[K]) Next(now time.Time) (key K, ok bool, next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		return key, false, next
	}
	e := a.queue[0]
	if e.due.After(now) {
		return key, false, e.due
	}
	heap.Pop(&a.queue)
	e.held, e.again = true, time.Time{}
	return e.key, true, next
}

// Done gives a key back, to be looked at again at the time t, or only when
// something happens to it if t is zero.
func (a *Agenda[K]) Done(key K, t time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.entries[key]
	if e == nil || !e.held {
		return
	}
	e.held = false
	t = earlier(e.again, t)
	if t.IsZero() {
		delete(a.entries, key)
	} else {
		a.put(e, t)
	}
	a.signal()
}

// Wake gets a value when the agenda has changed since the last one was taken.
func (a *Agenda[K]) Wake() <-chan struct{} { return a.wake }

// Pending says how many keys somebody holds, and when the next is due: the zero
// time if none is. Keys in the background do not count.
func (a *Agenda[K]) Pending() (held int, next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, e := range a.entries {
		if a.background != nil && a.background(key) {
			continue
		}
		if e.held {
			held++
			next = earlier(next, e.again)
		} else {
			next = earlier(next, e.due)
		}
	}
	return held, next
}

func (a *Agenda[K]) put(e *entry[K], t time.Time) {
	a.serial++
	e.due, e.serial = t, a.serial
	if e.index >= 0 {
		heap.Fix(&a.queue, e.index)
		return
	}
	heap.Push(&a.queue, e)
}

func (a *Agenda[K]) signal() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// earlier is the earlier of two times, of which a zero one is never.
func earlier(s, t time.Time) time.Time {
	if s.IsZero() || !t.IsZero() && t.Before(s) {
		return t
	}
	return s
}

type queue[K comparable] []*entry[K]

func (q queue[K]) Len() int { return len(q) }
func (q queue[K]) Less(i, j int) bool {
	if !q[i].due.Equal(q[j].due) {
		return q[i].due.Before(q[j].due)
	}
	return q[i].serial < q[j].serial
}

func (q queue[K]) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *queue[K]) Push(x any) {
	e := x.(*entry[K])
	e.index = len(*q)
	*q = append(*q, e)
}

func (q *queue[K]) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = nil
	e.index = -1
	*q = old[:len(old)-1]
	return e
}
