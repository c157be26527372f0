package settle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/settle"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// grace is how long after --timeout tests are given to say what they have found.
const grace = 30 * time.Second

// run runs the tests and reports.
func run(ctx context.Context, c *console.Console, t Trial, o *options, outputs output.Plan) error {
	o.keeper.Begin(c)
	outputs.Announce(c)
	if o.directory != "" {
		if info, err := os.Stat(o.directory); err != nil || !info.IsDir() {
			return failure.Input(fmt.Errorf("-C %s: there is no such folder", o.directory))
		}
	}
	p := &progress{console: c}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	trial := settle.Options{
		Directory: o.directory, Packages: o.packages, Run: o.run, Tags: o.tags, MaxStates: o.maxStates, Workers: o.workers, Fresh: o.fresh,
		Environment: os.Environ(), Progress: p.update, Tick: tick.C,
	}
	if o.timeout > 0 {
		trial.Until = c.Now().Add(o.timeout)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout+grace)
		defer cancel()
	}
	outcome, err := t.Settle(ctx, trial)
	p.end()
	if outcome == nil && ctx.Err() != nil {
		outcome, err = &settle.Outcome{Interrupted: true}, nil // while tests were looked for
	}
	if outcome == nil || err != nil && !outcome.Begun() {
		return failed(err)
	}
	code := finding.CodeHolds
	if err != nil {
		c.Fail(err)
		code = codeOf(err)
	}
	r := outcome.Report()
	r.Version, r.Command = c.Version, o.repeat()
	return o.write(c, output.Document{Report: r, Rules: t.Rules, Facts: facts(outcome)}, outputs, code)
}

func failed(err error) error {
	if codeOf(err) == finding.CodeInput {
		return failure.Input(err)
	}
	return failure.Internal(err)
}

func codeOf(err error) finding.Code {
	var input *settle.InputError
	if errors.As(err, &input) {
		return finding.CodeInput
	}
	return finding.CodeInternal
}

// write writes the report and keeps the run. code is what went wrong beside what was found.
func (o *options) write(c *console.Console, d output.Document, outputs output.Plan, code finding.Code) error {
	written, err := outputs.Write(c, d)
	code = finding.Worst(d.Report.Code(), written, code)
	o.keeper.End(c, keep.Kept{Document: d, Verdict: string(d.Report.Verdict), Code: code, Command: d.Report.Command})
	return failure.With(code, err)
}

// facts are figures of the run.
func facts(o *settle.Outcome) (all []report.Fact) {
	for _, m := range o.Tests {
		if m.Report != nil {
			all = append(all, report.Fact{Name: m.Test, Value: fmt.Sprintf("%s, %d states, %.2f s", m.Report.Verdict, m.Report.Bound.States, m.Seconds)})
		}
	}
	return all
}

// repeat is the command that repeats the run.
func (o *options) repeat() string {
	words := []string{"seatrial", "settle"}
	for _, f := range []struct{ name, value string }{{"-C ", o.directory}, {"--run=", o.run}, {"--tags=", o.tags}} {
		if f.value != "" {
			words = append(words, f.name+shell.Quote(f.value))
		}
	}
	if o.maxStates > 0 {
		words = append(words, fmt.Sprintf("--max-states=%d", o.maxStates))
	}
	if o.workers > 0 {
		words = append(words, fmt.Sprintf("--workers=%d", o.workers))
	}
	if o.timeout > 0 {
		words = append(words, "--timeout="+o.timeout.String())
	}
	for _, p := range o.packages {
		words = append(words, shell.Quote(p))
	}
	return strings.Join(words, " ")
}
