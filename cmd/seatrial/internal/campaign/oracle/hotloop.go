package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "hot-loop", Rule: "SEA3005", Order: 30, Behind: Any, Judge: hotLoop})
}

const (
	// An operator that does not come to rest and writes so many times as often as
	// its twin, and at least so often, works for nothing.
	hotFactor, hotLeast = 10, 50
)

// hotLoop finds an operator that goes in a circle, or writes on and on.
func hotLoop(c *Case) []Deviation {
	s := c.now()
	if cycle := s.Rest.Cycle; cycle != nil {
		at := slices.IndexFunc(cycle.Writes, func(w history.Write) bool { return w.Actor == plan.Controller })
		if at < 0 {
			return nil // others do that by themselves
		}
		w := cycle.Writes[at]
		path := ""
		if len(w.Paths) > 0 {
			path = w.Paths[0]
		}
		return []Deviation{{
			Object: history.Key{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}, Path: path, Class: "circle " + string(w.Type),
			Text: fmt.Sprintf("it never comes to rest: %d writes repeat for ever, among them the operator's %s of %s %s", len(cycle.Writes), w.Type, w.Resource, w.Name),
		}}
	}
	if s.Rest.Quiet {
		return nil
	}
	writes, usual := c.writes(s), 0
	if c.Twin != nil {
		usual = c.writes(c.Twin)
	}
	if writes < hotLeast || writes < hotFactor*usual {
		return nil
	}
	return []Deviation{{Object: c.Key, Class: "writes", Text: fmt.Sprintf("it does not come to rest, and the operator writes %d times: %s", writes, s.Rest.Why)}}
}

// writes is how many effective writes a step had of the operator.
func (c *Case) writes(s *Step) int {
	n := 0
	for _, e := range s.Events {
		if e.Actor == plan.Controller && !c.Mask.IgnoresEvent(e) {
			n++
		}
	}
	return n
}

// now is what is judged: what was done last.
func (c *Case) now() *Step {
	switch c.behind() {
	case Deletion:
		return c.Deleted
	case Restarted:
		return c.Restart
	}
	return c.Last()
}
