package settle

import (
	"maps"
	"slices"
)

// The rules by which is judged; `seatrial explain SEA5001` says more of each.
const (
	ruleSettles  = "SEA5001"
	ruleAlways   = "SEA5002"
	rulePanics   = "SEA5003"
	ruleContract = "SEA5004"
	ruleVacuity  = "SEA5005"
	ruleGoes     = "SEA5006"
)

// ruleNames are the names of the rules.
var ruleNames = map[string]string{
	ruleSettles:  Settles,
	ruleAlways:   "always",
	rulePanics:   Panics,
	ruleContract: "contract",
	ruleVacuity:  Vacuity,
	ruleGoes:     Goes,
}

// Rules are the ids of the rules by which is judged, in order.
func Rules() []string { return slices.Sorted(maps.Keys(ruleNames)) }
