package oracle

import "github.com/seatrial/seatrial/history"

func init() {
	mask(Mask{
		Name:   "on-delete",
		Reason: "Kubernetes does not replace the pods of a workload whose update strategy is OnDelete, and the operator, which would, asks them first for what the campaign's file says that is not to be had (unreachable)",
		object: func(v *view, s history.State, key history.Key) bool {
			return key.Resource == pods && v.c.waits(s[runner(s, key)])
		},
	})
}

// waits tells whether the pods of a workload stay as they are until the operator deletes them, which it may not do
// here.
func (c *Case) waits(workload history.Object) bool {
	return len(c.Unreachable) > 0 && workload.Text("spec", "updateStrategy", "type") == "OnDelete"
}
