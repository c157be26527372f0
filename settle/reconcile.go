package settle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/manager"
)

// reconciling is what a controller can do: begin, and go on with what it has begun.
func (x *explorer) reconciling(n *node, i int, emit emit) {
	c := n.controllers[i]
	flying := func(r reconcile.Request) bool {
		return slices.ContainsFunc(c.flights, func(f flight) bool { return f.request == r })
	}
	name := func(r reconcile.Request) string { return x.names[i] + " " + r.String() }
	for _, r := range c.later {
		to := n.clone()
		to.controllers[i].later = manager.Exclude(c.later, r)
		to.controllers[i].queue = manager.Include(c.queue, r)
		emit(step{class: "timer " + name(r), label: label{name(r), "it is time to reconcile again"}}, to)
	}
	for _, r := range c.queue {
		if flying(r) || len(c.flights) >= x.concurrent[i] {
			continue
		}
		to := n.clone()
		to.controllers[i].queue = manager.Exclude(c.queue, r)
		f := flight{r, x.opening(n, c.memory)}
		x.fly(to, i, f)
		emit(step{class: "reconcile " + name(r), label: label{name(r), "reconcile"}}, to)
	}
	for j, f := range c.flights {
		x.going(n, i, j, f, name(f.request), emit)
	}
}

// going is what can become of the requests that a reconcile waits for.
func (x *explorer) going(n *node, i, j int, f flight, name string, emit emit) {
	if len(f.log) >= requestsMax {
		x.fail(fmt.Errorf("settle: %s makes more than %d requests in one reconcile, the last are %q: it is not to wait for something, but to return with RequeueAfter", name, requestsMax, f.log[len(f.log)-1].call))
		return
	}
	out := x.outcome(i, f)
	for _, c := range out.next {
		x.answering(n, i, j, f, c, name, emit)
	}
	x.later(n, i, j, f, name, emit)
	if len(out.next) == 0 && x.failed() == nil { // it has read all that it wants
		to := x.ground(n, i, j)
		x.land(to, i, f, &out)
		emit(step{class: "reconcile " + name, label: label{name, "returns"}}, to)
	}
}

// requestsMax bounds the requests of one reconcile.
var requestsMax = 300

// answering is what can become of one of them.
func (x *explorer) answering(n *node, i, j int, f flight, c *call, name string, emit emit) {
	ground := n.clone // the flight is there while it is answered, so that its names are known
	answered := func(to *node, a answer) *node {
		to.controllers[i].flights = slices.Delete(slices.Clone(to.controllers[i].flights), j, j+1)
		x.fly(to, i, flight{f.request, append(slices.Clone(f.log), x.answers.intern(a))})
		return to
	}
	if process := x.processOf[i]; !c.changes() {
		if x.waiting(n, process, c) {
			return
		}
		normal := ground()
		x.begins(normal, process, c)
		a, text := x.read(n, process, c), c.title
		if x.stale(n, process, c, &a) {
			text += ": stale"
		}
		emit(step{class: "reconcile " + name, label: label{name, text + outcomeText(&a)}}, answered(normal, a))
	} else {
		normal := ground()
		a := x.effect(normal, c)
		x.drew(normal, n.world, f.seed())
		if c.write != nil {
			x.wrote(normal, process, c, &a)
		}
		emit(step{class: "reconcile " + name, label: label{name, c.title + outcomeText(&a)}}, answered(normal, a))
	}
	if !x.timesOut(c) {
		return
	}
	timeout := timedOut(c)
	emit(step{fault: "Timeout", label: label{name, c.title + ": times out"}}, answered(ground(), timeout))
	if c.changes() {
		late := ground()
		x.effect(late, c)
		x.drew(late, n.world, f.seed())
		emit(step{fault: "Timeout", label: label{name, c.title + ": takes effect and times out"}}, answered(late, timeout))
	}
}

func outcomeText(a *answer) string {
	if a.status == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(failure(a.status).Error(), "error: ")
}

// effect has a request that changes something take effect in n, which is changed.
func (x *explorer) effect(n *node, c *call) answer {
	if c.system != "" {
		return x.inquire(n, c)
	}
	return x.write(n, c)
}

// fly lets a reconcile go on until it asks for something or is over, in n, which is
// changed. One that is over, and has read something ahead, is not over yet.
func (x *explorer) fly(n *node, i int, f flight) {
	f, out := x.ahead(n, i, x.forgetful(i, f))
	if len(out.next) == 0 && (!x.atOnce || x.readAhead(i, f) == len(f.log)) {
		x.land(n, i, f, &out)
		return
	}
	c := &n.controllers[i]
	at, _ := slices.BinarySearchFunc(c.flights, f, func(a, b flight) int { return manager.CompareRequests(a.request, b.request) })
	c.flights = slices.Insert(slices.Clone(c.flights), at, f)
}

// forgetful is a reconcile without the answers that a machine has forgotten; what can be
// read again, and all behind it, stays.
func (x *explorer) forgetful(i int, f flight) flight {
	first, last := 0, len(f.log)
	if last > 0 && f.log[0].call == memoryCall {
		first = 1
	}
	if x.atOnce {
		last = x.readAhead(i, f)
	}
	out := x.outcome(i, flight{f.request, f.log[:last]})
	if out.saved == "" || first+out.savedAt > last {
		return f
	}
	return flight{f.request, slices.Concat(f.log[:first], []*answer{x.answers.intern(answer{call: out.saved})}, f.log[first+out.savedAt:])}
}

// land is the end of a reconcile, in n, which is changed.
func (x *explorer) land(n *node, i int, f flight, out *outcome) {
	c, r := &n.controllers[i], f.request
	switch {
	case out.panicked != nil:
		x.broke(n, Panics, fmt.Errorf("%s: reconcile %s panics: %w", x.names[i], r, out.panicked))
		return
	case out.again():
		c.later = manager.Include(c.later, r)
	}
	was := c.memory
	c.memory = nil
	if out.memory == nil {
		return
	}
	c.memory = x.answers.intern(answer{call: memoryCall, drawn: out.memory})
	if x.config.draws && c.memory != was {
		n.note(memoryDraw(i), was != nil, f.seed())
	}
}

// terminal tells whether controller-runtime does not try again for an error, wherever in it that is said.
func terminal(err error) bool { return errors.Is(err, reconcile.TerminalError(nil)) }
