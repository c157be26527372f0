// Package check is `seatrial check`: from the paths on the command line to the
// verdict on a cluster configuration.
package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/baseline"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/progress"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// ErrInterrupted is the cause of a context that the user cancelled.
var ErrInterrupted = errors.New("interrupted")

// Trial is what the command runs.
type Trial struct {
	// Load is given to the manifest loader.
	Load manifest.Options
	// Rules are all that a check knows by name.
	Rules []finding.Rule
	// Runs is where runs are kept.
	Runs runstore.Store
	// Check explores the cluster. When its context is cancelled it returns what
	// it has; an error means that the check itself failed.
	Check func(ctx context.Context, in *manifest.Input, l Limits) (*finding.Report, error)
	// Simulate takes one random walk; its errors are those of Check.
	Simulate func(ctx context.Context, in *manifest.Input, l Limits, w Walk) (*finding.Simulation, error)
}

// Limits are the budgets and settings of one check.
type Limits struct {
	// Timeout is the longest time to explore; 0 means no bound.
	Timeout time.Duration
	// MaxStates bounds the distinct states; 0 means no bound.
	MaxStates int
	// MaxMemory bounds the bytes the engine holds; 0 means no bound.
	MaxMemory int64
	// Workers is the number of goroutines; 0 means one per CPU.
	Workers int
	// Strict lets slow loops act at any time.
	Strict bool
	// Exact checks the cluster as given: nothing grows.
	Exact bool
	// Grow turns Node objects into pools that grow.
	Grow bool
	// Full searches every interleaving at every size.
	Full bool
	// Accept names what is left out of account and accepted.
	Accept []string
	// All goes on after the first violation until every property is decided.
	All bool
	// Properties and Events, if there are any, are the only ones.
	Properties, Events []string
	// Progress is called at most once a second; nil for none.
	Progress func(statespace.Progress)
	// Asked, if set, is called at the end with what real code was asked. It needs
	// the Clock, which gives the time since some moment; nothing else does.
	Asked func([]Asked)
	Clock func() time.Duration
}

// Asked is how often Kubernetes' own code was asked one sort of question. Missed
// are those whose answer was not remembered, Spent the time of them all.
type Asked struct {
	What          string
	Times, Missed int64
	Spent         time.Duration
}

// Walk is what a random walk depends on besides the input and the limits.
type Walk struct {
	Seed  uint64
	Steps int
}

// Options are the parsed command line.
type Options struct {
	Paths    []string
	Outputs  output.Plan
	Limits   Limits
	Progress string
	// StrictInput takes every document of a folder for a manifest.
	StrictInput bool
	// Simulate asks for a random walk instead of a check.
	Simulate bool
	Walk     Walk

	memory   string
	outputs  []string
	baseline baseline.Known
	suggest  suggest
	keeper   *keep.Keeper
	// sources are what is read beside Paths.
	sources input.Sources
	// paths are checked if no PATH is given.
	paths []string
}

const (
	seedDefault  = 1
	stepsDefault = 100
	stepsMax     = 100_000
)

var long = `Check explores everything that the controllers, the scheduler, the kubelet and
the events of the scenario can do to the given cluster, in every order. It
prints either the shortest sequence of steps that violates a property, with the
lines of the manifests that take part, or the bound up to which all hold.

A PATH is a file, a folder with everything below it, or - for standard input.
Manifests are plain Kubernetes YAML or JSON; one of the objects may be a
Scenario (docs/scenario.md), which says what happens to the cluster. What is no
manifest in a folder, such as templates and values, is listed and set aside;
in a file that is named it is an error.

-k DIR and --helm CHART are rendered by the kustomize (or kubectl) and the helm
in PATH, and go with the paths: a Scenario beside a chart, for example.

--context CONTEXT reads a cluster of the kubeconfig, as do --kubeconfig and -A for
the current context: nodes, workloads, autoscalers, budgets, and the configuration
of the scheduler and the descheduler where a ConfigMap has it. Nothing in the
cluster is changed, and what cannot be read is said (docs/input.md).

-o takes a format, and after = the file to write it to. It may be given several
times. If no -o names standard output, the text goes there. The formats are

` + output.Help() + `

The search ends with the first violation. --all goes on until every property has
a verdict of its own, and shows each violation.

What is known already need not count: an annotation seatrial.dev/ignore of the object
with a reason, or a --baseline, which --write-baseline makes (docs/runs.md).

--suggest looks for small changes of the manifests that mend what is violated, checks
each of them with the same limits, and shows those with which all is well, the smallest
first (docs/suggest.md); --suggest=FILE also writes them as a patch for git apply.

--property and --event narrow a check to some of the rules and properties, and
to some of the events of the Scenario; --event none lets nothing happen.

--simulate checks nothing. It shows one random walk of the cluster, step by step,
until it is at rest; the same --seed shows the same walk.

Node objects are taken as they are. What a Scenario leaves open, the size of a
pool or the replicas of a workload, takes every value up to the confident size,
6 nodes a pool and 6 pods a node, from the smallest; --exact keeps to the least,
--grow does the same with the Node objects.
Above 3 nodes a pool or 9 pods what cannot matter to a property is left out of
the states (docs/adr/0009), and the verdict says so; --full never leaves it out.
Without nodes and without a Scenario, docs/defaults.md says what is assumed.`

const examples = `  seatrial check deploy/
  seatrial check -o json=report.json deploy/ scenario.yaml
  seatrial check -k deploy/overlays/prod scenario.yaml
  seatrial check --helm charts/web --values prod.yaml -n shop
  jsonnet deploy.jsonnet | seatrial check --timeout=5m -
  seatrial check --all --property=replicas-settle --property=pods-run deploy/
  seatrial check --suggest=fix.patch deploy/
  seatrial check --simulate --seed=7 --event=drain deploy/
  seatrial check --accept=StatefulSet/default/db deploy/`

// New returns the command. A test may give runF to see the parsed options
// instead of running them; otherwise it is nil.
func New(c *console.Console, t Trial, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:                   "check [flags] [PATH…|-]",
		Short:                 "check a cluster configuration exhaustively",
		Long:                  long,
		Example:               examples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Paths = args; len(args) == 0 {
				o.Paths = o.paths
			}
			err := o.complete(c)
			if err == nil {
				err = o.walk(cmd.Flags().Changed)
			}
			if err != nil {
				return failure.Usage(cmd.CommandPath(), err.Error())
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), c, t, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	flags.DurationVar(&o.Limits.Timeout, "timeout", 0, "longest time to explore, like 90s or 10m; 0 for no limit")
	flags.IntVar(&o.Limits.MaxStates, "max-states", 0, "most distinct states to explore; 0 for no limit")
	flags.StringVar(&o.memory, "max-memory", "4Gi", "most memory for the states, a `quantity` like 4Gi; 0 for no limit")
	flags.BoolVar(&o.Limits.Exact, "exact", false, "check the cluster as given only: pools and variable replicas at their least")
	flags.BoolVar(&o.Limits.Grow, "grow", false, "turn Node objects into pools from none to 6 nodes that are alike")
	flags.BoolVar(&o.Limits.Full, "full", false, "search every interleaving at every size, without reductions")
	flags.BoolVar(&o.Limits.Strict, "strict", false, "let slow loops (HPA, descheduler) act at any time, not only when the fast controllers are idle")
	flags.BoolVar(&o.Limits.All, "all", false, "go on after the first violation and report every one")
	flags.StringArrayVar(&o.Limits.Properties, "property", nil, "check only the rule with this id or `NAME`, or the scenario's property; repeatable")
	flags.StringArrayVar(&o.Limits.Events, "event", nil, "let only the scenario's events of this `NAME` or type happen; none for no event; repeatable")
	flags.BoolVar(&o.Simulate, "simulate", false, "check nothing: show one random walk, step by step")
	flags.Uint64Var(&o.Walk.Seed, "seed", seedDefault, "with --simulate: the `number` that decides which walk it is")
	flags.IntVar(&o.Walk.Steps, "steps", stepsDefault, "with --simulate: the most steps to take")
	o.sources.Add(cmd)
	flags.BoolVar(&o.StrictInput, "strict-input", false, "take every document of a folder for a manifest: what is none is an error and not set aside")
	flags.IntVar(&o.Limits.Workers, "workers", 0, "threads that explore, 0 for one per CPU; the result does not depend on it")
	flags.StringArrayVar(&o.Limits.Accept, "accept", nil, "`NAME` of something left out of account that is accepted, as printed; repeatable")
	o.baseline.Add(flags)
	o.suggest.flags(flags)
	progress.Flag(flags, &o.Progress)
	flags.StringArrayVar(&o.paths, "paths", nil, "files and folders to check where no PATH is given")
	flags.Lookup("paths").Hidden = true // for configuration files
	config.LineOnly(flags, "simulate", "seed", "steps", "write-baseline")
	o.keeper = keep.New(cmd, t.Runs)
	completions(cmd, t.Load.Rules)
	return cmd
}

// complete validates the flags and works out what they mean together.
func (o *Options) complete(c *console.Console) error {
	if len(o.Paths) == 0 && !o.sources.Any() {
		return errors.New("no PATH was given; . is the current folder, - is standard input")
	}
	if err := o.sources.Complete(); err != nil {
		return err
	}
	stdin := 0
	for _, p := range o.Paths {
		switch p {
		case "":
			return errors.New("a PATH is empty")
		case "-":
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("- was given twice: standard input can be read once")
	}
	switch {
	case o.Limits.Timeout < 0:
		return fmt.Errorf("--timeout is %s, and must not be negative", o.Limits.Timeout)
	case o.Limits.MaxStates < 0:
		return fmt.Errorf("--max-states is %d, and must not be negative", o.Limits.MaxStates)
	case o.Limits.Workers < 0:
		return fmt.Errorf("--workers is %d, and must not be negative", o.Limits.Workers)
	case o.Limits.Exact && o.Limits.Grow:
		return errors.New("--exact and --grow exclude each other")
	case c.Quiet && c.Verbose > 0:
		return errors.New("-q and -v exclude each other")
	}
	for _, named := range []struct {
		flag  string
		names []string
	}{{"property", o.Limits.Properties}, {"event", o.Limits.Events}} {
		for _, name := range named.names {
			if strings.TrimSpace(name) == "" {
				return fmt.Errorf("--%s needs a name", named.flag)
			}
		}
	}
	for _, name := range o.Limits.Accept {
		if strings.TrimSpace(name) == "" {
			return errors.New("--accept needs a name, as it is printed under \"left out\"")
		}
	}
	memory, err := resource.ParseQuantity(o.memory)
	if err != nil {
		return fmt.Errorf("--max-memory is %q, and must be a quantity like 512Mi or 4Gi", o.memory)
	}
	if memory.Sign() < 0 {
		return fmt.Errorf("--max-memory is %s, and must not be negative", o.memory)
	}
	o.Limits.MaxMemory = memory.Value()
	kind := output.Reports
	if o.Simulate {
		kind = output.Walks
	}
	if o.Outputs, err = output.Parse(o.outputs, kind); err != nil {
		return err
	}
	if err := o.suggest.complete(o); err != nil {
		return err
	}
	o.baseline.Complete(&o.Outputs)
	return nil
}
