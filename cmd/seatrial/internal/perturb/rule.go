package perturb

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/pattern"
	"github.com/seatrial/seatrial/finding"
)

// Rules are what there is to say of the patterns, by id.
func Rules() []finding.Rule { return pattern.Told() }
