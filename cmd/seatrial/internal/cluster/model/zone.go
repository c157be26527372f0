package model

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
)

// fewLost is how many nodes may be lost at once in any cluster of more nodes without
// the node lifecycle controller keeping from evictions.
const fewLost = 2

// Paces is for each node how the node lifecycle controller goes on with evictions, as
// the conditions of all nodes are. Where nodes are merged it goes on as usual: they are not
// where it might not (MayStopEvictions). It is nil where all go on as usual.
func (w *World) Paces(s *State) []nodelifecycle.Pace {
	lost := 0
	for _, n := range s.Nodes {
		if !n.Ready {
			lost++
		}
	}
	if w.Reduced.Merges() || lost <= fewLost && lost < len(s.Nodes) {
		return nil
	}
	zones := make([]string, len(s.Nodes))
	for i := range zones {
		zones[i] = nodelifecycle.Zone(w.Nodes[i].Node)
	}
	paces := nodelifecycle.Paces(zones, func(node int) bool { return !s.Nodes[node].Ready })
	out := make([]nodelifecycle.Pace, len(s.Nodes))
	for i, zone := range zones {
		out[i] = paces[zone]
	}
	return out
}

// MayStopEvictions tells whether so many nodes may not be Ready at once, if so many are
// lost beside those that are not Ready at the start, that Paces are not the usual ones.
func (w *World) MayStopEvictions(start *State, losses int) bool {
	for _, n := range start.Nodes {
		if !n.Ready {
			losses++
		}
	}
	return losses > fewLost || losses >= len(start.Nodes)
}
