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
	// An operator that does not come to rest, and writes one object so often, or so many times as often as its twin at
	// all, works for nothing. How often it writes by itself says nothing: it may have much to do.
	hotLeast, hotFactor = 50, 10
)

// hotLoop finds an operator that goes in a circle, makes something anew without end, fights somebody over a field, or
// writes on and on, if only what time it is.
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
		if c.reworded(s, cycle.Writes) {
			return nil
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
		return c.stamps(s)
	}
	if e := s.Rest.Endless; e != nil && (e.Path != "" || !c.misoperation()) { // who replaces what cannot become ready tries to repair it
		return []Deviation{{Object: e.Object, Path: e.Path, Place: "endless " + c.general(e.Path), Text: fmt.Sprintf("it never comes to rest: the operator %s", e.Text)}}
	}
	if s.Rest.Quiet {
		return nil
	}
	most, times, all := c.written(s)
	switch {
	case times >= hotLeast:
		return []Deviation{{Object: most, Place: "writes", Text: fmt.Sprintf("it does not come to rest, and the operator writes %s %d times: %s", most, times, s.Rest.Why)}}
	case all >= hotLeast && c.Twin != nil && all >= hotFactor*c.Twin.Written:
		return []Deviation{{Object: c.Key, Place: "writes", Text: fmt.Sprintf("it does not come to rest, and the operator writes %d times: %s", all, s.Rest.Why)}}
	}
	return nil
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
		if len(changes) == 0 || !slices.ContainsFunc(changes, func(ch history.Change) bool { return !sameRefusal(ch) }) {
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

// written is the object that the operator wrote most often in a step, how often that was, and how often it wrote at
// all. Objects of one generated name are one.
func (c *Case) written(s *Step) (most history.Key, times, all int) {
	counts := map[history.Key]int{}
	for _, e := range s.Events {
		if e.Actor != plan.Controller || c.Mask.IgnoresEvent(e) {
			continue
		}
		key := e.Key
		key.Name = e.GenericName()
		all++
		if counts[key]++; counts[key] > times {
			most, times = key, counts[key]
		}
	}
	return most, times, all
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
