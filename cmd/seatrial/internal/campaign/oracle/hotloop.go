package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "hot-loop", Rule: "SEA3005", Order: 30, Behind: Any, Alone: true, Judge: hotLoop})
}

const (
	// An operator that does not come to rest and writes so many times as often as
	// its twin, and at least so often, works for nothing.
	hotFactor, hotLeast = 10, 50
)

// hotLoop finds an operator that goes in a circle, makes something anew without end, fights somebody over a field, or writes on and on, if only what time it is.
func hotLoop(c *Case) []Deviation {
	s := c.now()
	if c.unreached(s.Output) {
		return nil // it tries again what it cannot reach here, and before that writes what it wrote
	}
	if cycle := s.Rest.Cycle; cycle != nil {
		at := slices.IndexFunc(cycle.Writes, func(w history.Write) bool { return w.Actor == plan.Controller })
		if at < 0 {
			return nil // others do that by themselves
		}
		w := cycle.Writes[at]
		path, of := "", ""
		if len(w.Paths) > 0 {
			path, of = w.Paths[0], w.Paths[0]+" of "
		}
		return []Deviation{{
			Object: history.Key{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}, Path: path, Place: "circle " + string(w.Type),
			Text: fmt.Sprintf("it never comes to rest: %d writes repeat for ever, among them the operator's %s of %s%s %s", len(cycle.Writes), w.Type, of, w.Resource, w.Name),
		}}
	}
	if s.Rest.Restates {
		return c.stamps(s) // that its twin does so, too, is no excuse
	}
	if e := s.Rest.Endless; e != nil && (e.Path != "" || !c.misoperation()) { // who replaces what cannot become ready tries to repair it
		return []Deviation{{Object: e.Object, Path: e.Path, Place: "endless " + c.general(e.Path), Text: fmt.Sprintf("it never comes to rest: the operator %s", e.Text)}}
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
	return []Deviation{{Object: c.Key, Place: "writes", Text: fmt.Sprintf("it does not come to rest, and the operator writes %d times: %s", writes, s.Rest.Why)}}
}

// stamps is what the operator updates most often.
func (c *Case) stamps(s *Step) []Deviation {
	times := map[string]int{}
	most, said := 0, []Deviation(nil)
	for _, e := range s.Events {
		if e.Actor != plan.Controller || e.Type != history.Update || c.Mask.IgnoresEvent(e) {
			continue
		}
		changes := flat(history.Diff(c.Mask.Canonical(e.Resource, e.Previous), c.Mask.Canonical(e.Resource, e.Object)))
		if len(changes) == 0 {
			continue
		}
		path := changes[0].Path
		what := e.Key.String() + " " + path
		if times[what]++; times[what] <= most {
			continue
		}
		most, said = times[what], []Deviation{{
			Object: e.Generic(e.Object), Path: path, Place: "stamps " + c.general(path),
			Text: fmt.Sprintf("it never comes to rest: the operator updates %s of %s again and again, with another value each time", path, e.Key),
		}}
	}
	return said
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
