package rule

import (
	"fmt"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/observer"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
)

// MentionedNodes says which nodes the custom properties tell apart: those with
// the names or hostnames returned, or all of them.
func MentionedNodes(properties []scenario.Property) (names []string, all bool) {
	for i := range properties {
		for _, part := range expressionsOf(&properties[i]) {
			e, err := expression.Compile(part.text)
			if err != nil {
				continue // Custom says so
			}
			names, all = append(names, e.Nodes().Names...), all || e.Nodes().All
		}
	}
	return names, all
}

// part is one expression of a property and the field it stands in.
type part struct{ field, text string }

// expressionsOf are the property's, none for a rule; a leads-to has two.
func expressionsOf(p *scenario.Property) []part {
	switch {
	case p.Always != "":
		return []part{{"always", p.Always}}
	case p.EventuallyAlways != "":
		return []part{{"eventuallyAlways", p.EventuallyAlways}}
	case p.LeadsTo != nil:
		return []part{{"leadsTo.from", p.LeadsTo.From}, {"leadsTo.to", p.LeadsTo.To}}
	}
	return nil
}

// Custom makes the claims of the scenario's CEL properties. An error is a
// manifest.Problems.
func Custom(c *Context) ([]Claim, error) {
	var out []Claim
	var problems manifest.Problems
	o := &observer.Observer{World: c.World}
	for k := range c.World.Scenario.Properties {
		p := &c.World.Scenario.Properties[k]
		var evals []*evaluation
		for _, part := range expressionsOf(p) {
			path := fmt.Sprintf("spec.properties[%d].%s", k, part.field)
			e, err := expression.Compile(part.text)
			if err != nil {
				problems = append(problems, manifest.Problem{Location: c.World.ScenarioSource.Position(path), Message: fmt.Sprintf("%s: %v", path, err)})
				continue
			}
			evals = append(evals, &evaluation{Context: c, observer: o, expression: e, property: p.Name, path: path, otherwise: part.field != "leadsTo.from"})
		}
		if len(evals) > 0 && len(problems) == 0 {
			out = append(out, c.custom(p, evals))
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return out, nil
}

// custom makes the claim of one property from its expressions: one, or the two of
// a leads-to.
func (c *Context) custom(p *scenario.Property, evals []*evaluation) Claim {
	first, last := evals[0], evals[len(evals)-1]
	claim := Claim{
		Subject: "the cluster", Witnesses: c.events(),
		Refs: func(*model.State) []model.Ref {
			return []model.Ref{c.World.ScenarioRef(first.path, "is the property")}
		},
		Err: func() error {
			for _, e := range evals {
				if err := e.failure(); err != nil {
					return err
				}
			}
			return nil
		},
	}
	var said string
	switch {
	case p.Always != "":
		claim.Property, said = statespace.Always(p.Name, first.holds), "is not true in every state"
	case p.EventuallyAlways != "":
		claim.Property, said = statespace.EventuallyAlways(p.Name, first.holds), "never becomes true for good"
	default:
		claim.Property, said = statespace.LeadsTo(p.Name, first.holds, last.holds), "becomes true, but "+last.expression.Text()+" does not follow"
		name := p.Name + ": " + first.expression.Text()
		claim.Witnesses = append(claim.Witnesses, Witness{name, statespace.Sometimes(name, first.holds)})
	}
	claim.Message = func(*model.State) string { return fmt.Sprintf("%s: %s %s", p.Name, first.expression.Text(), said) }
	return claim
}

// evaluation is one expression during a check. The value in a state is
// remembered by what an expression can see of the state.
type evaluation struct {
	*Context
	observer       *observer.Observer
	expression     *expression.Expression
	property, path string
	// otherwise is taken for the value where there is none: what violates
	// nothing, so that a check goes on to find what else there is.
	otherwise bool

	values sync.Map // string -> bool
	mu     sync.Mutex
	failed string
}

// holds is the expression's value. Where there is none, failure tells.
func (e *evaluation) holds(ids IDs) bool {
	key := e.observer.Key(ids)
	if v, ok := e.values.Load(key); ok {
		return v.(bool)
	}
	v, err := e.expression.Eval(e.observer.Cluster(e.Decode(ids)))
	if err != nil {
		e.mu.Lock()
		// The least message, so that the order of evaluations does not matter.
		if e.failed == "" || err.Error() < e.failed {
			e.failed = err.Error()
		}
		e.mu.Unlock()
		v = e.otherwise
	}
	e.values.Store(key, v)
	return v
}

// failure is what went wrong so far, at the expression's place.
func (e *evaluation) failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed == "" {
		return nil
	}
	return manifest.Problems{{
		Location: e.World.ScenarioSource.Position(e.path),
		Message:  fmt.Sprintf("property %s cannot be evaluated in every state: %s", e.property, e.failed),
	}}
}
