package campaign

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/journal"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// load reads the finding that is looked for, with the operator that is wanted.
func (o *options) load() (*reproduction.Reproduction, *campaign.Options, error) {
	text, err := experiment.ReadFile(o.reproduce)
	if err != nil {
		return nil, nil, err
	}
	r, err := reproduction.Decode(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", o.reproduce, err)
	}
	in, err := r.Input(o.reproduce)
	if err != nil {
		return nil, nil, err
	}
	if o.given.Operator != "" {
		if err := in.Operate(o.given.Operator); err != nil {
			return nil, nil, fmt.Errorf("--operator %s: %w", o.given.Operator, err)
		}
	}
	if _, err := in.Controller.Executable(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w; --operator says where it is now", o.reproduce, err)
	}
	return r, &campaign.Options{Input: in, Cluster: o.place(), Parallel: o.parallel, Now: time.Now}, nil
}

// reproduce looks for a finding again.
func reproduce(cmd *cobra.Command, c *console.Console, t Trial, o *options, outputs output.Plan) error {
	o.keeper.Begin(c)
	outputs.Announce(c)
	r, trial, err := o.load()
	if err != nil {
		return failure.Input(err)
	}
	if r.Version != c.Version {
		c.Notice("warning: %s was made by seatrial %s, this is %s: what it found may have another name now", o.reproduce, r.Version, c.Version)
	}
	ctx, cancel := o.limit(cmd.Context())
	defer cancel()
	p := c.Progress()
	trial.Progress, trial.Version = func(s campaign.Progress) { p.Tell(s.What, told(s)) }, c.Version
	outcome, err := t.Reproduce(ctx, r, *trial)
	p.End()
	if err != nil && ctx.Err() == nil {
		return failed(trial.Input, nil, err)
	}
	outcome.Outcome.Interrupted = cmd.Context().Err() != nil
	command := "seatrial campaign --reproduce=" + shell.Quote(o.reproduce)
	if o.given.Operator != "" {
		command += " --operator=" + shell.Quote(o.given.Operator)
	}
	command += o.where()
	document := output.Document{Report: outcome.Report(command), Rules: t.Rules, Facts: []report.Fact{
		{Name: "runs", Value: fmt.Sprint(outcome.Outcome.Runs)}, {Name: "learning", Value: outcome.Outcome.Learning.Round(10 * time.Millisecond).String()},
	}}
	document.Report.Version, document.Report.Command = c.Version, command
	written, err := outputs.Write(c, document)
	code := finding.Worst(document.Report.Code(), written)
	o.keeper.End(c, keep.Kept{Document: document, Verdict: string(document.Report.Verdict), Code: code, Command: command, Inputs: o.reproduced()})
	return failure.With(code, err)
}

// where are the flags that say on which cluster it happens.
func (o *options) where() string {
	words := ""
	for _, f := range []struct{ name, value string }{{"kubeconfig", o.cluster.Kubeconfig}, {"context", o.cluster.Context}} {
		if f.value != "" {
			words += " " + shell.Quote("--"+f.name+"="+f.value)
		}
	}
	if o.disposable {
		words += " --disposable"
	}
	return words
}

// reproduced is the file that a run is of.
func (o *options) reproduced() []runstore.Input {
	sum, n, err := journal.File(o.reproduce)
	if err != nil {
		return nil
	}
	return []runstore.Input{{File: o.reproduce, SHA256: sum, Bytes: int(n)}}
}
