package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "misoperation", Rule: "SEA3007", Order: 50, Judge: misoperation})
}

// misoperation finds what ran before, and runs no more behind what cannot work and was taken
// all the same. Pods that stay as they were while new ones cannot start are how it should be. A
// workload that is to have no pods has been given a size that nobody means, unless the operator says
// that it has none. Of what stays, which are several at once, it is only asked whether the resource can be deleted.
//
// Who is told to pause, or to hibernate, may end what runs; and what is asked for meanwhile may mean that.
//
// A number that was set to 0, and may be meant, is held to less: everything has to have ended for it, and the operator
// to say nothing.
func misoperation(c *Case) []Deviation {
	last := c.Last()
	slip := c.slips()
	if !slip && (!c.misoperation() || last.Operation.Stays || last.Operation.Pauses) || last.Operation.Paused || last.Refused != "" {
		return nil
	}
	var out []Deviation
	var runsOn bool
	for _, key := range last.Start.Keys() {
		before := last.Start[key]
		_, runs := wanted(key.Resource, before)
		if _, inner := controlled(key, before); inner || !runs || !c.own(key) || ready(key.Resource, before) == 0 {
			continue
		}
		if ready(key.Resource, last.End[key]) > 0 || last.End[key] == nil && c.another(key.Resource) {
			runsOn = true
		} else if d := c.ended(key); d != nil {
			out = append(out, *d)
		}
	}
	if !runsOn {
		return out
	}
	if slip {
		return nil
	}
	// An operator that deletes a workload of which there are to be none, beside others, has thought of that: it is
	// optional.
	return slices.DeleteFunc(out, func(d Deviation) bool { return c.none() && last.End[d.Object] == nil })
}

// another tells whether there is a workload of a kind that was not there before the last step, and runs: one of another
// name for what is asked for now.
func (c *Case) another(resource string) bool {
	return c.newcomer(resource, func(key history.Key) bool {
		o := c.Last().End[key]
		_, inner := controlled(key, o)
		return !inner && ready(resource, o) > 0
	})
}

// newcomer tells whether there is an object of a kind that was not there before the last step, and of which something
// is so.
func (c *Case) newcomer(resource string, is func(history.Key) bool) bool {
	return slices.ContainsFunc(c.Last().End.Keys(), func(key history.Key) bool {
		_, before := c.Last().Start[key]
		return key.Resource == resource && !before && c.own(key) && is(key)
	})
}

// slips tells whether the last step sets to 0 what may not be meant to be.
func (c *Case) slips() bool { return c.Last().Operation != nil && c.Last().Operation.Slip }

// none tells whether the last step sets a number to 0.
func (c *Case) none() bool {
	changes := c.Last().Operation.Changes
	return len(changes) == 1 && changes[0].Value == int64(0)
}

// ended is what is to be said of a workload of which nothing is ready any more; nil for nothing.
func (c *Case) ended(key history.Key) *Deviation {
	last := c.Last()
	want, _ := wanted(key.Resource, last.Start[key])
	was := ready(key.Resource, last.Start[key])
	d := &Deviation{Object: key, Place: "outage", Expected: was, Found: int64(0)}
	after, there := last.End[key]
	wants, _ := wanted(key.Resource, after)
	switch {
	case c.slips() && (there && wants != 0 || c.intends()):
		return nil
	case !there:
		d.Text = fmt.Sprintf("%s, of which %d of %d pods were ready, is not there any more: what cannot work was taken, and has ended what ran", key, was, want)
	case wants == 0 && (c.intends() || key.Resource == daemonSets):
		return nil // a DaemonSet is on the nodes that it selects, and Kubernetes takes it from others at once
	case wants == 0:
		d.Text = fmt.Sprintf("%s is to have no pod any more, and %d were ready: a slip was taken for what is meant, and has ended what ran", key, was)
	case was == 1 && wants == 1 && (key.Resource == statefulSets || key.Resource == daemonSets || recreates(after)):
		return nil // Kubernetes takes the one pod away before it makes another
	case recreates(after) && says(last.End[c.Key].At("spec"), "Recreate"):
		return nil // as the user wants it, or the schema has it by default
	default:
		d.Text = fmt.Sprintf("no pod of %s is ready any more, and %d of %d were: what cannot work was taken, and has ended what ran%s", key, was, want, because(whyNot(last.End, key)))
	}
	return d
}

// tells tells whether the operator says that something is wrong: in the resource's conditions, in its
// status, or by an event.
func (c *Case) tells() bool { return c.declined() || c.warns() || len(c.complains()) > 0 }

// complains lists what the conditions of the resource say is wrong that they did not say before.
func (c *Case) complains() []problem {
	last := c.Last()
	before := c.complaints(last.Start[c.Key])
	return slices.DeleteFunc(c.complaints(last.End[c.Key]), func(p problem) bool { return slices.Contains(before, p) })
}

// warns tells whether there is an event that warns of the resource.
func (c *Case) warns() bool {
	return slices.ContainsFunc(c.Last().Events, func(e history.Event) bool {
		return e.Type != history.Delete && warning(e.Key, e.Object) && about(e.Object, c.Key, c.Last().End[c.Key].Text("kind"))
	})
}

// stops tells whether the status says by how far the operator is that it has ended what ran, and did not say so before.
func (c *Case) stops() bool {
	now, before := c.Last().End[c.Key], c.Last().Start[c.Key]
	return slices.ContainsFunc(stages, func(name string) bool {
		return contains(strings.ToLower(now.Text("status", name)), stopped) && !contains(strings.ToLower(before.Text("status", name)), stopped)
	})
}

// stopped are words of who has no pods on purpose.
var stopped = []string{"zero", "scaled", "stopped", "paused", "suspend", "hibernat", "shut down", "shutdown", "disabled"}

// intends tells whether the operator says that it has no pods on purpose, or that it should not be so. That nothing
// is ready or available is neither: it only follows.
func (c *Case) intends() bool {
	return c.declined() || c.warns() || c.stops() || slices.ContainsFunc(c.complains(), func(p problem) bool {
		return !positive(strings.TrimPrefix(p.class, "condition ")) || contains(strings.ToLower(p.text), stopped)
	})
}

// recreates tells whether a Deployment takes pods away before it makes others.
func recreates(o history.Object) bool {
	surge := o.At("spec", "strategy", "rollingUpdate", "maxSurge")
	return o.Text("spec", "strategy", "type") == "Recreate" || surge == int64(0) || surge == "0%"
}
