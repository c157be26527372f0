package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "misoperation", Rule: "SEA3007", Order: 50, Judge: misoperation})
}

// misoperation finds what ran before, and runs no more behind what cannot work and was taken
// all the same. Pods that stay as they were while new ones cannot start are how it should be. A
// workload that is to have no pods has been given a size that nobody means, unless the operator says
// that it has none.
func misoperation(c *Case) []Deviation {
	last := c.Last()
	if !c.misoperation() || last.Refused != "" {
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
			if !c.tells() {
				d.Text = fmt.Sprintf("%s is to have no pod any more, and %d were ready: a slip was taken for what is meant, and has ended what ran", key, was)
				out = append(out, d)
			}
			continue
		}
		if was == 1 && want == 1 && (key.Resource == statefulSets || key.Resource == daemonSets) {
			continue // Kubernetes takes the one pod away before it makes another
		}
		d.Text = fmt.Sprintf("no pod of %s is ready any more, and %d of %d were: what cannot work was taken, and has ended what ran%s", key, was, want, whyNot(last.End, key))
		out = append(out, d)
	}
	return out
}

// tells tells whether the operator says that something is wrong: in the resource's conditions, in its
// status, or by an event.
func (c *Case) tells() bool {
	last := c.Last()
	if c.declined() {
		return true
	}
	before := c.complaints(last.Start[c.Key])
	for _, p := range c.complaints(last.End[c.Key]) {
		if !slices.Contains(before, p) {
			return true
		}
	}
	return slices.ContainsFunc(last.Events, func(e history.Event) bool {
		return (e.Resource == events || e.Resource == "events.events.k8s.io") && e.Type != history.Delete && e.Object.Text("type") == "Warning" &&
			(e.Object.Text("involvedObject", "name") == c.Key.Name || e.Object.Text("regarding", "name") == c.Key.Name)
	})
}
