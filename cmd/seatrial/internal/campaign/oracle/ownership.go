package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "ownership", Rule: "SEA3011", Order: 46, Behind: Deletion, Judge: ownership})
}

// ownership finds what the operator made for a custom resource and is there when that is deleted and
// gone. What has an owner that lives is that one's matter. Claims hold data: that they stay may be
// wanted. What was there before the resource is the operator's own.
func ownership(c *Case) []Deviation {
	s := c.Deleted
	if s.Refused != "" || !s.Rest.Quiet || s.End[c.Key] != nil {
		return nil
	}
	v := c.view(nil, s.End)
	creators, given, living := c.creators(), c.given(), uids(s.End)
	var out []Deviation
	for _, key := range s.End.Keys() {
		o := s.End[key]
		if !c.own(key) || creators[o.Text("metadata", "uid")] != plan.Controller || given[o.Text("kind")+"/"+key.Name] ||
			key.Resource == claims || key.Resource == volumes || c.Mask.IgnoresObject(key.Resource, o) || v.ignores(history.Event{Key: key, Object: o}) {
			continue
		}
		owned := owners(o)
		if slices.ContainsFunc(owned, func(owner history.Object) bool { return living[owner.Text("uid")] }) {
			continue
		}
		general := key.Generic(o)
		d := Deviation{Object: general, Path: "metadata.ownerReferences", Class: "stays", Found: "there"}
		switch {
		case len(owned) > 0:
			d.Text = fmt.Sprintf("%s stays when %s is deleted, though its owner is gone", general, c.Key)
		case c.Key.Namespace != "" && key.Namespace != c.Key.Namespace:
			d.Text = fmt.Sprintf("%s stays when %s is deleted: it cannot have an owner in another namespace, and no finalizer takes it away", general, c.Key)
		default:
			d.Text = fmt.Sprintf("%s stays when %s is deleted: it has no owner", general, c.Key)
		}
		out = append(out, d)
	}
	return out
}

// creators are who created objects in the run, by UID.
func (c *Case) creators() map[string]string {
	out := map[string]string{}
	steps := c.Steps
	for _, s := range []*Step{c.Restart, c.Deleted} {
		if s != nil {
			steps = append(slices.Clone(steps), s)
		}
	}
	for _, s := range steps {
		for _, e := range s.Events {
			if e.Type == history.Create {
				out[e.UID] = e.Actor
			}
		}
	}
	return out
}
