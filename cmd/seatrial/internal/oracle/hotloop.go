package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
)

func init() { register(Oracle{Name: "hot-loop", Order: 7, Judge: hotLoop}) }

const (
	// A controller that works hotly writes so many times as often as usual, and at
	// least so much more.
	hotFactor, hotMore = 10, 50
	// The same for requests, of which there are many more.
	hotRequestFactor, hotRequestMore = 20, 500
)

// hotLoop finds a run that goes in a circle in the end, or in which the controller
// writes or asks very much more than usual.
func hotLoop(c *Case) []Divergence {
	if c.Run.Cycle != nil && !usuallyCircles(c) {
		w := c.Run.Cycle.Writes[0]
		return []Divergence{{
			Class: fmt.Sprint("circle ", w.Resource, w.Type),
			Text:  fmt.Sprintf("it never comes to rest: %d writes repeat for ever, among them %s of %s %s by %s", len(c.Run.Cycle.Writes), w.Type, w.Resource, w.Name, w.Actor),
		}}
	}
	if c.Reference == nil {
		return nil
	}
	usualWrites, usualRequests := 0, 0
	for _, run := range c.Reference.Runs {
		writes, requests := work(run)
		usualWrites, usualRequests = max(usualWrites, writes), max(usualRequests, requests)
	}
	writes, requests := work(c.Run)
	switch {
	case writes > hotFactor*usualWrites && writes > usualWrites+hotMore:
		return []Divergence{{Class: "writes", Text: fmt.Sprintf("the controller writes %d times, and usually %d", writes, usualWrites)}}
	case requests > hotRequestFactor*usualRequests && requests > usualRequests+hotRequestMore:
		return []Divergence{{Class: "requests", Text: fmt.Sprintf("the controller sends %d requests, and usually %d", requests, usualRequests)}}
	}
	return nil
}

// usuallyCircles tells whether runs without a perturbation go in a circle, too.
func usuallyCircles(c *Case) bool {
	return c.Reference != nil && slices.ContainsFunc(c.Reference.Runs, func(r *recording.Recording) bool { return r.Cycle != nil })
}

// idle are resources that a controller asks for while it has nothing to do.
var idle = map[string]bool{"leases.coordination.k8s.io": true, "events": true, "events.events.k8s.io": true}

// work is how many effective writes and how many requests a run had of the
// controller.
func work(run *recording.Recording) (writes, requests int) {
	for _, e := range run.Events {
		if e.Actor == plan.Controller {
			writes++
		}
	}
	for _, x := range run.Exchanges {
		if x.Kind == apiproxy.RecordRequest && x.Exchange.Resource != "" && !idle[x.Exchange.Resource] {
			requests++
		}
	}
	return writes, requests
}
