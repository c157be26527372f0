package campaign

import (
	"context"
	"maps"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// crds are the resource of CustomResourceDefinitions.
const crds = "customresourcedefinitions.apiextensions.k8s.io"

// discover starts the operator, which brings its CustomResourceDefinitions with it, and takes the
// seed's of them.
func discover(ctx context.Context, f places, o *Options) error {
	return f.Use(ctx, func(ctx context.Context, place stage.Place) error {
		live, err := stage.Open(ctx, stage.Options{
			Place:      place,
			Experiment: &experiment.Experiment{Controller: o.Input.Controller}, Mask: history.DefaultMask(), Now: o.Now,
			Fill: func(kubeconfig string) (experiment.Controller, string, error) {
				return input.Fill(o.Input.Controller, input.Places{Namespace: o.Input.Seed.Text("metadata", "namespace"), Kubeconfig: kubeconfig})
			},
		})
		if live != nil {
			defer live.Close()
		}
		if err != nil {
			return &OperatorError{err}
		}
		if _, err := live.Settle(ctx, stage.Patience{Quiet: 2 * time.Second, Long: 2 * time.Second, Max: stepMax}); err != nil {
			return err
		}
		var all []history.Object
		state := maps.Clone(place.Base) // a cluster of the user's may have them already
		maps.Copy(state, live.State())
		for _, key := range state.Keys() {
			if key.Resource == crds {
				all = append(all, state[key])
			}
		}
		return o.Input.Define(all)
	})
}
