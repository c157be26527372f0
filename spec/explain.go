package spec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// A recorded history is explained by a specification if some behaviour of it shows what was observed, in that order.
// Not all variables need be observed: those that are not may be anything, and steps that change only them may happen at
// any time. It is how code and its specification are kept from drifting apart (Cirstea, Kuppe, Loillier, Merz:
// Validating Traces of Distributed Programs Against TLA+ Specifications, 2024).

// Observation is what was seen of the variables after an event.
type Observation struct {
	// Event is what happened, in words.
	Event string
	// Values are those of the variables that are observed, by their names.
	Values map[string]value.Value
}

// Unexplained is the first observation that nothing explains, and Instead the steps that would have shown something
// else there: their actions, with what would be observed.
type Unexplained struct {
	Observation
	Instead []string
}

// History is the kind of the claim that observations are of a behaviour.
const History Kind = "history"

// Explain looks for a behaviour of the specification with what was observed. The claim holds if there is one; else its
// trace is a behaviour that explains what came before, and its reason the event that nothing explains. It is
// inconclusive if a bound was reached or ctx ended.
func (s *Spec) Explain(ctx context.Context, observed []Observation, o Options) (*Result, error) {
	p := s.program
	result, err := s.begin(ctx, "bfs", o)
	if err != nil {
		return result, result.evaluation(err, nil)
	}
	for _, seen := range observed {
		for name := range seen.Values {
			if !slices.Contains(p.Variables, name) {
				return result, fmt.Errorf("%s is observed, and is no variable of %s: those are %s", name, p.Name, strings.Join(p.Variables, ", "))
			}
		}
	}
	e := s.explanation(observed, o.MaxStates)
	claim := Claim{Name: "the history is a behaviour of " + p.Name, Kind: History, Verdict: statespace.Holds}
	if err := e.search(ctx); err != nil {
		result.Claims = append(result.Claims, valueless(err, e.reached()))
		return result, nil
	}
	result.Stats.States, result.Stats.Transitions, result.Stats.Levels = len(e.nodes), e.steps, e.explains()
	result.Observed, result.Explained = len(observed), e.explains()
	switch {
	case e.cut != "":
		claim.Verdict, claim.Reason = statespace.Inconclusive, e.cut
		if n := e.explains(); n < len(observed) {
			claim.Reason += ", before an explanation was found of " + observed[n].Event
		}
	case e.explains() < len(observed):
		claim.Verdict, claim.Reason = statespace.Violated, e.unexplained()
		if p.Excluded() {
			claim.Verdict, claim.Reason = statespace.Inconclusive, e.unexplained()+" (within the constraints of the configuration, which kept something from being looked at)"
		}
		if len(e.nodes) > 0 {
			claim.Trace = e.trace(e.last())
			claim.Unexplained = &Unexplained{Observation: observed[e.explains()], Instead: e.instead}
		}
	default:
		result.Stats.Complete = true
	}
	result.Claims = append(result.Claims, claim)
	return result, nil
}

// CanObserve returns what is wrong with an operator that is to be what Observe asks.
func (s *Spec) CanObserve(operator string) error {
	switch n, ok := s.program.Takes(operator); {
	case !ok:
		return fmt.Errorf("%s is not defined in %s: an operator has to say what of the objects the variables are", operator, s.Name())
	case n != 1:
		return fmt.Errorf("%s takes %d arguments, and has to take one: the objects", operator, n)
	}
	return nil
}

// Observe applies an operator of the specification, which says what of some objects the variables are: a record with
// the names of variables as its fields.
func (s *Spec) Observe(operator string, objects value.Value) (map[string]value.Value, error) {
	seen, err := s.program.Call(syntax.Name{Text: operator}, objects)
	if err != nil {
		return nil, err
	}
	if !seen.IsFunction() {
		return nil, fmt.Errorf("%s is %s, a record of variables is expected", operator, value.Describe(seen))
	}
	values := map[string]value.Value{}
	items := seen.Items()
	for i, field := range value.Domain(seen).Members() {
		name, ok := field.Text()
		if !ok {
			return nil, fmt.Errorf("%s is %s, a record of variables is expected", operator, value.Describe(seen))
		}
		values[name] = items[i]
	}
	return values, nil
}
