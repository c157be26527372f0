package oracle

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/history"
)

// headless is what a Service has for an address if it is to have none.
const headless = "None"

// addressed are the changes of what of a Service is chance mostly, and so masked, where it is not: that it has no
// address, and a port of the nodes that the custom resource asks for and the twin has.
func (v *view) addressed() (out []history.Difference) {
	if v.refused {
		return nil
	}
	wanted := scalars(v.c.Last().End[v.c.Key].At("spec"))
	for _, key := range v.want.state.Keys() {
		want, got := v.want.state[key], v.got.state[key]
		if key.Resource != services || got == nil || !v.c.own(key) {
			continue
		}
		d := history.Difference{Key: key, Type: history.Update}
		from, to := want.Text("spec", "clusterIP"), got.Text("spec", "clusterIP")
		if from != "" && to != "" && (from == headless) != (to == headless) {
			d.Changes = append(d.Changes, history.Change{Path: "spec.clusterIP", From: from, To: to})
		}
		for _, port := range list(want, "spec", "ports") {
			asked := port["nodePort"]
			if !slices.Contains(wanted, asked) {
				continue
			}
			for _, other := range list(got, "spec", "ports") {
				if other["name"] == port["name"] && other["port"] == port["port"] && other["protocol"] == port["protocol"] && other["nodePort"] != asked {
					d.Changes = append(d.Changes, history.Change{Path: fmt.Sprintf("spec.ports[%v].nodePort", port["port"]), From: asked, To: other["nodePort"]})
				}
			}
		}
		if len(d.Changes) > 0 {
			out = append(out, d)
		}
	}
	return out
}
