package perturb

import "github.com/seatrial/seatrial/finding"

// Rules are what there is to say of the patterns.
func Rules() []finding.Rule { return nil }
