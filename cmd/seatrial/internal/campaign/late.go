package campaign

import (
	"context"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// lateMost is how long it is waited for an operator that only looks again now and then: once in a campaign, and where
// it seems not to see that what its resource refers to says something else.
const lateMost = 40 * time.Second

// late waits for what an operator does later that has done nothing with the seed when nothing moves any more, or says
// that it is not done: it may watch nothing, and look every half a minute. How long it takes for that is kept, and
// waited for behind each operation. Where nothing comes, that was all that it does.
func (p *performance) late(ctx context.Context, rest stage.Rest) (stage.Rest, error) {
	notDone := func(s history.State) string { return oracle.NotDone(s[p.lab.key]) }
	idle, waits := !p.wrote(), notDone(p.live.State()) != ""
	if !idle && !waits {
		return rest, nil
	}
	patience := p.lasting()
	patience.Waits = notDone
	again, err := p.live.Settle(ctx, patience)
	if err != nil || idle && !p.wrote() || !idle && notDone(p.live.State()) != "" {
		return rest, err
	}
	p.lab.tempo.slow(again.Gap, idle)
	rest.Took = again.Took
	return rest, nil
}

// lasting is the patience with an operator that may look again when nobody has told it of anything.
func (p *performance) lasting() stage.Patience {
	patience := p.patience()
	patience.Sure, patience.Trust, patience.Idle, patience.Long, patience.LongFor = 0, false, lateMost, lateMost, nil
	return patience
}

// wrote tells whether the operator has written anything in this step.
func (p *performance) wrote() bool {
	for _, e := range p.live.Events() {
		if e.Actor == plan.Controller && !p.lab.mask.IgnoresEvent(e) {
			return true
		}
	}
	return false
}
