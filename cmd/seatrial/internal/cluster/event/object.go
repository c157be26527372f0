package event

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// rewrite applies or creates an autoscaler or a budget. An apply happens even if
// it changes nothing; a create needs that there is none.
func rewrite(x *model.Turn, i int) {
	r := x.Events[i].Rewrite
	before, after, possible := r.Turns(x.State)
	if !possible {
		return
	}
	to := x.Begin(i)
	x.Write(to, r, after)
	emit(x, x.Subject(to, r), to, func() model.Explanation {
		e := model.Explanation{Refs: ref(x, i), Acts: []model.Act{x.Revises(by(x, i), "apply", r, before, after, x.Events[i].Manifest)}}
		if before == model.Absent {
			e.Action = x.Object(r) + " is created"
			if x.Events[i].Type == scenario.EventApply {
				e.Action += " by an apply"
			}
			return e
		}
		old, now := x.Version(r, before), x.Version(r, after)
		e.Action = fmt.Sprintf("%s is applied: %s", x.Object(r), x.Differences(r, before, after))
		e.Refs = append(e.Refs, changeRefs(r.Source, old, now)...)
		return e
	})
}

// changeRefs are the lines of a manifest by which an apply of it makes one version
// of an object of another.
func changeRefs(source *manifest.Source, old, now *model.Written) []model.Ref {
	var out []model.Ref
	for _, c := range model.FieldChanges(old.Object, now.Object) {
		message := fmt.Sprintf("is applied: %s to %s", c.From, c.To)
		if !source.Has(c.Path) {
			message = fmt.Sprintf("leaves out %s, which was %s and becomes %s", c.Path, c.From, c.To)
		}
		out = append(out, model.Ref{Source: source, Path: c.Path, Message: message})
	}
	return out
}
