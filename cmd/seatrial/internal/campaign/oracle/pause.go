package oracle

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// pauses tells whether the last step asks for a pause, by the name of what it sets.
func (c *Case) pauses() bool { return c.misoperation() && c.Last().Operation.Pauses }

// handedOn are the fields that are not as in the twin of an operator that does its work in the pause: it hands on what
// is to pause, as to a CronJob, or ends what runs. One that pauses makes nothing, or less, where the resource was never
// without the pause, and is held to nothing. Nor does it count what the status says, or what somebody notes in the
// metadata of what went on before.
func (c *Case) handedOn() (out []Deviation) {
	if !c.comparable() || c.declined() || !slices.ContainsFunc(c.Twin.End.Keys(), func(key history.Key) bool { return key != c.Key && c.works(key) }) {
		return nil
	}
	for _, d := range c.beside("where the resource was never another") {
		switch {
		case d.Object == c.Key || !c.works(d.Object):
		case d.Path == "":
			return nil
		case !strings.HasPrefix(d.Path, "metadata") && !strings.HasPrefix(d.Path, "status"):
			out = append(out, d)
		}
	}
	return out
}

// works tells whether an object is made by the operator itself: pods, claims and Jobs may be made by Kubernetes, of
// what there was before.
func (c *Case) works(key history.Key) bool {
	return c.own(key) && !slices.Contains([]string{pods, claims, jobs, events, replicaSets, revisions, slicesOf}, key.Resource)
}
