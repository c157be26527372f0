package effect

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// Objects patches, creates or deletes autoscalers, or budgets.
type Objects struct {
	// Name is that of the effect: patch, create or delete.
	Name  string
	Where *Condition
	// Rewrites are what it does, one for each object; a deletion uses of each only
	// which object it is about.
	Rewrites []*model.Rewrite
}

func (e *Objects) verbs() []model.Verb {
	return []model.Verb{
		{Name: e.Name, Grain: model.ByHPA, Fairness: statespace.Weak},
		{Name: e.Name + " budget", Grain: model.ByPDB, Fairness: statespace.Weak},
	}
}

func (e *Objects) writes(v *view) []model.Step {
	var out []model.Step
	for _, r := range e.Rewrites {
		before, after, possible := r.Turns(v.State)
		there := before != model.Absent
		if there == (e.Name == "create") || there && !v.holds(e.Where, v.object(r)) {
			continue
		}
		to := v.State.Clone()
		said := ""
		switch {
		case e.Name == "delete":
			after = model.Absent
			v.Remove(to, r)
		case !possible || before == after:
			continue
		default:
			v.Write(to, r, after)
			if there {
				said = ": " + v.Differences(r, before, after)
			}
		}
		s := model.Step{Verb: e.Name, A: r.HPA, Work: v.Subject(to, r), To: to}
		if r.HPA < 0 {
			s.Verb, s.A = e.Name+" budget", r.PDB
		}
		verb := map[string]string{"patch": "patches", "create": "creates", "delete": "deletes"}[e.Name]
		out = append(out, v.step(s, nil, func() []model.Act { return []model.Act{v.Revises(v.by(), e.Name, r, before, after, nil)} }, "%s %s%s", verb, v.Object(r), said))
	}
	return out
}

// object is the autoscaler or budget of r, which is there, as expressions see it.
func (v *view) object(r *model.Rewrite) expression.Object {
	if r.HPA >= 0 {
		return v.rule.Observer.Autoscaler(v.State, r.HPA)
	}
	return v.rule.Observer.Budget(v.State, r.PDB)
}
