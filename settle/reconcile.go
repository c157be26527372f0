package settle

import (
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
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
		to.controllers[i].later = exclude(c.later, r)
		to.controllers[i].queue = include(c.queue, r)
		emit(step{class: "timer " + name(r), label: label{name(r), "it is time to reconcile again"}}, to)
	}
	for _, r := range c.queue {
		if flying(r) || len(c.flights) >= x.concurrent[i] {
			continue
		}
		to := n.clone()
		to.controllers[i].queue = exclude(c.queue, r)
		x.fly(to, i, flight{request: r})
		emit(step{class: "reconcile " + name(r), label: label{name(r), "reconcile"}}, to)
	}
	for j, f := range c.flights {
		x.going(n, i, j, f, name(f.request), emit)
	}
}

// going is what can become of the request that a reconcile waits for.
func (x *explorer) going(n *node, i, j int, f flight, name string, emit emit) {
	out := x.outcome(i, f)
	if out.next == nil {
		return // something is wrong, and noted
	}
	ground := func() *node {
		to := n.clone()
		to.controllers[i].flights = slices.Delete(slices.Clone(to.controllers[i].flights), j, j+1)
		return to
	}
	answered := func(to *node, a answer) *node {
		x.fly(to, i, flight{f.request, append(slices.Clone(f.log), x.answers.intern(a))})
		return to
	}
	normal := ground()
	a := x.perform(normal, out.next)
	emit(step{class: "reconcile " + name, label: label{name, out.next.title + outcomeText(&a)}}, answered(normal, a))
	if !x.config.Faults.Timeout {
		return
	}
	timeout := answer{call: out.next.text, status: status(apierrors.NewTimeoutError("the request did not complete in time", 1))}
	emit(step{fault: "Timeout", label: label{name, out.next.title + ": times out"}}, answered(ground(), timeout))
	if out.next.write != nil {
		late := ground()
		x.perform(late, out.next)
		emit(step{fault: "Timeout", label: label{name, out.next.title + ": takes effect and times out"}}, answered(late, timeout))
	}
}

func outcomeText(a *answer) string {
	if a.status == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(failure(a.status).Error(), "error: ")
}

// perform answers a call in a node, which it may change.
func (x *explorer) perform(n *node, c *call) answer {
	if c.write == nil {
		return x.read(n.world, c)
	}
	return x.write(n, c)
}

// fly lets a reconcile go on until it asks for something or is over, in n, which is
// changed.
func (x *explorer) fly(n *node, i int, f flight) {
	c := &n.controllers[i]
	out := x.outcome(i, f)
	switch {
	case out.next != nil:
		at, _ := slices.BinarySearchFunc(c.flights, f, func(a, b flight) int { return compareRequests(a.request, b.request) })
		c.flights = slices.Insert(slices.Clone(c.flights), at, f)
	case out.panicked != nil:
		x.broke(n, Panics, fmt.Errorf("%s: reconcile %s panics: %v", x.names[i], f.request, out.panicked))
	case out.err != nil && !terminal(out.err), out.result.RequeueAfter > 0, out.result.Requeue: //nolint:staticcheck // deprecated, and used
		c.later = include(c.later, f.request)
	}
}

func terminal(err error) bool { return strings.HasPrefix(err.Error(), "terminal error: ") }
