// Package campaign is `seatrial campaign`: from an operator, its schema and one custom resource
// to whether the operator always brings about what the resource says.
package campaign

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
)

// Trial is what the command runs.
type Trial struct {
	// Runs is where runs are kept; findings and what is needed to go on are beside them.
	Runs runstore.Store
	// Oracles and Masks are the names of those that there are, and Rules what is reported.
	Oracles, Masks []string
	Rules          []finding.Rule
	// Campaign runs a campaign. Beside an error it returns what it has.
	Campaign func(context.Context, campaign.Options) (*campaign.Outcome, error)
	// Reproduce looks for a finding again.
	Reproduce func(context.Context, *reproduction.Reproduction, campaign.Options) (*campaign.Reproduced, error)
}

type options struct {
	given      input.Flags
	outputs    []string
	operations int
	findings   int
	// parallel is how much is done at once, and most what that may grow to where nobody says.
	parallel   int
	most       int
	randomSeed uint64
	timeout    time.Duration
	list       bool
	resume     bool
	// cluster is one of the user's on which runs happen, if that is disposable.
	cluster    kubeconfig.Choice
	disposable bool
	// reproduce is the file of a finding to look for, and reproductions where those that are
	// found are written.
	reproduce, reproductions string
	keeper                   *keep.Keeper
}

const long = `Campaign finds out whether an operator, unmodified and as a process of its own, brings
about what its custom resource says: from every state, after every change.

It takes the command that starts the operator, its CustomResourceDefinitions and one
custom resource, the seed. From the schema it makes hundreds of operations, each a
change of the resource; it runs them one after another against a real control plane,
and compares what is there behind each with what there is when the resource has said
the same from the beginning. More oracles look for errors of the operator, endless
loops, and for what cannot be told from the resource at all.

CAMPAIGN is a file that says the same as the flags and more: values to try, oracles of
your own; docs/campaign.md describes it. What flags say comes on top, or instead.

The operator gets a KUBECONFIG; no more is asked of it. In its command and --env,
$(NAMESPACE) stands for the namespace of the seed, $(PORT_name) for a free port, a name
of your own for each, and $(KUBECONFIG) for the path of that file.

With --kubeconfig or --context, and --disposable, all of it happens on that cluster, in
which pods really run. What was in it before is not changed by seatrial.`

const examples = `  seatrial campaign --list --operator ./bin/op --crd examples/operators/kept-annotation/crd.yaml --seed examples/operators/kept-annotation/seed.yaml
  seatrial campaign --timeout=1m -o html=report.html campaign.yaml`

// New returns the command.
func New(c *console.Console, t Trial) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "campaign [flags] [CAMPAIGN]", Short: "does an operator bring about what its custom resource says, after every change?",
		Long: long, Example: examples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			outputs, err := o.check(cmd, args)
			if err != nil {
				return err
			}
			o.given.Oracles, o.given.Masks = t.Oracles, t.Masks
			if o.reproduce != "" {
				return reproduce(cmd, c, t, o, outputs)
			}
			return run(cmd, c, t, o, outputs)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	g := &o.given
	flags.StringVar(&g.Operator, "operator", "", "start the operator with this `COMMAND`, split into words as by a shell")
	flags.StringArrayVar(&g.CRDs, "crd", nil, "read CustomResourceDefinitions from `PATH`, a file or folder; repeatable. Without any, the operator brings them")
	flags.StringVar(&g.Seed, "seed", "", "begin with the custom resource in `FILE`; what else is in it is there before")
	flags.StringArrayVar(&g.Setup, "setup", nil, "apply the manifests in `PATH` before, such as roles and other CRDs; repeatable")
	flags.StringArrayVar(&g.Examples, "example", nil, "try the values of the custom resources in `PATH`, too; repeatable")
	flags.StringArrayVar(&g.Focus, "focus", nil, "change the properties at `PATH` only, such as spec.tls or spec.*.replicas; repeatable")
	flags.StringArrayVar(&g.Ignore, "ignore", nil, "do not change the properties at `PATH`; repeatable")
	flags.StringArrayVar(&g.Mask, "mask", nil, "leave out of comparisons what is at `PATTERN`, such as secrets:data; repeatable")
	flags.StringArrayVar(&g.Unmask, "unmask", nil, "compare what this `MASK` leaves out, such as volumes-kept; repeatable")
	flags.StringArrayVar(&g.Off, "off", nil, "do not ask this `ORACLE`, such as twin; repeatable")
	flags.StringArrayVar(&g.Env, "env", nil, "set `NAME=VALUE` in the operator's environment; repeatable")
	flags.StringVar(&g.ServiceAccount, "service-account", "", "let the operator do what `NAMESPACE/NAME` may, instead of everything")
	flags.StringVar(&o.cluster.Kubeconfig, "kubeconfig", "", "run on a cluster of your own, of this `FILE`, in which pods really run; it needs --disposable")
	flags.StringVar(&o.cluster.Context, "context", "", "run on a cluster of your own, that of this `CONTEXT` of the kubeconfig; it needs --disposable")
	flags.BoolVar(&o.disposable, "disposable", false, "nothing in that cluster is missed if it breaks: what is new in the campaign's namespaces is deleted between runs")
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	flags.BoolVar(&o.list, "list", false, "say what operations there are, and what of the schema is not tried, and run none")
	flags.IntVar(&o.operations, "operations", 0, fmt.Sprintf("plan no more than `N` operations; 0 for %d", operation.OperationsMax))
	flags.IntVar(&o.findings, "findings", 0, "be done when `N` findings have come again; 0 for all that there are")
	flags.Uint64Var(&o.randomSeed, "random-seed", 0, "draw what is drawn from this `NUMBER`")
	flags.IntVar(&o.parallel, "parallel", 0, "run `N` sequences at once, each on a plane of its own, or in a namespace; 0 for what the machine has cores for, and, of planes, more as long as these have nothing to do")
	flags.DurationVar(&o.timeout, "timeout", 0, "be done after this long, and say what was found; 0 for never")
	flags.BoolVar(&o.resume, "resume", false, "go on with what was interrupted: sequences that were run are not run again")
	flags.StringVar(&o.reproductions, "reproductions", "", "write findings, with a script and a Go test for each, into `FOLDER` instead of beside the runs")
	flags.StringVar(&o.reproduce, "reproduce", "", "see whether the finding in `FILE` is still so; --operator is another build to hold to it")
	config.LineOnly(flags, "list", "resume", "reproduce", "kubeconfig", "context", "disposable")
	o.keeper = keep.New(cmd, t.Runs)
	// They fail for a flag that is not there, or twice: neither can be.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("context", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return kubeconfig.Contexts(o.cluster.Kubeconfig), cobra.ShellCompDirectiveNoFileComp
	})
	_ = cmd.RegisterFlagCompletionFunc("off", cobra.FixedCompletions(t.Oracles, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// reproducible are the flags of this command that go with --reproduce.
var reproducible = []string{"reproduce", "operator", "output", "parallel", "timeout", "save", "kubeconfig", "context", "disposable"}

// unreproduced is a flag on the command line that does not; empty for none. What a configuration says
// of campaigns is not meant for it.
func unreproduced(cmd *cobra.Command) (name string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if name == "" && config.OnLine(f) && cmd.InheritedFlags().Lookup(f.Name) == nil && !slices.Contains(reproducible, f.Name) {
			name = f.Name
		}
	})
	return name
}

// place is the cluster on which runs happen; nil for planes.
func (o *options) place() *kubeconfig.Choice {
	if !o.disposable {
		return nil
	}
	return &o.cluster
}

// check looks at the command line.
func (o *options) check(cmd *cobra.Command, args []string) (output.Plan, error) {
	usage := func(format string, args ...any) (output.Plan, error) {
		return output.Plan{}, failure.Usage(cmd.CommandPath(), fmt.Sprintf(format, args...))
	}
	g := &o.given
	switch at := cmd.ArgsLenAtDash(); {
	case at >= 0:
		return usage("the operator's command is given with --operator, not behind --")
	case o.reproduce != "" && len(args) > 0:
		return usage("--reproduce takes what is done from its file: no campaign beside it")
	case o.reproduce != "":
		if name := unreproduced(cmd); name != "" {
			return usage("--reproduce takes what is done from its file: no --%s beside it; --operator is another build", name)
		}
	case len(args) > 1:
		return usage("one file with a campaign is wanted, and there are %d: %s", len(args), strings.Join(args, " "))
	case len(args) == 1:
		g.File = args[0]
	case g.Operator == "" && g.Seed == "":
		return usage("give --operator and --seed, or a file with a campaign")
	}
	for _, name := range []string{"output", "reproductions", "resume"} {
		if o.list && config.OnLine(cmd.Flags().Lookup(name)) {
			return usage("--list runs nothing, and prints its list: no --%s beside it", name)
		}
	}
	switch own := o.cluster != (kubeconfig.Choice{}); {
	case own && !o.disposable:
		return usage("a campaign deletes what it finds in its namespaces between runs: give --disposable, too, if nothing in that cluster is missed; without --kubeconfig and --context it has a control plane of its own")
	case o.disposable && !own:
		return usage("--disposable is said of a cluster: name it with --kubeconfig FILE, --context CONTEXT, or both")
	}
	for _, f := range []struct {
		name  string
		value int
	}{{"operations", o.operations}, {"findings", o.findings}, {"parallel", o.parallel}} {
		if f.value < 0 {
			return usage("--%s=%d: it has to be 0 or more", f.name, f.value)
		}
	}
	if o.timeout < 0 {
		return usage("--timeout=%v: it has to be more than nothing", o.timeout)
	}
	if slices.Contains(g.Mask, "") {
		return usage("--mask: there is no pattern")
	}
	if cmd.Flags().Changed("random-seed") {
		g.RandomSeed = &o.randomSeed
	}
	if o.parallel == 0 {
		// A run waits as long as it works, and of many operators much longer.
		processors := runtime.GOMAXPROCS(0)
		o.parallel, o.most = min(2*processors, 8), min(8*processors, 32)
	}
	outputs, err := output.Parse(o.outputs, output.Reports)
	if err != nil {
		return usage("%v", err)
	}
	return outputs, nil
}
