package event

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

var _ = model.Register(event{kind: scenario.EventCustom, start: custom})

// custom does what the scenario's rule for event i says.
func custom(x *model.Turn, i int) {
	for _, s := range x.Events[i].Writer.Writes(x) {
		s.To.EditEnv().Used[i]++
		emit(x, s.Work, s.To, func() model.Explanation {
			e := s.Explain()
			e.Action = x.Events[i].Title() + " " + e.Action
			return e
		})
	}
}
