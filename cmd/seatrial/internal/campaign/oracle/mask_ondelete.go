package oracle

import "github.com/seatrial/seatrial/history"

func init() {
	mask(Mask{
		Name:   "on-delete",
		Reason: "Kubernetes does not replace the pods of a workload whose update strategy is OnDelete, and the operator, which would, asks them first for what the campaign's file says that is not to be had (unreachable)",
		object: func(v *view, s history.State, key history.Key) bool {
			if key.Resource != pods || len(v.c.Unreachable) == 0 {
				return false
			}
			return s[runner(s, key)].Text("spec", "updateStrategy", "type") == "OnDelete"
		},
	})
}
