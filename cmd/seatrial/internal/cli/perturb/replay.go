package perturb

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/fault"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/trace"
)

const replayLong = `Replay repeats one plan: it learns anew what is usual, runs the plan as often as --times
says and the experiment once without it, and reports as 'seatrial perturb' does. The plan holds
the experiment; only the controller's program is looked for where it was. A command
behind -- is run instead of it: the same plan with what was mended.`

const replayExamples = `  seatrial perturb replay .seatrial/plans/web-1a2b3c4d.yaml
  seatrial perturb replay --times=10 plan.yaml -- ./bin/manager`

func newReplay(c *console.Console, t Trial) *cobra.Command {
	o := &options{confirm: 0, parallel: 1}
	cmd := &cobra.Command{
		Use: "replay [flags] PLAN [-- COMMAND [ARGUMENT...]]", Short: "repeat one plan", Long: replayLong, Example: replayExamples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, o.command = args[:at], args[at:]
			}
			if len(args) != 1 {
				return failure.Usage(cmd.CommandPath(), "one file with a plan is wanted")
			}
			o.file, o.confirm = args[0], o.times-1
			outputs, err := o.check(cmd, t)
			if err != nil {
				return err
			}
			return replay(cmd, c, t, o, outputs)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	flags.IntVar(&o.times, "times", 1, "run the plan `N` times")
	flags.IntVar(&o.references, "references", referencesDefault, "learn what is usual from `N` runs")
	output.HistoriesFlag(flags, &o.histories, historiesOf)
	config.LineOnly(flags, "histories")
	o.keeper = keep.New(cmd, t.Runs)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func replay(cmd *cobra.Command, c *console.Console, t Trial, o *options, outputs output.Plan) error {
	ctx := cmd.Context()
	o.keeper.Begin(c)
	outputs.Announce(c)
	p, err := plan.Load(o.file)
	if err != nil {
		return failure.Input(err)
	}
	if _, _, err := fault.New(p); err != nil {
		return failure.Input(fmt.Errorf("%s: %w", o.file, err))
	}
	if p.Version != c.Version {
		c.Notice("warning: %s was made by seatrial %s, this is %s: its trigger may not match", o.file, p.Version, c.Version)
	}
	if len(o.command) > 0 {
		p.Experiment.Controller.Command = o.command
		if strings.Contains(o.command[0], "/") {
			if o.command[0], err = filepath.Abs(o.command[0]); err != nil {
				return failure.Input(err)
			}
		}
	}
	if _, err := p.Experiment.Controller.Executable(); err != nil {
		return failure.Input(fmt.Errorf("%s: %w", o.file, err))
	}
	shown := c.Progress()
	outcome, err := t.Replay(ctx, p, perturb.Options{
		Experiment: p.Experiment, References: o.references, Parallel: o.parallel, Confirm: o.confirm, ConfirmAll: true, Progress: func(s perturb.Progress) { shown.Tell(s.What, told(s)) }, Now: time.Now, Version: c.Version,
	})
	shown.End()
	if err != nil && ctx.Err() == nil {
		return failed(o.file, p.Experiment.Setup, err)
	}
	outcome.Interrupted = outcome.Interrupted || ctx.Err() != nil
	if c.Verbose > 0 {
		for _, result := range outcome.Results {
			if t := outcome.Timeline(result); t != nil {
				if err := t.Write(c.Streams.Err, trace.Options{}); err != nil {
					return failure.Internal(err)
				}
			}
		}
	}
	r := outcome.Report(p.Experiment.Metadata.Name, func(*plan.Plan) string { return "seatrial perturb replay " + shell.Quote(o.file) })
	r.Version, r.Command = c.Version, o.repeatReplay()
	document := output.Document{Report: r, Rules: perturb.Rules(), Facts: facts(outcome)}
	return o.write(c, document, outcome, outputs)
}

func (o *options) repeatReplay() string {
	words := []string{"seatrial", "perturb", "replay"}
	if o.times > 1 {
		words = append(words, fmt.Sprintf("--times=%d", o.times))
	}
	words = append(words, shell.Quote(o.file))
	if len(o.command) > 0 {
		words = append(words, "--")
		for _, w := range o.command {
			words = append(words, shell.Quote(w))
		}
	}
	return strings.Join(words, " ")
}
