package spec

import (
	"context"

	"github.com/seatrial/seatrial/spec/temporal"
	"github.com/seatrial/seatrial/statespace"
)

// lasting is the reason of a property that nothing could have violated.
const lasting = "no behaviour that the specification's fairness allows stays within the constraints for ever: what the property says of behaviours was said of none"

// beyond has properties about whole behaviours stay open where constraints leave none of them: every property holds of nothing. It is
// asked only where something was left out, and ends at the first behaviour that stays.
func (r *run) beyond(ctx context.Context) error {
	p := r.s.program
	var open []int
	for i, t := range p.Properties {
		if c := r.first + i; r.claims[c].Verdict == statespace.Holds && !temporal.Safe(t.Formula) {
			open = append(open, c)
		}
	}
	if len(open) == 0 || !r.stats.Complete || !p.Excluded() {
		return nil
	}
	never := statespace.EventuallyAlways("none stays", func([]statespace.ID) bool { return false })
	o := r.options()
	o.All = false
	found, err := statespace.CheckVectors(ctx, p.Model(), append([]property{never}, r.premises()...), o)
	if err != nil {
		return err
	}
	stays := found.Properties[0]
	for _, c := range open {
		switch stays.Verdict {
		case statespace.Holds:
			r.claims[c].Verdict, r.claims[c].Reason = statespace.Inconclusive, lasting
		case statespace.Inconclusive:
			r.claims[c].Verdict, r.claims[c].Reason = stays.Verdict, stays.Reason
		}
	}
	return nil
}
