package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

// Bounds of what is planned behind a plan: other values of one property, and the part of the plan's operations
// that all of them may be.
const (
	moreValues = 2
	moreShare  = 4
)

// More plans other values of properties than those that a plan tries of each alone, for those of which it is not
// known yet whether anything comes of them; where none of the texts beside one is there, behind operations that set
// these. To a list another item is added.
func More(o Options, p *Plan, properties []string) ([]*Sequence, error) {
	m, err := newMaker(o)
	if err != nil {
		return nil, err
	}
	m.end = m.Max / moreShare
	m.draws = p.Operations() // what was drawn stands nowhere else
	alone := map[string][]string{}
	for _, s := range p.Sequences {
		for _, op := range s.Operations {
			if len(op.All()) == 1 && !op.Misoperation && !op.Repairs {
				alone[op.Property] = append(alone[op.Property], op.Case)
			}
		}
	}
	for _, property := range m.properties {
		if !slices.Contains(properties, property.Path) {
			continue
		}
		again := func(name string) bool { return name == value.Added }
		property.tried, property.drawn = slices.DeleteFunc(alone[property.Path], again), m.draws
		if m.along(property) {
			continue
		}
		for range moreValues {
			m.one(property, value.Change)
		}
	}
	return slices.DeleteFunc(m.sequences, func(s *Sequence) bool { return len(s.Operations) == 0 }), nil
}
