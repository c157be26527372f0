package configtest

import (
	"context"
	"fmt"
	"os"
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
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/finding"
)

const diffLong = `Diff says what breaks when a configuration changes from OLD to NEW: it finds the tests of a
Go module that read what differs, runs them with the old values and with the new ones,
and names the smallest part of the change with which a test fails.

OLD and NEW are files (YAML, JSON, TOML, INI, properties, .env; of others the lines), ConfigMaps, Secrets and workloads
with the arguments and variables of their containers, or any of them as git has it: main:deploy/config.yaml.
They are looked for in the working directory, wherever the module is.

With --components they are what a cluster is told: folders of manifests, charts with their values, kustomizations, or
any of them as git has it, main:deploy. Both are rendered, with the helm, kustomize or kubectl in PATH, and each program
whose image is in the file is judged by its own tests, under all that its containers are told.

A test that passes says something only of a value that it was seen to read: a change that
no test reads is listed as not exercised, and the verdict is then inconclusive (exit code 3).`

const diffExamples = `  seatrial configtest diff -C examples/configtest/thumbs examples/configtest/thumbs/config.yaml examples/configtest/thumbs/seeded/no-cache.yaml
  seatrial configtest diff -C examples/configtest/gateway -o sarif=config.sarif examples/configtest/gateway/config.yaml examples/configtest/gateway/seeded/longer.yaml
  seatrial configtest diff --components examples/configtest/shared/seatrial.components.yaml examples/configtest/shared/manifests.yaml examples/configtest/shared/seeded/less-patience.yaml`

type diffOptions struct {
	common
	before, after string
	packages      []string
	outputs       []string
	budget        time.Duration
	start         startFlags
	components    componentFlags
	keeper        *keep.Keeper
}

func newDiff(c *console.Console, t Trial) *cobra.Command {
	o := &diffOptions{}
	cmd := &cobra.Command{
		Use: "diff [flags] OLD NEW [PACKAGE...]", Short: "what does a change of the configuration break?",
		Long: diffLong, Example: diffExamples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return failure.Usage(cmd.CommandPath(), "it takes OLD and NEW, two versions of a configuration")
			}
			o.before, o.after, o.packages = args[0], args[1], args[2:]
			return o.run(cmd, c, t)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	o.register(cmd)
	o.registerChoice(cmd)
	flags.DurationVar(&o.budget, "test-budget", configtest.DefaultBudget, "leave out the longest tests, but for the quickest of each change, where the others took longer when they were mapped; 0 for none")
	o.start.register(flags, "with both versions")
	o.components.register(flags)
	config.LineOnly(flags, "fresh")
	o.keeper = keep.New(cmd, t.Runs)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (o *diffOptions) run(cmd *cobra.Command, c *console.Console, t Trial) error {
	outputs, err := output.Parse(o.outputs, output.Reports)
	if err != nil {
		return failure.Usage(cmd.CommandPath(), err.Error())
	}
	if err := o.check(cmd); err != nil {
		return err
	}
	options, progress, err := o.options(cmd, c, o.packages)
	if err != nil {
		return err
	}
	if options.Budget = o.budget; o.budget < 0 {
		return failure.Usage(cmd.CommandPath(), fmt.Sprintf("--test-budget=%v: it has to be 0 or more", o.budget))
	}
	if options.Start, err = o.start.options(cmd); err != nil {
		return err
	}
	o.keeper.Begin(c)
	outputs.Announce(c)
	ctx, cancel := o.limited(cmd.Context())
	defer cancel()
	run := o.diffed
	if o.components.file != "" {
		run = o.compared
	}
	r, err := run(ctx, t, options)
	progress.End()
	if err != nil {
		return err
	}
	r.Version, r.Command = c.Version, o.repeat()
	if cmd.Context().Err() == nil {
		r.Interrupted = false // it was --timeout
	}
	d := output.Document{Report: r, Rules: t.Rules}
	written, err := outputs.Write(c, d)
	code := finding.Worst(d.Report.Code(), written)
	o.keeper.End(c, keep.Kept{Document: d, Verdict: string(d.Report.Verdict), Code: code, Command: d.Report.Command})
	return failure.With(code, err)
}

// version reads one of the two.
func version(ctx context.Context, name string) (v configtest.Version, err error) {
	v.Name = name
	if v.Text, err = change.Contents(ctx, "", name); err != nil {
		return v, err
	}
	if _, err := os.Stat(name); err == nil {
		if v.File, err = filepath.Abs(name); err != nil {
			return v, err
		}
	}
	v.Settings, err = change.Parse(name, v.Text)
	return v, err
}

// repeat is the command that repeats the run.
func (o *diffOptions) repeat() string {
	words := append([]string{"seatrial", "configtest", "diff"}, o.words(configtest.DefaultTimeout)...)
	if o.budget != configtest.DefaultBudget {
		words = append(words, fmt.Sprintf("--test-budget=%s", o.budget))
	}
	words = append(words, o.start.words()...)
	words = append(words, o.components.words()...)
	for _, w := range append([]string{o.before, o.after}, o.packages...) {
		words = append(words, shell.Quote(w))
	}
	return strings.Join(words, " ")
}
