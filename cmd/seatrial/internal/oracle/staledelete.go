package oracle

import (
	"fmt"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "stale-delete", Order: 1, Judge: staleDelete}) }

// staleDelete names a delete that asks for no version and no UID, of an object that
// was created after all that the controller had been told of its kind and of the
// kind that is kept from it: it cannot have meant this one. It counts if the object
// is deleted more often than usual.
func staleDelete(c *Case) []Divergence {
	if c.Plan == nil || c.Plan.Fault.Resource == "" || c.Reference == nil {
		return nil
	}
	tooOften, generic := map[history.Key]bool{}, c.Run.Generic()
	for _, m := range c.Reference.Miscounted(c.Run) {
		if m.Is.Deleted > m.Usual.Deleted.Max {
			tooOften[m.Key] = true
		}
	}
	view := map[string]int64{} // by incarnation: the newest it was told of the kind that is kept from it
	created := map[string]history.Event{}
	events := c.Run.Events
	var out []Divergence
	for _, x := range c.Run.Exchanges {
		switch {
		case x.Kind == apiproxy.RecordDelivery && x.Resource == c.Plan.Fault.Resource:
			view[x.Incarnation] = max(view[x.Incarnation], x.Revision)
		case x.Kind == apiproxy.RecordRequest && x.Exchange.Verb == "list" && x.Exchange.Resource == c.Plan.Fault.Resource:
			view[x.Incarnation] = max(view[x.Incarnation], x.Exchange.Revision)
		case x.Kind == apiproxy.RecordRequest && x.Exchange.Verb == "delete" && x.Exchange.Code < 300 && x.Exchange.Code >= 200 && !x.Exchange.Conditional():
			for len(events) > 0 && (x.Exchange.Revision == 0 || events[0].Revision <= x.Exchange.Revision) {
				if events[0].Type == history.Create {
					created[events[0].UID] = events[0]
				}
				events = events[1:]
			}
			e, known := created[x.Exchange.UID]
			if !known || !tooOften[generic(e)] || e.Revision <= view[x.Incarnation] {
				continue
			}
			out = append(out, Divergence{
				Object: e.Key, Class: e.Resource,
				Text: fmt.Sprintf("the controller deletes %s, which was created after all that it knew of %s, with no precondition", e.Key, c.Plan.Fault.Resource),
			})
		}
	}
	return out
}
