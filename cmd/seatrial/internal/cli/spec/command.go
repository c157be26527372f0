// Package spec is `seatrial spec`: from a specification in TLA+ or PlusCal to what becomes of its claims.
package spec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/baseline"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/progress"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spec"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/spec/dump"
)

// Trial is what the command runs.
type Trial struct {
	Runs  runstore.Store
	Rules []finding.Rule
	// Spec checks a specification. When its context ends it returns what it has; an error means that there was nothing
	// to check, or that the check itself failed.
	Spec func(context.Context, spec.Options) (*finding.Report, error)
}

type options struct {
	trial    spec.Options
	outputs  output.Plan
	timeout  time.Duration
	progress string
	keeper   *keep.Keeper

	formats  []string
	memory   string
	deadlock bool
	all      bool
	dumps    []string
	baseline baseline.Known
}

const (
	defaultMemory = "4Gi"
	defaultSteps  = 100
)

const long = `Spec checks a specification in TLA+ or PlusCal: it explores every state that can be reached,
and either shows a shortest behaviour for which an invariant, an assertion or a property is
false, step by step with what each step changes, or says how many states there are in which
all holds.

FILE.tla is the module. FILE.cfg is the configuration of the model, as TLC reads it: what the
constants are, and what is to be checked; without one it is the file beside the module that
has its name. Modules that are extended are looked for beside the module, then in the folders
that --modules names; the standard modules are built in.

What Print and PrintT print goes to standard error. docs/spec.md says what is supported, and
shows what is printed.`

const examples = `  seatrial spec examples/spec/operator/Operator.tla examples/spec/operator/buggy.cfg
  seatrial spec --all --max-states=1000000 examples/spec/rollout/Rollout.tla
  seatrial spec --simulate=1000 --steps=50 --seed=7 examples/spec/rollout/Rollout.tla
  seatrial spec --history=examples/spec/operator/once.jsonl examples/spec/operator/Observed.tla
  seatrial spec --deadlock=false -o html=spec.html examples/spec/eviction/Eviction.tla`

// New returns the command.
func New(c *console.Console, t Trial) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "spec [flags] FILE.tla [FILE.cfg]", Short: "check a specification in TLA+ or PlusCal",
		Long: long, Example: examples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(cmd, args); err != nil {
				return failure.Usage(cmd.CommandPath(), err.Error())
			}
			return o.run(cmd.Context(), c, t)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.formats, "output", "o", nil, output.Usage)
	flags.StringArrayVar(&o.trial.Modules, "modules", nil, "look for modules in this `FOLDER`, too; repeatable")
	flags.BoolVar(&o.trial.Outside, "outside", false, "let the specification read files and the environment, by Json, IOUtils and CSV")
	flags.BoolVar(&o.deadlock, "deadlock", true, "look for states in which no action is possible; what the configuration says unless this is given")
	flags.BoolVar(&o.all, "all", false, "go on after the first violation and report every one")
	o.baseline.Add(flags)
	flags.BoolVar(&o.trial.Coverage, "coverage", false, "say how often each action was taken, and how the states became so many")
	flags.StringArrayVar(&o.dumps, "dump", nil, "write to this `FILE`, too: "+dumpUsage()+"; repeatable")
	flags.DurationVar(&o.timeout, "timeout", 0, "longest time to explore, like 90s or 10m; 0 for no limit")
	flags.IntVar(&o.trial.MaxStates, "max-states", 0, "most distinct states to explore; 0 for no limit")
	flags.IntVar(&o.trial.MaxDepth, "max-depth", 0, "most steps from an initial state; 0 for no limit")
	flags.StringVar(&o.memory, "max-memory", defaultMemory, "most memory for the states, a `quantity` like 4Gi; 0 for no limit")
	flags.IntVar(&o.trial.Workers, "workers", 0, "threads that explore, 0 for one per CPU; the result does not depend on it")
	flags.StringVar(&o.trial.History, "history", "", "instead of exploring, say whether the events in this `FILE`, one a line, are a behaviour of the specification; or those in each *.jsonl of a folder, or that a report of perturb or replay names")
	flags.StringVar(&o.trial.Observed, "observed", "Observed", "with --history, the `OPERATOR` that says what of the objects the variables are")
	flags.IntVar(&o.trial.Walks.Number, "simulate", 0, "look at so many random behaviours instead of all states: for models that are too large")
	flags.IntVar(&o.trial.Walks.Steps, "steps", defaultSteps, "with --simulate, most steps of a random behaviour")
	flags.Uint64Var(&o.trial.Walks.Seed, "seed", 1, "with --simulate, the number that random behaviours follow from")
	progress.Flag(flags, &o.progress)
	config.LineOnly(flags, "deadlock", "dump", "write-baseline")
	o.keeper = keep.New(cmd, t.Runs)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// complete looks at the command line.
func (o *options) complete(cmd *cobra.Command, args []string) error {
	if err := o.files(args); err != nil {
		return err
	}
	switch {
	case o.timeout < 0:
		return fmt.Errorf("--timeout is %s, and must not be negative", o.timeout)
	case o.trial.MaxStates < 0:
		return fmt.Errorf("--max-states is %d, and must not be negative", o.trial.MaxStates)
	case o.trial.MaxDepth < 0:
		return fmt.Errorf("--max-depth is %d, and must not be negative", o.trial.MaxDepth)
	case o.trial.History != "" && o.baseline.Any():
		return errors.New("--history and a baseline: what is known of a specification says nothing of a history")
	case o.trial.History != "" && o.trial.Walks.Number > 0:
		return errors.New("--history and --simulate: one of them at a time")
	case o.trial.Walks.Number < 0 || o.trial.Walks.Steps < 1:
		return fmt.Errorf("--simulate=%d --steps=%d: a number of behaviours, and of steps of at least 1, is wanted", o.trial.Walks.Number, o.trial.Walks.Steps)
	case o.trial.Workers < 0:
		return fmt.Errorf("--workers is %d, and must not be negative", o.trial.Workers)
	}
	memory, err := resource.ParseQuantity(o.memory)
	if err != nil || memory.Sign() < 0 {
		return fmt.Errorf("--max-memory is %q, and must be a quantity like 512Mi or 4Gi", o.memory)
	}
	o.trial.MaxMemory = memory.Value()
	for _, folder := range o.trial.Modules {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return fmt.Errorf("--modules %s: there is no such folder", folder)
		}
	}
	if err := o.dump(); err != nil {
		return err
	}
	if cmd.Flags().Changed("deadlock") {
		o.trial.Deadlock = &o.deadlock
	}
	o.outputs, err = output.Parse(o.formats, output.Reports)
	o.baseline.Complete(&o.outputs)
	return err
}

// dumpUsage says which formats a dump has.
func dumpUsage() string {
	var all []string
	for _, f := range dump.Formats() {
		all = append(all, "*"+f.Suffix+" "+f.Doc)
	}
	return strings.Join(all, "; ")
}

// dump looks at the files that states or behaviours are written to.
func (o *options) dump() error {
	for _, file := range o.dumps {
		f, ok := dump.Of(file)
		if !ok {
			return fmt.Errorf("--dump %s: the name says the format: %s", file, dumpUsage())
		}
		if f.Graph != nil && (o.trial.History != "" || o.trial.Walks.Number > 0) {
			return fmt.Errorf("--dump %s: all states are explored for it, which --history and --simulate do not do", file)
		}
		if err := output.Writable(file); err != nil {
			return fmt.Errorf("--dump %s: %w", file, err)
		}
		o.trial.Dumps = append(o.trial.Dumps, spec.Dump{File: file, Write: output.WriteFile})
	}
	return nil
}

// files takes the module and its configuration.
func (o *options) files(args []string) error {
	var modules, configurations []string
	for _, arg := range args {
		switch strings.ToLower(filepath.Ext(arg)) {
		case ".tla":
			modules = append(modules, arg)
		case ".cfg":
			configurations = append(configurations, arg)
		default:
			if info, err := os.Stat(arg); err == nil && info.IsDir() {
				return fmt.Errorf("%s is a folder: give the module in it that is to be checked, and --modules %s if others are only there", arg, arg)
			}
			return fmt.Errorf("%s is neither a module (.tla) nor a configuration (.cfg)", arg)
		}
	}
	switch {
	case len(modules) == 0:
		return errors.New("no module was given: a FILE.tla, and after it a FILE.cfg if that has another name")
	case len(modules) > 1:
		return fmt.Errorf("%s and %s: one module is checked at a time; those that it extends are found by themselves", modules[0], modules[1])
	case len(configurations) > 1:
		return fmt.Errorf("%s and %s: one configuration is checked at a time", configurations[0], configurations[1])
	}
	o.trial.File = modules[0]
	if len(configurations) > 0 {
		o.trial.Configuration = configurations[0]
	}
	return nil
}
