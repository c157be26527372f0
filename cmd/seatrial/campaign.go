package main

import (
	"context"
	"errors"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	campaignrule "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	campaigncommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/campaign"
)

// campaignTrial is what `seatrial campaign` runs.
func campaignTrial() campaigncommand.Trial {
	var oracles, masks []string
	for _, o := range oracle.All() {
		oracles = append(oracles, o.Name)
	}
	for _, m := range oracle.Masks() {
		masks = append(masks, m.Name)
	}
	return campaigncommand.Trial{Oracles: oracles, Masks: masks, Rules: campaignrule.Told(), Campaign: campaign}
}

func campaign(_ context.Context, o campaigncommand.Options) (*campaigncommand.Outcome, error) {
	out := &campaigncommand.Outcome{}
	if !o.ListOnly || o.Input.Definition == nil {
		return out, errors.New("campaigns cannot be run yet: --list with --crd shows what would be tried")
	}
	d, err := schema.Open(o.Input.Definition, o.Input.Seed.Text("apiVersion"))
	if err != nil {
		return out, err
	}
	out.Plan, err = operation.Make(operation.Options{
		Definition: d, Seed: o.Input.Seed, Examples: o.Input.Examples, Focus: o.Input.Focus, Ignore: o.Input.Ignore, Values: o.Input.Values,
		RandomSeed: o.Input.RandomSeed, Max: o.Operations,
	})
	return out, err
}
