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
// gone, unless it says itself that something is to stay. What has an owner that lives is that one's matter. Claims hold
// data: that they stay may be wanted. What was there before the resource is the operator's own. It finds, too, what
// users have made, and goes with the resource.
func ownership(c *Case) []Deviation {
	s := c.Deleted
	if s.Refused != "" || !s.Rest.Quiet || s.End[c.Key] != nil || stays("", s.Start[c.Key].At("spec"), false) {
		return nil
	}
	v := c.view(nil, s.End)
	creators, given, living := c.creators(), c.given(), uids(s.End)
	out := c.taken(given)
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
		d := Deviation{Object: general, Path: "metadata.ownerReferences", Place: "stays", Found: "there"}
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

// taken are Secrets, ConfigMaps and claims that users have made, before the resource or for it, and that are deleted
// with it: other resources may name them, too.
func (c *Case) taken(given map[string]bool) (out []Deviation) {
	s := c.Deleted
	for _, key := range s.Start.Keys() {
		o := s.Start[key]
		if _, stays := s.End[key]; stays || c.own(key) && !given[o.Text("kind")+"/"+key.Name] || !slices.Contains([]string{secrets, configMaps, claims}, key.Resource) {
			continue
		}
		why := ""
		switch {
		case slices.ContainsFunc(owners(o), func(owner history.Object) bool { return owner.Text("uid") == s.Start[c.Key].Text("metadata", "uid") }):
			why = "the operator has made that its owner"
		case slices.ContainsFunc(s.Events, func(e history.Event) bool {
			return e.Key == key && e.Type == history.Delete && e.Actor == plan.Controller
		}):
			why = "the operator deletes it"
		default:
			continue // somebody else did
		}
		out = append(out, Deviation{
			Object: key, Place: "taken", Expected: "there",
			Text: fmt.Sprintf("%s, which the operator has not made, is deleted with %s: %s", key, c.Key, why),
		})
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
