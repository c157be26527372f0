package oracle

import "fmt"

func init() {
	register(Oracle{Name: "recovery", Rule: "SEA3002", Order: 15, Twin: true, Judge: recovery})
}

// recovery holds what there is behind the repair of a misoperation to a run that never
// had the misoperation.
func recovery(c *Case) []Deviation {
	last := c.Last()
	if !c.repairs() || last.Refused != "" || !last.Rest.Quiet && c.scaling() {
		return nil
	}
	kubernetes := last.Rest.Cycle == nil && len(c.forced()) > 0 && len(c.unforced()) == 0
	if !last.Rest.Quiet && !kubernetes && !c.outOfPorts() && (c.Twin == nil || c.Twin.Rest.Quiet) {
		why := last.Rest.Why
		if last.Rest.Cycle != nil || why == "" {
			why = "writes go on"
		}
		return []Deviation{{
			Object: c.Key, Place: "rest",
			Text: fmt.Sprintf("it does not recover: what could not work is taken back, and still it does not come to rest: %s", why),
		}}
	}
	if !c.comparable() {
		return nil
	}
	return c.beside("where it never went wrong")
}
