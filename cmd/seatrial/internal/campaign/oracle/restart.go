package oracle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "restart", Rule: "SEA3006", Order: 40, Behind: Restarted, Judge: restart})
}

// restart finds what an operator writes when it is killed and started again though nothing
// has changed. What a process does to what is its own, as to certificates that were
// there before the custom resource, is not judged; nor is a status that is written and taken back. What was drawn
// differs from run to run, and that was learned; but who draws again what pods are made of or read, as a password,
// does so in the same run, and then it counts. And who writes nothing may not have come to that: a new process that
// does not get to work, where the old one had come to rest, is no better.
func restart(c *Case) []Deviation {
	c = c.standing()
	if c.misoperation() || !c.Last().Rest.Quiet || c.Last().Refused != "" {
		return nil
	}
	v := c.view(c.Restart.Start, c.Restart.End)
	lasting := map[history.Key]bool{}
	for _, d := range v.differences() {
		lasting[d.Key] = true
	}
	var out []Deviation
	for _, e := range c.Restart.Events {
		if e.Actor != plan.Controller || !c.own(e.Key) || v.mask.IgnoresEvent(e) || v.ignores(e) {
			continue
		}
		key := e.Generic(subject(e))
		if e.Type != history.Update {
			out = append(out, Deviation{
				Object: key, Place: string(e.Type),
				Text: fmt.Sprintf("it was killed and started again, and %ss %s, though nothing had changed", e.Type, key),
			})
			continue
		}
		d := history.Difference{Key: e.Key, Type: history.Update}
		for _, ch := range c.rewritten(v, e) {
			if v.masked(&d, ch) || strings.HasPrefix(ch.Path, "status") && !lasting[e.Key] {
				continue
			}
			plain := Plain(key.Resource, ch)
			out = append(out, Deviation{
				Object: key, Path: ch.Path, Expected: ch.From, Found: ch.To,
				Text: fmt.Sprintf("it was killed and started again, and sets %s of %s from %s to %s, though nothing had changed", plain.Path, key, say(plain.From), say(plain.To)),
			})
		}
	}
	if len(out) == 0 && c.stands() {
		out = []Deviation{{Object: c.Key, Place: "rest", Text: "it was killed and started again, and does not come to rest: " + c.Restart.Rest.Why}}
	}
	return distinct(out)
}

// standing is the case without the last steps if these were refused or taken back: the operator is started again with
// the resource of the last that was not. It is the case itself where none is known to stand.
func (c *Case) standing() *Case {
	for i := len(c.Steps) - 1; i >= 0; i-- {
		if s := c.Steps[i]; s.Refused == "" && reflect.DeepEqual(s.Resource.At("spec"), c.Restart.Resource.At("spec")) {
			one := *c
			one.Steps = c.Steps[:i+1]
			return &one
		}
	}
	return c
}

// stands tells whether an operator that was started again does not come to rest for no reason that others say: that it
// ended, goes in a circle, or wants what it cannot reach here.
func (c *Case) stands() bool {
	return !c.Restart.Rest.Quiet && len(crashes(c)) == 0 && len(hotLoop(c)) == 0 && !c.unreached(c.Restart.Output) && !c.blocked()
}

// rewritten is what an update of one run changes: what counts between runs, and what differs between them but is
// no note that a process makes of itself.
func (c *Case) rewritten(v *view, e history.Event) []history.Change {
	changes := func(m history.Mask) []history.Change {
		return flat(history.Diff(m.Canonical(e.Resource, e.Previous), m.Canonical(e.Resource, e.Object)))
	}
	out := changes(v.mask)
	for _, ch := range changes(v.masking(c.Given)) {
		part, _, _ := strings.Cut(ch.Path, ".")
		known := slices.ContainsFunc(out, func(o history.Change) bool { return o.Path == ch.Path })
		if !known && slices.Contains([]string{"spec", "data", "binaryData"}, part) {
			out = append(out, ch)
		}
	}
	return out
}

// subject is what an event is about.
func subject(e history.Event) history.Object {
	if e.Object == nil {
		return e.Previous
	}
	return e.Object
}

// ignores tells whether a mask leaves out the object of an event.
func (v *view) ignores(e history.Event) bool {
	s := history.State{e.Key: subject(e)}
	return slices.ContainsFunc(v.masks, func(m Mask) bool { return m.object != nil && m.object(v, s, e.Key) })
}

// distinct leaves out what is said twice.
func distinct(all []Deviation) []Deviation {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(d Deviation) bool {
		same := seen[d.Text]
		seen[d.Text] = true
		return same
	})
}
