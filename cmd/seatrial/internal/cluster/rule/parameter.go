package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

//go:generate go test -count=1 -run ^TestFieldsOfExpressions$ .. -args -rewrite-docs

// parameters are the fields of a scenario's property, with what they mean.
var parameters = []struct {
	name, doc string
	set       func(*scenario.Property) bool
}{
	{"workload", "the one workload it is asked of; all without it", func(p *scenario.Property) bool { return p.Workload != nil }},
	{"node", "the one node or pool it is asked of; all without it", func(p *scenario.Property) bool { return p.Node != "" }},
	{"atLeast", "how many pods are promised", func(p *scenario.Property) bool { return p.AtLeast != nil }},
	{"when", "`always` (the default) or `rest`", func(p *scenario.Property) bool { return p.When != "" }},
	{"soft", "`true` judges ScheduleAnyway constraints too", func(p *scenario.Property) bool { return p.Soft }},
}

// Misplaced is a parameter that its rule does not take.
type Misplaced struct{ Path, Message string }

// MisplacedParameters finds the parameters in a scenario that would have no
// effect.
func MisplacedParameters(s *scenario.Spec) []Misplaced {
	var out []Misplaced
	for i := range s.Properties {
		p := &s.Properties[i]
		r := find(p.Rule)
		if r == nil {
			continue
		}
		for _, x := range parameters {
			if x.set(p) && !slices.Contains(r.Takes, x.name) {
				at := fmt.Sprintf("spec.properties[%d].%s", i, x.name)
				out = append(out, Misplaced{at, fmt.Sprintf("%s: rule %s takes %s only", at, r.Name, strings.Join(r.Takes, ", "))})
			}
		}
	}
	return out
}
