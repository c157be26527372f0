package configtest

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
	"github.com/seatrial/seatrial/finding"
)

const generateLong = `Generate tries valid and invalid values of parameters, one at a time, with the tests of a Go
module that read them: numbers near the known one and at bounds, durations, sizes, words
that the code knows, addresses, and what is none of these.

It reports valid values with which a test fails though nothing refuses them, and invalid
ones that are taken without a word: no loader, validation or test refuses them. What has
one cause is one finding.

FILE is a configuration, as for diff: its parameters are tried, next to the values that
it has. Without a file all parameters are tried that tests read, next to their defaults.`

const generateExamples = `  seatrial configtest generate -C examples/configtest/thumbs examples/configtest/thumbs/generate/batch.yaml
  seatrial configtest generate -C examples/configtest/gateway --parameter=GATEWAY_COMPRESS examples/configtest/gateway/config.yaml`

type generateOptions struct {
	common
	file         string
	packages     []string
	outputs      []string
	parameters   []string
	perParameter int
	start        startFlags
	keeper       *keep.Keeper
}

func newGenerate(c *console.Console, t Trial) *cobra.Command {
	o := &generateOptions{}
	cmd := &cobra.Command{
		Use: "generate [flags] [FILE] [PACKAGE...]", Short: "which values does the program not withstand, or not refuse?",
		Long: generateLong, Example: generateExamples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.packages = args; len(args) > 0 && !isPackage(args[0]) {
				o.file, o.packages = args[0], args[1:]
			}
			return o.run(cmd, c, t)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	o.register(cmd)
	o.registerChoice(cmd)
	o.testTimeout = configtest.DefaultGenerateTimeout
	flags.Lookup("test-timeout").DefValue = o.testTimeout.String()
	flags.StringArrayVar(&o.parameters, "parameter", nil, "try values of this `PARAMETER` only, by its name or as map has it; again for more")
	flags.IntVar(&o.perParameter, "per-parameter", configtest.DefaultMost, "try at most `N` values of each parameter")
	o.start.register(flags, "with each value, too")
	config.LineOnly(flags, "fresh")
	o.keeper = keep.New(cmd, t.Runs)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// isPackage tells a pattern of packages from a file.
func isPackage(arg string) bool {
	if strings.HasSuffix(arg, "...") {
		return true
	}
	info, err := os.Stat(arg)
	if err != nil {
		return strings.HasPrefix(arg, "./") && !strings.ContainsAny(arg[2:], ".:") // it may be of the folder of the module
	}
	return info.IsDir()
}

func (o *generateOptions) run(cmd *cobra.Command, c *console.Console, t Trial) error {
	outputs, err := output.Parse(o.outputs, output.Reports)
	if err != nil {
		return failure.Usage(cmd.CommandPath(), err.Error())
	}
	options, progress, err := o.options(cmd, c, o.packages)
	if err != nil {
		return err
	}
	if o.perParameter < 1 {
		return failure.Usage(cmd.CommandPath(), fmt.Sprintf("--per-parameter=%d: it has to be 1 or more", o.perParameter))
	}
	if options.Start, err = o.start.options(cmd); err != nil {
		return err
	}
	o.keeper.Begin(c)
	outputs.Announce(c)
	of := configtest.Generating{Parameters: o.parameters, Most: o.perParameter}
	if o.file != "" {
		v, err := version(cmd.Context(), o.file)
		if err != nil {
			return failure.Input(err)
		}
		of.File = &v
	}
	ctx, cancel := o.limited(cmd.Context())
	defer cancel()
	generation, err := t.Generate(ctx, options, of)
	progress.End()
	if generation == nil && ctx.Err() != nil {
		generation, err = &configtest.Generation{Interrupted: true}, nil
	}
	if generation == nil || err != nil && ctx.Err() == nil {
		return failed(err)
	}
	r := generation.Report(o.directory)
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

// repeat is the command that repeats the run.
func (o *generateOptions) repeat() string {
	words := append([]string{"seatrial", "configtest", "generate"}, o.words(configtest.DefaultGenerateTimeout)...)
	for _, p := range o.parameters {
		words = append(words, "--parameter="+shell.Quote(p))
	}
	if o.perParameter != configtest.DefaultMost {
		words = append(words, fmt.Sprintf("--per-parameter=%d", o.perParameter))
	}
	words = append(words, o.start.words()...)
	if o.file != "" {
		words = append(words, shell.Quote(o.file))
	}
	for _, p := range o.packages {
		words = append(words, shell.Quote(p))
	}
	return strings.Join(words, " ")
}
