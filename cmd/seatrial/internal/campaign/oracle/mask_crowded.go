package oracle

import (
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "crowded",
		Reason: "pods that wait for ports of a node which the pods have that they are to replace, and what is said of them: with more nodes than the plane has they would come up",
		object: func(v *view, s history.State, key history.Key) bool {
			return key.Resource == pods && v.crowded[v.above(key.Generic(s[key]))]
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool { return v.tells(d.Key, ch, v.crowded) },
	})
}

// noPorts is how the scheduler says that the ports of a node that a pod asks for are taken.
const noPorts = "free ports for the requested pod ports"

// crowded are the workloads that have a pod for which no node has the ports free that it asks for, and another one that
// may have them.
func crowded(s history.State) map[history.Key]bool {
	placed, out := map[history.Key]bool{}, map[history.Key]bool{}
	for key, o := range s {
		if key.Resource == pods && o.Text("spec", "nodeName") != "" {
			placed[runner(s, key)] = true
		}
	}
	for key, o := range s {
		if key.Resource == pods && placed[runner(s, key)] && strings.Contains(conditionOf(o, "PodScheduled").message, noPorts) {
			out[runner(s, key)] = true
		}
	}
	return out
}

// outOfPorts tells whether things do not come to rest behind the last step for want of ports.
func (c *Case) outOfPorts() bool {
	return len(crowded(c.Last().End)) > 0 && len(crowded(c.Steps[0].End)) == 0
}
