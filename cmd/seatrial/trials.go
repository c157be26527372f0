package main

import (
	"context"
	"errors"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/check"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// trials gives each command what it runs.
func trials() cli.Trials {
	return cli.Trials{Check: check.Trial{Check: checkCluster}}
}

func checkCluster(context.Context, *manifest.Input, check.Limits) (*finding.Report, error) {
	return nil, errors.New("this build has no cluster model")
}
