package oracle

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"

// Probe is what a tracer learns from one step, in a form that can be written down: a campaign that
// goes on tells it to its tracer instead of running the step again.
type Probe struct {
	Operation *operation.Operation `json:"operation"`
	// Leaves are where the operation's values were seen, and Moved what changed.
	Leaves []Leaf `json:"leaves,omitempty"`
	Moved  []Leaf `json:"moved,omitempty"`
	// Wrote tells that the operator wrote something that counts, and Idle that the property has no
	// part in the resource.
	Wrote bool `json:"wrote,omitempty"`
	Idle  bool `json:"idle,omitempty"`
	// Modes are those that the resource was in.
	Modes []Mode `json:"modes,omitempty"`
	// Alone tells that none of the texts beside it was there.
	Alone bool `json:"alone,omitempty"`
	// Had tells that the seed has the property.
	Had bool `json:"had,omitempty"`
	// Further tells that it only adds items behind the first of a list.
	Further bool `json:"further,omitempty"`
	// Behind tells that it changes a part of an item behind the first.
	Behind bool `json:"behind,omitempty"`
	// Way are operations without which it would mean nothing from the seed.
	Way []*operation.Operation `json:"way,omitempty"`
}

// Take learns what another tracer has learned from a step. The order does not matter.
func (t *Tracer) Take(p *Probe) {
	if p.Operation == nil || len(p.Operation.Changes) != 1 {
		return // not what a tracer has said
	}
	t.keep(&probe{operation: p.Operation, leaves: setOf(p.Leaves), moved: setOf(p.Moved), wrote: p.Wrote, idle: p.Idle, modes: p.Modes, alone: p.Alone, had: p.Had, further: p.Further, behind: p.Behind, way: p.Way})
}

func (p *probe) form() *Probe {
	return &Probe{Operation: p.operation, Leaves: sortedLeaves(p.leaves), Moved: sortedLeaves(p.moved), Wrote: p.wrote, Idle: p.idle, Modes: p.modes, Alone: p.alone, Had: p.had, Further: p.further, Behind: p.behind, Way: p.way}
}

func setOf(leaves []Leaf) map[Leaf]bool {
	all := map[Leaf]bool{}
	for _, l := range leaves {
		all[l] = true
	}
	return all
}
