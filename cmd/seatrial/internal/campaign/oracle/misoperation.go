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
func misoperation(c *Case) []Deviation {
	last := c.Last()
	if !c.misoperation() || last.Refused != "" || last.Operation.Stays {
		return nil
	}
	var out []Deviation
	for _, key := range last.Start.Keys() {
		before := last.Start[key]
		want, runs := wanted(key.Resource, before)
		if _, inner := controlled(key, before); inner || !runs || !c.own(key) {
			continue
		}
		was := ready(key.Resource, before)
		after, there := last.End[key]
		if was == 0 || there && ready(key.Resource, after) > 0 {
			continue
		}
		d := Deviation{Object: key, Class: "outage", Expected: was, Found: int64(0)}
		if !there {
			d.Text = fmt.Sprintf("%s, of which %d of %d pods were ready, is not there any more: what cannot work was taken, and has ended what ran", key, was, want)
			out = append(out, d)
			continue
		}
		if want, _ := wanted(key.Resource, after); want == 0 {
			if !c.intends() {
				d.Text = fmt.Sprintf("%s is to have no pod any more, and %d were ready: a slip was taken for what is meant, and has ended what ran", key, was)
				out = append(out, d)
			}
			continue
		}
		if was == 1 && want == 1 && (key.Resource == statefulSets || key.Resource == daemonSets) {
			continue // Kubernetes takes the one pod away before it makes another
		}
		d.Text = fmt.Sprintf("no pod of %s is ready any more, and %d of %d were: what cannot work was taken, and has ended what ran%s", key, was, want, because(whyNot(last.End, key)))
		out = append(out, d)
	}
	return out
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
		return (e.Resource == events || e.Resource == "events.events.k8s.io") && e.Type != history.Delete && e.Object.Text("type") == "Warning" &&
			(e.Object.Text("involvedObject", "name") == c.Key.Name || e.Object.Text("regarding", "name") == c.Key.Name)
	})
}

// stopped are words of who has no pods on purpose.
var stopped = []string{"zero", "scaled", "stopped", "paused", "suspend", "hibernat", "shut down", "shutdown", "disabled"}

// intends tells whether the operator says that it has no pods on purpose, or that it should not be so. That nothing
// is ready or available is neither: it only follows.
func (c *Case) intends() bool {
	return c.declined() || c.warns() || slices.ContainsFunc(c.complains(), func(p problem) bool {
		return !positive(strings.TrimPrefix(p.class, "condition ")) || contains(strings.ToLower(p.text), stopped)
	})
}
