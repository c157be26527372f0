// Package settle is `seatrial settle`: the tests of a Go module that call settle.Check, and
// one report of them.
package settle

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/settle"
	"github.com/seatrial/seatrial/finding"
)

// Trial is what the command runs.
type Trial struct {
	Runs  runstore.Store
	Rules []finding.Rule
	// Settle finds the tests and runs them.
	Settle func(context.Context, settle.Options) (*settle.Outcome, error)
}

type options struct {
	directory string
	packages  []string
	outputs   []string
	run       string
	tags      string
	maxStates int
	workers   int
	timeout   time.Duration
	fresh     bool
	keeper    *keep.Keeper
}

const long = `Settle runs the tests of a Go module that call settle.Check, and makes one report of
what they find: whether reconcilers, as they are, come to what is desired and stay
there, under every order of what happens and every fault that the tests name.

PACKAGE is what 'go test' takes, ./... without any. Only tests that call settle.Check
are run; they are built by the go command in PATH, in the module's own versions.
docs/settle.md shows how to write one.

A trace that fails is kept beside the test, in testdata/settle, and the next run
begins with it; --fresh neither looks for such traces nor keeps any. The flags for
bounds are instead of what the tests say.`

const examples = `  seatrial settle ./...
  seatrial settle -C examples/settle --run TestBuggy ./generatedname
  seatrial settle --max-states=100000 --timeout=5m -o html=report.html ./internal/controller`

// New returns the command.
func New(c *console.Console, t Trial) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "settle [flags] [PACKAGE...]", Short: "do reconcilers settle, whatever happens on the way?",
		Long: long, Example: examples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.packages = args; len(args) == 0 {
				o.packages = []string{"./..."}
			}
			outputs, err := o.check(cmd)
			if err != nil {
				return err
			}
			return run(cmd.Context(), c, t, o, outputs)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	flags.StringVarP(&o.directory, "directory", "C", "", "the `FOLDER` of the module; packages are relative to it")
	flags.StringVar(&o.run, "run", "", "run the tests that match `REGEXP` only, as go test does")
	flags.StringVar(&o.tags, "tags", "", "build tags, apart by commas")
	flags.IntVar(&o.maxStates, "max-states", 0, "explore no more than `N` states in each test; 0 for what the tests say")
	flags.IntVar(&o.workers, "workers", 0, "explore with `N` goroutines in each test; 0 for what the tests say")
	flags.DurationVar(&o.timeout, "timeout", 0, "end all searches after this long, and say what was found; 0 for never")
	flags.BoolVar(&o.fresh, "fresh", false, "follow no trace that was kept, and keep none")
	config.LineOnly(flags, "run", "fresh")
	cmd.AddCommand(newExport(c))
	o.keeper = keep.New(cmd, t.Runs)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check looks at the flags.
func (o *options) check(cmd *cobra.Command) (output.Plan, error) {
	usage := func(format string, args ...any) (output.Plan, error) {
		return output.Plan{}, failure.Usage(cmd.CommandPath(), fmt.Sprintf(format, args...))
	}
	if _, err := regexp.Compile(o.run); err != nil {
		return usage("--run=%s: %v", o.run, err)
	}
	for _, f := range []struct {
		name  string
		value int
	}{{"max-states", o.maxStates}, {"workers", o.workers}} {
		if f.value < 0 {
			return usage("--%s=%d: it has to be 0 or more", f.name, f.value)
		}
	}
	if o.timeout < 0 {
		return usage("--timeout=%v: it has to be more than nothing", o.timeout)
	}
	outputs, err := output.Parse(o.outputs, output.Reports)
	if err != nil {
		return usage("%s", err)
	}
	return outputs, nil
}
