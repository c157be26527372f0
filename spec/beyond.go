package spec

import (
	"context"
	"errors"
	"slices"

	"github.com/seatrial/seatrial/spec/temporal"
	"github.com/seatrial/seatrial/statespace"
)

// lasting is the reason of a property that nothing could have violated.
const lasting = "no behaviour that the specification's fairness allows stays within the constraints for ever: what the property says of behaviours was said of none"

// startless tells whether an exploration failed because nothing satisfies the initial condition.
func (s *Spec) startless(err error) bool {
	var m *statespace.ModelError
	if !errors.As(err, &m) || m.Op != "Init" || m.Panic != nil {
		return false
	}
	none := true
	s.program.Init(func([]statespace.ID) bool {
		none = false
		return false
	})
	return none
}

// holdNothing has everything stay open that would be said of no behaviour. Where nothing is claimed but that there is
// no deadlock, that is as if no behaviours were named: the Toolbox evaluates expressions so.
func (r *run) holdNothing() {
	reason := "no state satisfies the initial condition: it would be said of nothing"
	if r.s.program.Excluded() {
		reason = "no state that satisfies the initial condition is within the constraints: it would be said of nothing"
	}
	r.claims = slices.DeleteFunc(r.claims, func(c Claim) bool { return c.Kind == Deadlock })
	for i := range r.claims {
		r.claims[i].Verdict, r.claims[i].Reason = statespace.Inconclusive, reason
	}
}

// beyond has properties about whole behaviours stay open where constraints leave none of them: every property holds of
// nothing. It is asked only where something was left out, and ends at the first behaviour that stays.
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
