package campaign

import (
	"context"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/disposable"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/fleet"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
)

// places are where runs happen: planes, or a cluster of the user's.
type places interface {
	// Use does something in a place that was reset before; it waits for one that is free.
	Use(ctx context.Context, do func(context.Context, stage.Place) error) error
	// Grow lets as many runs be made at once as may be.
	Grow(context.Context) error
	Kubernetes() string
	// Lost is how often a place was lost in the middle of a run.
	Lost() int
	Close() error
}

// open opens the places that a campaign is run in.
func open(ctx context.Context, o *Options) (places, error) {
	in := o.Input
	if o.Cluster != nil {
		o.tell(Progress{What: "set up"})
		return disposable.Open(ctx, disposable.Options{
			Cluster: *o.Cluster, Setup: in.Given(), Seed: in.Seed, Now: o.Now, Parallel: o.Parallel, Namespaced: in.Namespaced() && !strings.HasPrefix(in.Controller.ServiceAccount, in.Seed.Text("metadata", "namespace")+"/"),
		})
	}
	o.tell(Progress{What: "start"})
	return fleet.Open(ctx, fleet.Options{
		Name: "campaign", Executable: o.Executable, Spec: spec(in.Plane), Setup: in.Setup.Objects, Parallel: o.Parallel, Most: o.Most,
	})
}

// close ends the places, and keeps what is to be said of them.
func (o *Outcome) close(p places) error {
	o.Kubernetes, o.Lost = p.Kubernetes(), p.Lost()
	if c, ok := p.(*disposable.Cluster); ok {
		o.Real, o.Notes = c.Real(), append(o.Notes, c.Notes()...)
	}
	return p.Close()
}
