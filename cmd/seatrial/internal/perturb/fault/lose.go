package fault

import (
	"context"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
)

func init() {
	register(Kind{Name: "lose", New: func(p *plan.Plan) Fault { return &lose{afterWrite{base: base{plan: p}}} }})
}

// lose breaks the connection when a write is stored, before its answer is there.
type lose struct{ afterWrite }

func (f *lose) After(_ context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if !f.own.is(x) || !f.phase.step(Fired, Done) {
		return apiproxy.Pass
	}
	s.Mark("the answer to this write is lost: the controller sees a broken connection")
	return apiproxy.Lose
}
