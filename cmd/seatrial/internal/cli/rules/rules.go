// Package rules is `seatrial rules`: what the trials know by name.
//
// Its formats, and those of explain, are not those of cli/output: a list of rules has
// no verdict, no trace and no file that a pipeline waits for, and none of SARIF,
// JUnit or annotations can show it.
package rules

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/report/markdown"
	"github.com/seatrial/seatrial/report/text"
)

const (
	asText     = "text"
	asJSON     = "json"
	asMarkdown = "markdown"
)

const long = `Rules lists what seatrial knows by name. SEA1001 and so on are judged by 'seatrial
check': those with a + only where a Scenario or --property asks for them, the others
always, unless a Scenario lists other properties. SEA2001 and so on are judged by
'seatrial perturb', SEA3001 and so on by 'seatrial campaign', SEA4001 and so on by
'seatrial configtest', SEA5001 and so on by 'seatrial settle'. 'seatrial explain RULE' says all there is to say of one.

Properties of your own, in CEL, are not listed: docs/cel.md says how they are written.`

// more follows the table.
const more = "SEA1001 and so on are about configurations (seatrial check), SEA2001 and so on about controllers (seatrial perturb), SEA3001 and so on about operators (seatrial campaign), SEA4001 and so on about changed configurations (seatrial configtest), SEA5001 and so on about reconcilers in Go (seatrial settle). + is judged where a Scenario or --property asks for it. 'seatrial explain RULE' says what a rule means, why it is violated, and what people change. Properties of your own are written in CEL: docs/cel.md."

// celPage is the page of the manual on properties of the user's own.
const celPage = "https://github.com/seatrial/seatrial/blob/main/docs/cel.md"

// New returns the command.
func New(c *console.Console, all []finding.Rule) *cobra.Command {
	format := asText
	cmd := &cobra.Command{
		Use: "rules [flags]", Short: "list the rules that are checked by name",
		Long: long, Example: "  seatrial rules\n  seatrial rules -o json", DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("rules takes no arguments; 'seatrial explain %s' is about one", args[0]))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			var b bytes.Buffer
			if err := write(&b, c, all, format); err != nil {
				return failure.Internal(err)
			}
			return c.Print(b.String())
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().VarP(console.NewChoice(&format, asText, asJSON, asMarkdown), "output", "o", "how to list")
	// It fails for a flag that is not there, or twice: neither can be.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{asText, asJSON, asMarkdown}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func write(b *bytes.Buffer, c *console.Console, all []finding.Rule, format string) error {
	switch format {
	case asJSON:
		return reportjson.WriteRules(b, all)
	case asMarkdown:
		b.WriteString(markdown.Rules(all, finding.Rule.URI, celPage))
		return nil
	}
	s := c.Streams
	return text.WriteRules(b, all, more, text.Options{Width: s.Width(), Color: s.ColorOut(c.Color), ASCII: c.ASCII(), Quiet: c.Quiet})
}
