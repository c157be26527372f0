package apiproxy

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"sync"
)

// Loss is one run of a test in which the answer to one write is lost.
type Loss struct {
	// Write says which, from 1 on; 0 is the run in which none is.
	Write  int
	engine *Engine

	mu     sync.Mutex
	writes int
	lost   *Exchange
}

// EachWrite has a test run again and again: first as it is, and then once for
// each write of the first run, whose answer is lost. The API server has done such
// a write, and the controller sees a connection that was reset. What comes out
// should be the same:
//
//	for loss := range apiproxy.EachWrite(apiproxy.EngineOptions{}) {
//		config.Wrap(loss.RoundTripper)
//		… reconcile until nothing is left to do, and compare …
//	}
//
// Each run has an engine of its own, with these options; After is asked first.
func EachWrite(options EngineOptions) iter.Seq[*Loss] {
	return func(yield func(*Loss) bool) {
		for n, writes := 0, 0; n <= writes; n++ {
			l := newLoss(options, n)
			if !yield(l) {
				return
			}
			if n == 0 {
				writes = l.count()
			}
		}
	}
}

func newLoss(options EngineOptions, n int) *Loss {
	l := &Loss{Write: n}
	after := options.After
	options.After = func(ctx context.Context, x *Exchange) Answer {
		if after != nil {
			if answer := after(ctx, x); answer != Pass {
				return answer
			}
		}
		return l.answer(x)
	}
	l.engine = NewEngine(options)
	return l
}

func (l *Loss) answer(x *Exchange) Answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writes++; l.writes != l.Write {
		return Pass
	}
	kept := *x
	l.lost = &kept
	return Lose
}

func (l *Loss) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.writes
}

// Incarnation is the controller of this run.
func (l *Loss) Incarnation() *Incarnation {
	return l.engine.Incarnation("write " + decimal(int64(l.Write)))
}

// RoundTripper is that of the incarnation.
func (l *Loss) RoundTripper(next http.RoundTripper) http.RoundTripper {
	return l.Incarnation().RoundTripper(next)
}

// Lost is the write whose answer was lost; nil if it has not come.
func (l *Loss) Lost() *Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// String names the run, for the name of a subtest.
func (l *Loss) String() string {
	if l.Write == 0 {
		return "nothing is lost"
	}
	return fmt.Sprintf("write %d is lost", l.Write)
}
