package oracle

import (
	"fmt"
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
// there before the custom resource, is not judged; nor is a status that is written and taken back.
func restart(c *Case) []Deviation {
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
				Object: key, Class: string(e.Type),
				Text: fmt.Sprintf("it was killed and started again, and %ss %s, though nothing had changed", e.Type, key),
			})
			continue
		}
		d := history.Difference{Key: e.Key, Type: history.Update}
		for _, ch := range flat(history.Diff(v.mask.Canonical(e.Resource, e.Previous), v.mask.Canonical(e.Resource, e.Object))) {
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
	return distinct(out)
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
