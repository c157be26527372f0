package main

import (
	"context"
	"slices"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	campaignrule "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	campaigncommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/check"
	configtestcommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/configtest"
	perturbcommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/perturb"
	replaycommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/replay"
	settlecommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/settle"
	speccommand "github.com/seatrial/seatrial/cmd/seatrial/internal/cli/spec"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
	configtestrule "github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/pattern"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/settle"
	settlerule "github.com/seatrial/seatrial/cmd/seatrial/internal/settle/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spec"
	specrule "github.com/seatrial/seatrial/cmd/seatrial/internal/spec/rule"
	"github.com/seatrial/seatrial/finding"
)

//go:generate go test -count=1 -run ^TestRulePages$ . -args -rewrite-docs

// trials puts the commands together with what they run. The Kubernetes code
// that they call logs to stderr, of things that are no concern of the user's.
func trials() cli.Trials {
	klog.SetLogger(logr.Discard())
	var rules []string
	told := rule.Told()
	for _, r := range told {
		rules = append(rules, r.ID, r.Name)
	}
	return cli.Trials{
		Check: check.Trial{
			Load:  manifest.Options{ValidateDescheduler: cluster.CheckPolicy, ValidateExpression: cluster.CheckExpression, Rules: rules},
			Rules: told,
			Check: func(ctx context.Context, in *manifest.Input, l check.Limits) (*finding.Report, error) {
				return cluster.Check(ctx, in, options(l))
			},
			Simulate: func(ctx context.Context, in *manifest.Input, l check.Limits, w check.Walk) (*finding.Simulation, error) {
				return cluster.Simulate(ctx, in, options(l), w.Seed, w.Steps)
			},
		}, Replay: replaycommand.Trial{Replay: replay.Run}, Perturb: perturbcommand.Trial{
			Patterns: pattern.Names(), Perturb: perturb.Run, Replay: perturb.Replay,
		}, Campaign: campaigncommand.Trial{
			Oracles: oracle.Names(), Masks: oracle.MaskNames(), Rules: campaignrule.Told(), Campaign: campaign.Run, Reproduce: campaign.Reproduce,
		}, Settle: settlecommand.Trial{Settle: settle.Run, Rules: settlerule.Told()}, Configtest: configtestcommand.Trial{
			Map: configtest.Map, Diff: configtest.Diff, Generate: configtest.Generate, Components: configtest.DiffComponents, Rules: configtestrule.Told(),
		}, Spec: speccommand.Trial{Spec: spec.Run, Rules: specrule.Told()},
		Rules: slices.Concat(told, perturb.Rules(), campaignrule.Told(), configtestrule.Told(), settlerule.Told(), specrule.Told()), Runs: runstore.Store{Folder: ".seatrial"}, Kubernetes: cluster.Kubernetes,
	}
}

func options(l check.Limits) cluster.Options {
	var asked func([]model.Tally)
	if l.Asked != nil {
		asked = func(tallies []model.Tally) {
			var all []check.Asked
			for _, t := range tallies {
				all = append(all, check.Asked{What: t.Question.String(), Times: t.Asked, Missed: t.Missed, Spent: t.Spent})
			}
			l.Asked(all)
		}
	}
	return cluster.Options{
		Timeout: l.Timeout, MaxStates: l.MaxStates, MaxMemory: l.MaxMemory, Workers: l.Workers,
		Strict: l.Strict, Exact: l.Exact, Grow: l.Grow, Full: l.Full, Accept: l.Accept, Progress: l.Progress,
		All: l.All, Properties: l.Properties, Events: l.Events,
		Asked: asked, Clock: l.Clock,
	}
}
