package reference

import (
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestMask: two runs that put a pod on machines that are alike do not differ, in the
// pod or in what is made of it; that it is on one counts.
func TestMask(t *testing.T) {
	mask, err := Mask(nil)
	if err != nil {
		t.Fatal(err)
	}
	state := func(node string) history.State {
		slice := map[string]any{"addresses": []any{"10.0.0.1"}, "zone": "zone-of-" + node}
		pod := map[string]any{}
		if node != "" {
			slice["nodeName"], pod["nodeName"] = node, node
		}
		return history.State{
			{Resource: "endpointslices.discovery.k8s.io", Name: "web"}: {"endpoints": []any{slice}},
			{Resource: "pods", Name: "web"}:                            {"spec": pod},
		}
	}
	if found := history.CompareRuns(state("node-1"), state("node-2"), mask); len(found) > 0 {
		t.Errorf("two nodes differ: %v", found)
	}
	if found := history.CompareRuns(state("node-1"), state(""), mask); len(found) != 2 {
		t.Errorf("no node does not differ: %v", found)
	}
}
