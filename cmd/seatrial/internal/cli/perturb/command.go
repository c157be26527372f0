// Package perturb is `seatrial perturb`: from an experiment to what a controller
// does when its world is not as its author imagined.
package perturb

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
)

// Trial is what the command runs.
type Trial struct {
	// Runs is where runs are kept; plans and what is needed to go on are beside them.
	Runs runstore.Store
	// Patterns are the names of those that there are.
	Patterns []string
	// Perturb runs all plans, Replay one.
	Perturb func(context.Context, perturb.Options) (*perturb.Outcome, error)
	Replay  func(context.Context, *plan.Plan, perturb.Options) (*perturb.Outcome, error)
}

type options struct {
	file       string
	command    []string
	outputs    []string
	setup      []string
	patterns   []string
	plansMax   int
	references int
	confirm    int
	parallel   int
	timeout    time.Duration
	list       bool
	resume     bool
	times      int
	histories  string
	keeper     *keep.Keeper
}

const long = `Perturb runs a controller, unmodified and as a process of its own, against a real
control plane, and finds out whether it survives what happens to controllers: that it
is killed between two writes, starts again on an old list, never sees a state that
was soon overwritten, or gets no answer to a write that was done.

EXPERIMENT is a file that says how the controller is started, what is there before,
and what users do, in steps; docs/perturb.md describes it. A command behind --
replaces the one in the file. The controller gets a KUBECONFIG; no more is asked of
it.

A few runs without a perturbation say what is usual. Then every perturbation that
could matter is a plan, and each plan is a run. A run that ends otherwise is a
finding: it is repeated, compared with one more run without the perturbation, and
written to a file that 'seatrial perturb replay' repeats.`

const examples = `  seatrial perturb --list examples/controllers/skipped-second-creation/experiment.yaml
  seatrial perturb experiment.yaml -- ./bin/manager --leader-elect=false
  seatrial perturb --pattern=intermediate-state -o html=report.html experiment.yaml`

// historiesOf are the runs whose histories are kept.
const historiesOf = "each run without a perturbation and each plan that failed"

const (
	referencesDefault = 3
	confirmDefault    = 2
)

// New returns the command.
func New(c *console.Console, t Trial) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "perturb [flags] EXPERIMENT [-- COMMAND [ARGUMENT...]]", Short: "does a controller survive crashes, stale reads and missed events?",
		Long: long, Example: examples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, o.command = args[:at], args[at:]
			}
			if len(args) != 1 {
				return failure.Usage(cmd.CommandPath(), "one file with an experiment is wanted")
			}
			o.file = args[0]
			outputs, err := o.check(cmd, t)
			if err != nil {
				return err
			}
			return run(cmd.Context(), c, t, o, outputs)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	flags.StringArrayVar(&o.setup, "setup", nil, "apply the manifests in `PATH` before, too, such as CRDs; repeatable")
	flags.StringArrayVar(&o.patterns, "pattern", nil, "run the plans of this `PATTERN` only: "+strings.Join(t.Patterns, ", ")+"; repeatable")
	flags.BoolVar(&o.list, "list", false, "say what plans there are, in words, and run none")
	flags.IntVar(&o.plansMax, "max-plans", 0, "run no more than `N` plans; 0 for all")
	flags.IntVar(&o.references, "references", referencesDefault, "learn what is usual from `N` runs")
	flags.IntVar(&o.confirm, "confirm", confirmDefault, "run a plan that fails `N` times more")
	flags.IntVar(&o.parallel, "parallel", 0, "run `N` plans at once, each on a plane of its own; 0 for what the machine has cores for")
	flags.DurationVar(&o.timeout, "timeout", 0, "stop after this long, and say what was found; 0 for never")
	flags.BoolVar(&o.resume, "resume", false, "go on with what was interrupted: plans that have passed are not run again")
	output.HistoriesFlag(flags, &o.histories, historiesOf)
	config.LineOnly(flags, "list", "resume", "histories")
	o.keeper = keep.New(cmd, t.Runs)
	// They fail for a flag that is not there, or twice: neither can be.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("pattern", cobra.FixedCompletions(t.Patterns, cobra.ShellCompDirectiveNoFileComp))
	cmd.AddCommand(newReplay(c, t))
	return cmd
}

// check looks at the flags.
func (o *options) check(cmd *cobra.Command, t Trial) (output.Plan, error) {
	for _, p := range o.patterns {
		if !slices.Contains(t.Patterns, p) {
			return output.Plan{}, failure.Usage(cmd.CommandPath(), fmt.Sprintf("--pattern=%s: there is none of that name; there are %s", p, strings.Join(t.Patterns, ", ")))
		}
	}
	for _, f := range []struct {
		name       string
		value, min int
	}{{"references", o.references, 2}, {"confirm", o.confirm, 0}, {"max-plans", o.plansMax, 0}, {"parallel", o.parallel, 0}} {
		if f.value < f.min {
			return output.Plan{}, failure.Usage(cmd.CommandPath(), fmt.Sprintf("--%s=%d: it has to be %d or more", f.name, f.value, f.min))
		}
	}
	if o.timeout < 0 {
		return output.Plan{}, failure.Usage(cmd.CommandPath(), fmt.Sprintf("--timeout=%v: it has to be more than nothing", o.timeout))
	}
	if o.parallel == 0 {
		// A run waits more than it works.
		o.parallel = min(max(runtime.GOMAXPROCS(0)+1, 2), 8)
	}
	outputs, err := output.Parse(o.outputs, output.Reports)
	if err != nil {
		return outputs, failure.Usage(cmd.CommandPath(), err.Error())
	}
	return outputs, nil
}
