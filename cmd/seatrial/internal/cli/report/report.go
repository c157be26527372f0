// Package report is `seatrial report`: from a run that was kept to any format.
package report

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/stored"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
)

var long = `Report shows a run again, in any format. RUN is an id that 'seatrial runs' lists, or
the beginning of one, or latest; or a file that -o json wrote, or - for standard
input.

-o takes a format, and after = the file to write it to. It may be given several
times. If no -o names standard output, the text goes there. The formats are

` + output.Help() + `

Nothing is judged anew: the exit code is 0 if the run could be shown.`

const examples = `  seatrial report latest
  seatrial report latest -o sarif=seatrial.sarif -o junit=seatrial.xml
  seatrial report report.json -o markdown`

// New returns the command.
func New(c *console.Console, store runstore.Store, rules []finding.Rule) *cobra.Command {
	var flags []string
	cmd := &cobra.Command{
		Use: "report [flags] RUN", Short: "show a run again, in any format",
		Long: long, Example: examples, DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("report takes one RUN, and %d were given; latest is the last one", len(args)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			result, err := stored.Open(c, store, args[0])
			if err != nil {
				return failure.Input(err)
			}
			kind := output.Reports
			if result.Document.Simulation != nil {
				kind = output.Walks
			}
			plan, err := output.Parse(flags, kind)
			if err != nil {
				return failure.Usage(cmd.CommandPath(), err.Error())
			}
			plan.Announce(c)
			if without := result.Run.Shortened; without != "" {
				c.Notice("warning: run %s was kept without %s, for which it is too long", result.Name, without)
			}
			result.Document.Rules = ofTrial(rules, result.Document.Report)
			code, err := plan.Write(c, result.Document)
			return failure.With(code, err)
		},
		ValidArgsFunction: Complete(store),
	}
	cmd.Flags().StringArrayVarP(&flags, "output", "o", nil, output.Usage)
	// It fails for a flag that is not there, or twice: neither can be.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// ofTrial are the rules of the trial that a report is of, as that has them itself.
func ofTrial(rules []finding.Rule, r *finding.Report) []finding.Rule {
	trial := "check"
	if r != nil {
		for _, result := range r.Results {
			if rule := finding.FindRule(rules, result.Rule); result.Rule != "" && rule != nil {
				trial = rule.Trial
				break
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(rule finding.Rule) bool { return rule.Trial != trial })
}

// Complete lets shells complete the ids of runs, and files.
func Complete(store runstore.Store) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		names := []cobra.Completion{runstore.Latest}
		all, err := store.List()
		if err != nil {
			return names, cobra.ShellCompDirectiveDefault
		}
		for _, l := range all {
			names = append(names, cobra.CompletionWithDesc(l.ID, l.Run.Verdict+" "+l.Run.Command))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}
