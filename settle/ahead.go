package settle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/seatrial/seatrial/statespace"
)

// ahead goes on with a reconcile through what it reads, as long as that is one read at a
// time, and gives the outcome behind. The reads are of now; those of them that would have
// another answer at a later moment are made again then (see later). ADR 29 says why nothing is
// lost by that.
func (x *explorer) ahead(n *node, i int, f flight) (flight, outcome) {
	out := x.outcome(i, f)
	for x.atOnce && len(out.next) == 1 && len(f.log) < requestsMax {
		c := out.next[0]
		if c.changes() || x.waiting(n, x.processOf[i], c) || x.beginning(n, x.processOf[i], c) {
			break
		}
		a := x.read(n, x.processOf[i], c)
		x.stale(n, x.processOf[i], c, &a)
		f = flight{f.request, append(slices.Clone(f.log), x.answers.intern(a))}
		out = x.outcome(i, f)
	}
	return f, out
}

// readAhead is the first of the answers at the end of a log that are of reads which can be made
// again: the number of all if there is none.
func (x *explorer) readAhead(i int, f flight) int {
	at := len(f.log)
	for at > 0 {
		a := f.log[at-1]
		if a.call == memoryCall || strings.HasPrefix(a.call, placed) {
			break
		}
		before := x.outcome(i, flight{f.request, f.log[:at-1]})
		if len(before.next) != 1 || before.next[0].changes() || a == x.answers.intern(timedOut(before.next[0])) {
			break
		}
		at--
	}
	return at
}

// later makes reads again that were made ahead, and have another answer now: as if the reconcile
// had waited with them. What it has read before stays. A read that can time out may have done so
// now.
func (x *explorer) later(n *node, i, j int, f flight, name string, emit emit) {
	if !x.atOnce {
		return
	}
	for at := x.readAhead(i, f); at < len(f.log); at++ {
		c := x.outcome(i, flight{f.request, f.log[:at]}).next[0]
		again := func(a answer) *node {
			to := x.ground(n, i, j)
			x.fly(to, i, flight{f.request, append(slices.Clone(f.log[:at]), x.answers.intern(a))})
			return to
		}
		if process := x.processOf[i]; !x.waiting(n, process, c) {
			if a := x.read(n, process, c); x.answers.intern(a) != f.log[at] {
				emit(step{class: laterClass, label: label{name, fmt.Sprintf("%s, only now%s", c.title, outcomeText(&a))}}, again(a))
			}
		}
		if x.timesOut(c) {
			emit(step{fault: "Timeout", label: label{name, c.title + ": times out"}}, again(timedOut(c)))
		}
	}
}

// laterClass is that of reads which are made again. It need not happen: the reconcile goes on
// with what it has read.
const laterClass = "later"

// timesOut tells whether a call may be answered by nobody.
func (x *explorer) timesOut(c *call) bool { return x.config.Faults.Timeout && !c.cached } // caches answer always

func timedOut(c *call) answer { return answer{call: c.text, status: timeout} }

var timeout = status(apierrors.NewTimeoutError("the request did not complete in time", 1))

// ground is n without a reconcile that was under way.
func (x *explorer) ground(n *node, i, j int) *node {
	to := n.clone()
	to.controllers[i].flights = slices.Delete(slices.Clone(to.controllers[i].flights), j, j+1)
	return to
}

// search searches, with reads that are made at once or read by read.
func (x *explorer) search(ctx context.Context, all []property, o statespace.Options, atOnce bool) (*Result, error) {
	x.atOnce = atOnce
	found, err := x.check(ctx, x, all, o)
	if err != nil {
		return nil, err
	}
	return x.result(all, &found), nil
}

// untoldReads is said of a trace of a search in which reads are made at once.
const untoldReads = "nothing is wrong within the bounds when read by read is explored: the way that is shown is not the shortest, and tells of reads only where they come late"

// both searches with reads that are made at once. If something is violated, all is searched
// once more, read by read, for the shortest way there: that is shown, unless it is not found
// within the bounds.
func (x *explorer) both(ctx context.Context, all []property, o statespace.Options) (*Result, error) {
	r, err := x.search(ctx, all, o, true)
	if err != nil || r.Verdict != statespace.Violated {
		return r, err
	}
	whole, err := x.search(ctx, all, o, false)
	if err != nil {
		return nil, err
	}
	for i, p := range whole.Properties {
		was := r.Properties[i].Verdict
		if was != p.Verdict && was != statespace.Inconclusive && p.Verdict != statespace.Inconclusive {
			return nil, fmt.Errorf("settle: %s is %s read by read, and %s with reads at once: that is a mistake of settle's: please report it", p.Name, verdict(p.Verdict), verdict(was))
		}
	}
	if whole.Verdict == statespace.Violated {
		return whole, nil
	}
	r.assumptions = append(r.assumptions, untoldReads)
	return r, nil
}
