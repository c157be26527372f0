package configtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/finding"
)

const mapLong = `Map says of every test of a module which parameters it reads, and which it sets itself. What is
seen is kept, and only tests whose code has changed run again.

The map is YAML on standard output, the same text for the same code, so that it can be
committed and reviewed. --check compares it with a file: if they do not say the same, it says in
what, and exits with 1. A test that says of itself which parameters it is about
(docs/configtest.md), where that is not so, is exit code 1, too.`

const mapExamples = `  seatrial configtest map -C examples/configtest/thumbs > map.yaml
  seatrial configtest map -C examples/configtest/thumbs --check=map.yaml
  seatrial configtest map -C examples/configtest/janitor --shard=1/4 ./...`

// shownDifferences are as many as a person looks at.
const shownDifferences = 20

type mapOptions struct {
	common
	check string
}

func newMap(c *console.Console, t Trial) *cobra.Command {
	o := &mapOptions{}
	cmd := &cobra.Command{
		Use: "map [flags] [PACKAGE...]", Short: "which test reads which parameter?",
		Long: mapLong, Example: mapExamples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, c, t, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	o.register(cmd)
	flags.StringVar(&o.shard, "shard", "", "run one part of several of the packages: `PART/OF`, as 1/4")
	flags.StringVar(&o.check, "check", "", "print nothing, and exit with 1 if the map is not that of a `FILE`")
	config.LineOnly(flags, "fresh", "shard", "check")
	return cmd
}

func (o *mapOptions) run(cmd *cobra.Command, c *console.Console, t Trial, packages []string) error {
	options, progress, err := o.options(cmd, c, packages)
	if err != nil {
		return err
	}
	var before *parameter.Map
	if o.check != "" {
		text, err := os.ReadFile(o.check)
		if err == nil {
			before, err = parameter.Parse(o.check, text)
		}
		if os.IsNotExist(err) {
			err = fmt.Errorf("--check=%s: there is no such file: make it with seatrial configtest map", o.check)
		}
		if err != nil {
			return failure.Input(err)
		}
	}
	ctx, cancel := o.limited(cmd.Context())
	defer cancel()
	m, err := t.Map(ctx, options)
	progress.End()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		c.Fail(fmt.Errorf("the time is over: what was seen of packages that are done is kept, and the next run goes on with the others"))
		return failure.Found(finding.CodeInconclusive)
	case ctx.Err() != nil:
		return failure.Found(finding.CodeInterrupted)
	case err != nil:
		return failed(err)
	}
	text, err := m.Marshal()
	if err != nil {
		return failure.Internal(err)
	}
	var untrue error
	for _, says := range m.Untrue() {
		c.Fail(errors.New(says))
		untrue = failure.Found(finding.CodeViolated)
	}
	if before == nil {
		if _, err := c.Streams.Out.Write(text); err != nil {
			return err
		}
		return untrue
	}
	differs := m.Differs(before)
	if len(differs) == 0 {
		return untrue
	}
	says := strings.Join(differs[:min(len(differs), shownDifferences)], "\n  ")
	if more := len(differs) - shownDifferences; more > 0 {
		says += fmt.Sprintf("\n  and %d more", more)
	}
	c.Fail(fmt.Errorf("%s is not the map of the code as it is: make it anew with seatrial configtest map\n  %s", o.check, says))
	return failure.Found(finding.CodeViolated)
}
