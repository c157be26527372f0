package campaign

import "slices"

// declined are the properties of which values were tried alone, and the operator says of each that it does not take it,
// in the order of the plan. What the API server refuses was not tried.
func (o *Outcome) declined() (all []string) {
	if o.Plan == nil {
		return nil
	}
	about := map[string]string{}
	for _, s := range o.Plan.Sequences {
		for _, op := range s.Operations {
			about[op.Name] = op.Property
		}
	}
	steps := map[string]*StepResult{}
	for _, r := range o.Results {
		for i := range r.Steps {
			s := &r.Steps[i]
			if s.Declined && i > 0 && r.Steps[i-1].Declined && about[r.Steps[i-1].Operation] != about[s.Operation] {
				continue // what was declined before it is still asked for
			}
			if steps[s.Operation] == nil || !s.Declined {
				steps[s.Operation] = s
			}
		}
	}
	taken := map[string]bool{}
	for _, s := range o.Plan.Sequences {
		for _, op := range s.Operations {
			step := steps[op.Name]
			if step == nil || step.Refused != "" || op.Misoperation || op.Repairs || len(op.All()) != 1 || op.Changes[0].Remove {
				continue
			}
			if !slices.Contains(all, op.Property) {
				all = append(all, op.Property)
			}
			taken[op.Property] = taken[op.Property] || !step.Declined
		}
	}
	return slices.DeleteFunc(all, func(property string) bool { return taken[property] })
}
