package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/journal"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// run runs a campaign.
func run(cmd *cobra.Command, c *console.Console, t Trial, o *options, outputs output.Plan) error {
	o.keeper.Begin(c)
	outputs.Announce(c)
	in, err := input.Load(o.given)
	if err != nil {
		return failure.Input(err)
	}
	if !o.list || in.Definition == nil { // a list of what is known without it needs no program
		if _, err := in.Controller.Executable(); err != nil {
			return failure.Input(err)
		}
		for i := range in.Oracles {
			if err := in.Oracles[i].Executable(); err != nil {
				return failure.Input(err)
			}
		}
	}
	trial := campaign.Options{Input: in, Cluster: o.place(), Parallel: o.parallel, Most: o.most, Operations: o.operations, Findings: o.findings, Now: time.Now, Version: c.Version, ListOnly: o.list}
	if trial.Cluster != nil && !reflect.DeepEqual(in.Plane, admin.Spec{}) {
		c.Notice("warning: what the campaign says of its plane is not used: the cluster is as it is")
	}
	ctx, cancel := o.limit(cmd.Context())
	defer cancel()
	if o.timeout > 0 {
		trial.Until = time.Now().Add(o.timeout)
	}
	p := c.Progress()
	trial.Progress = func(s campaign.Progress) { p.Tell(s.What, told(s)) }
	if !o.list {
		j, known, err := openJournal(journalFolder(c, t, o), in, head{Version: c.Version, Operations: trial.Operations, Cluster: trial.Cluster}, o.resume)
		if err != nil {
			c.Notice("warning: what is done is not noted for --resume: %v", err)
		}
		defer j.Close()
		if o.resume && len(known) == 0 {
			c.Notice("warning: there is nothing to go on with: this campaign begins anew")
		}
		trial.Known, trial.Done = known, func(r *campaign.Result) {
			if r.ID != "" { // the seed's has none
				j.Note(r)
			}
			if c.Verbose > 0 {
				c.Line(lineOf(r))
			}
		}
	}
	outcome, err := t.Campaign(ctx, trial)
	p.End()
	interrupted := ctx.Err() != nil
	if err != nil && !interrupted {
		if outcome == nil || len(outcome.Results) == 0 {
			return failed(in, outcome, err)
		}
		c.Fail(err) // what was found until then is said
		interrupted = true
	}
	if outcome == nil || outcome.Plan == nil {
		return failure.Internal(errors.Join(err, ctx.Err()))
	}
	if o.list && err == nil {
		return list(c, outcome)
	}
	// That the time is over is no interruption: the report counts what was not tried.
	outcome.Interrupted = cmd.Context().Err() != nil || interrupted && ctx.Err() == nil
	findings := findingFolder{folderOf(t, o), c.Version, in, o.where()}
	r := outcome.Report(in.Name, func(number int) string {
		how, err := findings.write(number, outcome.Findings[number])
		if err != nil {
			c.Notice("warning: a finding is not written: %v", err)
			return "the same command"
		}
		return how
	})
	if len(in.Unreachable) > 0 {
		r.Assumptions = append(r.Assumptions, "what the operator wants of pods by "+strings.Join(in.Unreachable, " and ")+" is not there: that its status or its log says so is not held against it, and what it does then is not what it does in a cluster")
	}
	r.Version, r.Command = c.Version, o.repeat(cmd)
	d := output.Document{Report: r, Rules: t.Rules, Facts: facts(outcome)}
	written, err := outputs.Write(c, d)
	code := finding.Worst(r.Code(), written)
	o.keeper.End(c, keep.Kept{Document: d, Verdict: string(r.Verdict), Code: code, Command: r.Command, Inputs: o.inputs()})
	return failure.With(code, err)
}

// limit is the time that there is.
func (o *options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.timeout > 0 {
		return context.WithTimeout(ctx, o.timeout)
	}
	return ctx, func() {}
}

// failed says whose fault an error is.
func failed(in *input.Input, outcome *campaign.Outcome, err error) error {
	var login *kubeconfig.Error
	var controller *stage.ControllerError
	var setup *stage.SetupError
	var given *experiment.Error
	var operator *campaign.OperatorError
	var refused *campaign.RefusedError
	switch {
	case errors.As(err, &login):
		return failure.Input(login)
	case errors.As(err, &given), in.Definition != nil && outcome != nil && outcome.Plan == nil:
		return failure.Input(err) // no plan can be made of what was given
	case errors.As(err, &setup):
		return failure.Input(fmt.Errorf("%s: %w", setup.Place(in.Setup, in.SeedPlace), err))
	case errors.As(err, &controller):
		return failure.Input(fmt.Errorf("%s: %w", cmp.Or(in.ControllerPlace, in.SeedPlace), err))
	case errors.As(err, &operator), errors.As(err, &refused):
		return failure.Input(fmt.Errorf("%s: %w", in.SeedPlace, err))
	}
	return failure.Internal(err)
}

// lineOf says what became of a sequence.
func lineOf(r *campaign.Result) string {
	refused, wrong := 0, 0
	for _, s := range r.Steps {
		if s.Refused != "" {
			refused++
		}
		wrong += s.Wrong
	}
	return fmt.Sprintf("sequence %d: %d operations in %s, %d refused, %d differences", r.Number+1, len(r.Steps), r.Took.Round(10*time.Millisecond), refused, wrong)
}

// facts are figures of the run.
func facts(o *campaign.Outcome) []report.Fact {
	operations := 0
	for _, r := range o.Results {
		operations += len(r.Steps)
	}
	per := ""
	if operations > 0 {
		per = fmt.Sprintf(", %s an operation", (o.Running / time.Duration(operations)).Round(10*time.Millisecond))
	}
	return []report.Fact{
		{Name: "operations", Value: fmt.Sprintf("%d of %d, in %d runs", operations, o.Plan.Operations(), o.Runs)},
		{Name: "learning", Value: o.Learning.Round(10 * time.Millisecond).String()},
		{Name: "running", Value: o.Running.Round(10*time.Millisecond).String() + per},
		{Name: "reducing", Value: o.Reducing.Round(10 * time.Millisecond).String()},
	}
}

// notRepeated are flags on which the outcome does not depend.
var notRepeated = map[string]bool{"output": true, "parallel": true, "resume": true, "list": true, "save": true, "color": true, "quiet": true, "verbose": true, "timeout": true, "config": true, "reproductions": true}

// repeat is the command that repeats the campaign.
func (o *options) repeat(cmd *cobra.Command) string {
	words := []string{"seatrial", "campaign"}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || notRepeated[f.Name] {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			words = append(words, shell.Quote("--"+f.Name+"="+v))
		}
	})
	if o.given.File != "" {
		words = append(words, shell.Quote(o.given.File))
	}
	return strings.Join(words, " ")
}

// inputs are the files that the run is of.
func (o *options) inputs() (all []runstore.Input) {
	for _, file := range []string{o.given.File, o.given.Seed} {
		if file == "" {
			continue
		}
		if sum, n, err := journal.File(file); err == nil {
			all = append(all, runstore.Input{File: file, SHA256: sum, Bytes: int(n)})
		}
	}
	return all
}
