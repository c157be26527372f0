// Package explain is `seatrial explain`: all there is to say of a rule, or of one
// finding of a run.
package explain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/stored"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
	"github.com/seatrial/seatrial/examples"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/report/markdown"
	"github.com/seatrial/seatrial/report/text"
)

const (
	asText     = "text"
	asJSON     = "json"
	asMarkdown = "markdown"
	asYAML     = "yaml"
)

const long = `Explain says all there is to say of a RULE: what it means, what does not count, why it
is violated in Kubernetes, what people change, links, and a small example that fails,
whole. A rule is named by its id or its name; 'seatrial rules' lists them. With -o yaml
it is the example alone, to be checked. The example of a rule about controllers is a
controller, and is named only.

Of a finding it shows what is wrong, the lines of the manifests, the steps, what its
rule says of it, what people change, and the commands that repeat and replay it. RUN is
what 'seatrial report' takes: an id or the beginning of one, latest, or a file that -o
json wrote. Behind the # is the number of the finding as a text numbers them, the rule,
or the beginning of the fingerprint. A RUN by itself lists its findings.`

const usages = `  seatrial explain SEA1003
  seatrial explain drain-completes -o yaml | seatrial check -
  seatrial explain latest#1`

// folders is where the folders of the repository are.
const folders = "https://github.com/seatrial/seatrial/tree/main/"

// command is what the parts of it share.
type command struct {
	c      *console.Console
	store  runstore.Store
	rules  []finding.Rule
	format string
}

// New returns the command.
func New(c *console.Console, store runstore.Store, rules []finding.Rule) *cobra.Command {
	x := &command{c: c, store: store, rules: rules, format: asText}
	cmd := &cobra.Command{
		Use: "explain [flags] RULE|RUN#FINDING", Short: "say what a rule means, or what a finding is about and how to mend it",
		Long: long, Example: usages, DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("explain takes one RULE or RUN#FINDING, and %d were given; 'seatrial rules' lists the rules", len(args)))
			case args[0] == "":
				return failure.Usage(cmd.CommandPath(), "the RULE is empty; 'seatrial rules' lists them")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var b bytes.Buffer
			if err := x.explain(&b, args[0]); err != nil {
				return err
			}
			return c.Print(b.String())
		},
		ValidArgsFunction: x.complete,
	}
	cmd.Flags().VarP(console.NewChoice(&x.format, asText, asJSON, asMarkdown, asYAML), "output", "o", "how to say it; yaml is a rule's failing example alone")
	// It fails for a flag that is not there, or twice: neither can be.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{asText, asJSON, asMarkdown, asYAML}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// explain takes what is named for a rule first, then for a run.
func (x *command) explain(w io.Writer, name string) error {
	if r := finding.FindRule(x.rules, name); r != nil {
		return x.rule(w, *r)
	}
	run, which, one := name, "", false
	if at := strings.LastIndexByte(name, '#'); at >= 0 {
		run, which, one = name[:at], name[at+1:], true
	}
	if !one && x.unknown(name) {
		return failure.Input(errors.New(x.unknownMessage(name)))
	}
	result, err := stored.Open(x.c, x.store, run)
	if err != nil {
		return failure.Input(err)
	}
	if result.Document.Report == nil {
		return failure.Input(fmt.Errorf("%s is a random walk, which has no findings", result.Name))
	}
	if without := result.Run.Shortened; without != "" {
		x.c.Notice("warning: run %s was kept without %s, for which it is too long", result.Name, without)
	}
	if !one {
		numbered := finding.Numbered(result.Document.Report.Results)
		if len(numbered) != 1 {
			return x.list(w, result, numbered)
		}
		which = "1"
	}
	return x.finding(w, result, which)
}

// unknown tells whether there is no run and no file of that name either.
func (x *command) unknown(name string) bool {
	_, err := x.store.Open(name)
	if name == "-" || !errors.Is(err, runstore.ErrNoRun) {
		return false
	}
	_, err = os.Stat(name)
	return err != nil
}

func (x *command) unknownMessage(name string) string {
	var known []string
	for _, r := range x.rules {
		known = append(known, r.Name, r.ID)
	}
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Sprintf("%s: no such rule, and no such run; did you mean %s?", name, near)
	}
	return fmt.Sprintf("%s: no such rule, and no such run; 'seatrial rules' and 'seatrial runs' list them", name)
}

// rule says all there is to say of one.
func (x *command) rule(w io.Writer, r finding.Rule) error {
	e, err := example(r)
	if err != nil {
		return failure.Internal(err)
	}
	switch x.format {
	case asYAML:
		if e == nil {
			fails, _ := r.Commands()
			if fails == "" {
				return failure.Input(fmt.Errorf("%s has no example", r.ID))
			}
			return failure.Input(fmt.Errorf("the example of %s is a controller, and needs a clone of the repository: %s", r.ID, fails))
		}
		for i, f := range e.Files {
			if i > 0 {
				f.Text = "---\n" + f.Text
			}
			if _, err := io.WriteString(w, f.Text); err != nil {
				return failure.Internal(err)
			}
		}
		return nil
	case asJSON:
		err = reportjson.WriteExplanation(w, &finding.Explanation{Rule: &r, Example: e})
	case asMarkdown:
		_, err = io.WriteString(w, markdown.RulePage(r, e, func(folder string) string { return folders + folder }))
	default:
		err = text.WriteRule(w, r, e, x.options())
	}
	if err != nil {
		return failure.Internal(err)
	}
	return nil
}

// example is the one of a rule that the program carries; nil for a rule about
// controllers.
func example(r finding.Rule) (*finding.Example, error) {
	if r.Controller() {
		return nil, nil
	}
	return examples.Of(r.Fails, r.Holds)
}

func (x *command) options() text.Options {
	s := x.c.Streams
	return text.Options{Width: s.Width(), Color: s.ColorOut(x.c.Color), ASCII: x.c.ASCII(), Quiet: x.c.Quiet}
}
