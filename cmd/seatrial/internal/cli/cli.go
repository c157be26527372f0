// Package cli is the command line: one package per command, and here what they
// share, from the arguments to the exit code.
package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/check"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/configtest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/controlplane"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/explain"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/perturb"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/replay"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/report"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/rules"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/runs"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/settle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/spec"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
)

// Trials are what the commands run.
type Trials struct {
	Check  check.Trial
	Replay replay.Trial
	// Perturb is the trial of controllers.
	Perturb perturb.Trial
	// Campaign is the trial of operators.
	Campaign campaign.Trial
	// Configtest is the trial of changed configurations.
	Configtest configtest.Trial
	// Settle is the trial of reconcilers in Go.
	Settle settle.Trial
	// Spec is the trial of specifications.
	Spec spec.Trial
	// Rules are those of all trials.
	Rules []finding.Rule
	// Runs is where runs are kept; the zero value keeps none.
	Runs runstore.Store
	// Kubernetes is the version whose code they call.
	Kubernetes string
}

// Main runs the command that args (the program's name first) ask for and
// returns the exit code. It never panics.
func Main(args []string, s *iostreams.Streams, trials Trials) (code int) {
	c := console.New(s, version())
	defer func() {
		if p := recover(); p != nil {
			crashed(c, p, debug.Stack())
			code = int(finding.CodeInternal)
		}
	}()
	ctx, stop := interruptible(context.Background(), c)
	defer stop()
	root := newRoot(c, trials, calledAs(args[0]))
	root.SetArgs(args[1:])
	err := root.ExecuteContext(ctx)
	say(c, err, root.CommandPath())
	return int(ExitCode(err))
}

// ExitCode is the one place where an error becomes an exit code. `seatrial
// help exit-codes` documents them.
func ExitCode(err error) finding.Code {
	var f *failure.Error
	switch {
	case err == nil:
		return finding.CodeHolds
	case errors.As(err, &f):
		return f.Code
	default:
		// What is not ours is cobra's, and about the command line.
		return finding.CodeInput
	}
}

// calledAs is how the user calls the program: kubectl finds it under the name of a
// plugin, and is called itself.
func calledAs(program string) string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	if plugin, is := strings.CutPrefix(name, "kubectl-"); is {
		return "kubectl " + plugin
	}
	return "seatrial"
}

// say says what went wrong, unless a report has said it. name is what the user
// calls the program.
func say(c *console.Console, err error, name string) {
	var f *failure.Error
	switch {
	case err == nil:
	case !errors.As(err, &f):
		// cobra's own message, which may suggest other commands below it.
		first, _, _ := strings.Cut(err.Error(), "\n")
		c.Fail(errors.New(first))
		c.Linef("run '%s --help' for usage", name)
	case f.Err != nil:
		c.Fail(f.Err)
		if f.Hint != "" {
			c.Line(f.Hint)
		}
	}
}

func crashed(c *console.Console, p any, stack []byte) {
	where := "; -v shows where"
	if c.Verbose > 0 {
		where = ""
	}
	first, _, _ := strings.Cut(fmt.Sprint(p), "\n")
	c.Linef("seatrial: internal error: %s (please report it with the input%s)", first, where)
	if c.Verbose > 0 {
		for _, line := range strings.Split(strings.TrimSpace(string(stack)), "\n") {
			c.Line(strings.ReplaceAll(line, "\t", "    "))
		}
	}
}

// newRoot sets none of cobra's templates: text/template looks methods up by
// name, and with it in the program the linker keeps every exported method of
// every type, which doubles the size.
func newRoot(c *console.Console, trials Trials, name string) *cobra.Command {
	root := &cobra.Command{
		Use:   "seatrial",
		Short: "sea trials for Kubernetes: check configurations before they sail",
		Long: `seatrial checks Kubernetes configurations exhaustively: it either shows how a
cluster ends in a bad state or an endless loop, step by step, or says up to
which bound it cannot.`,
		Version:       c.Version,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(c.Streams.In)
	root.SetOut(c.Streams.Out)
	root.SetErr(c.Streams.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return failure.Usage(cmd.CommandPath(), err.Error())
	})
	flags := root.PersistentFlags()
	flags.Var(console.NewChoice((*string)(&c.Color), string(iostreams.ColorAuto), string(iostreams.ColorAlways), string(iostreams.ColorNever)), "color", "colour the text")
	flags.BoolVarP(&c.Quiet, "quiet", "q", false, "findings and errors only: no progress, no warnings, no text when all holds")
	flags.CountVarP(&c.Verbose, "verbose", "v", "say more on stderr; twice for debugging")
	trials.Check.Runs, trials.Replay.Runs, trials.Perturb.Runs, trials.Settle.Runs, trials.Campaign.Runs, trials.Configtest.Runs, trials.Spec.Runs = trials.Runs, trials.Runs, trials.Runs, trials.Runs, trials.Runs, trials.Runs, trials.Runs
	config.Flag(root)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := config.Apply(cmd); err != nil {
			return failure.Input(err)
		}
		return nil
	}
	trials.Replay.Plan = func(ctx context.Context, words []string) error {
		cmd := perturb.New(c, trials.Perturb)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(append([]string{"replay"}, words...))
		return cmd.ExecuteContext(ctx)
	}
	root.AddCommand(check.New(c, trials.Check, nil), replay.New(c, trials.Replay), perturb.New(c, trials.Perturb), campaign.New(c, trials.Campaign), configtest.New(c, trials.Configtest), settle.New(c, trials.Settle), spec.New(c, trials.Spec), controlplane.New(c, nil),
		report.New(c, trials.Runs, trials.Rules), runs.New(c, trials.Runs), rules.New(c, trials.Rules),
		explain.New(c, trials.Runs, trials.Rules), config.New(c), newVersion(c, trials))
	for _, topic := range topics {
		root.AddCommand(&cobra.Command{Use: topic.name, Short: topic.title, Long: topic.text})
	}
	return root
}

// newVersion says what --version does, and which Kubernetes is meant.
func newVersion(c *console.Console, trials Trials) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "say which seatrial this is, and of which Kubernetes it calls the code",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return failure.Usage(cmd.CommandPath(), "version takes no arguments")
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			text := "seatrial " + c.Version + "\n"
			if trials.Kubernetes != "" {
				text += "Kubernetes " + trials.Kubernetes + "\n"
			}
			return c.Print(text)
		},
	}
}

// stamped is the version that the Makefile's build sets; empty in any other.
var stamped string

// version is the one that the build was stamped with, else the main module's or
// the commit, as the Go tools recorded them. Tests have none of these, so what
// they record does not depend on the commit.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(stamped, info)
}

// versionOf picks a version; info may be nil.
func versionOf(stamped string, info *debug.BuildInfo) string {
	if stamped != "" {
		return stamped
	}
	const devel = "devel"
	if info == nil {
		return devel
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	recorded := map[string]string{}
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	commit := recorded["vcs.revision"]
	if commit == "" {
		return devel
	}
	const letters = 12
	commit = commit[:min(letters, len(commit))]
	if recorded["vcs.modified"] == "true" {
		commit += "-dirty"
	}
	return devel + "-" + commit
}
