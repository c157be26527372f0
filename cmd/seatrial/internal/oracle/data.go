package oracle

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "data-loss", Order: 2, Judge: dataLoss}) }

// data are the resources whose objects hold what cannot be made again.
var data = map[string]bool{"persistentvolumeclaims": true, "secrets": true, "statefulsets.apps": true}

// dataLoss names what holds data and is deleted by the controller more often than
// usual, while what owns it, or what users have applied, lives.
func dataLoss(c *Case) []Divergence {
	if c.Reference == nil {
		return nil
	}
	tooOften, generic := map[history.Key]bool{}, c.Run.Generic()
	for _, m := range c.Reference.Miscounted(c.Run) {
		if data[m.Resource] && m.Is.Deleted > m.Usual.Deleted.Max {
			tooOften[m.Key] = true
		}
	}
	if len(tooOften) == 0 {
		return nil
	}
	var out []Divergence
	uids := map[string]history.Object{}
	for _, o := range c.Run.Start {
		uids[o.Text("metadata", "uid")] = o
	}
	for _, e := range c.Run.Events {
		ends := e.Type == history.Delete || e.Object.At("metadata", "deletionTimestamp") != nil && e.Previous.At("metadata", "deletionTimestamp") == nil
		if ends && e.Actor == plan.Controller && tooOften[generic(e)] {
			if owner := livingOwner(e, uids); owner != "" {
				out = append(out, Divergence{
					Object: e.Key, Class: e.Resource,
					Text: fmt.Sprintf("the controller deletes %s while its owner %s lives", e.Key, owner),
				})
			}
		}
		if e.Type == history.Delete {
			delete(uids, e.UID)
		} else {
			uids[e.UID] = e.Object
		}
	}
	return out
}

// livingOwner is an owner of an object that is there and is not being deleted.
func livingOwner(e history.Event, uids map[string]history.Object) string {
	owners, _ := e.Previous.At("metadata", "ownerReferences").([]any)
	for _, o := range owners {
		reference, _ := o.(map[string]any)
		uid, _ := reference["uid"].(string)
		if owner := uids[uid]; owner != nil && owner.At("metadata", "deletionTimestamp") == nil {
			return strings.TrimSpace(owner.Text("kind") + " " + owner.Text("metadata", "name"))
		}
	}
	return ""
}
