package perturb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/journal"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// run runs all plans of an experiment.
func run(ctx context.Context, c *console.Console, t Trial, o *options, outputs output.Plan) error {
	o.keeper.Begin(c)
	outputs.Announce(c)
	e, err := o.load()
	if err != nil {
		return failure.Input(err)
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	j, known, err := openJournal(journalFolder(c, t, o), e, c.Version, o.resume)
	if err != nil {
		c.Notice("warning: what is done is not noted for --resume: %v", err)
	}
	defer j.Close()
	p := c.Progress()
	trial := perturb.Options{
		Experiment: e, Patterns: o.patterns, References: o.references, Parallel: o.parallel, Confirm: o.confirm, PlansMax: o.plansMax,
		Known: known, Done: func(r *perturb.Result) {
			note(j, r)
			if c.Verbose > 0 {
				c.Linef("%s, %d runs in %s: %s %s", r.Verdict, r.Runs, r.Took.Round(10*time.Millisecond), r.Plan.Sentence, r.Reason)
			}
		}, Progress: func(s perturb.Progress) { p.Tell(s.What, told(s)) }, Now: time.Now, Version: c.Version, ListOnly: o.list,
	}
	outcome, err := t.Perturb(ctx, trial)
	p.End()
	if err != nil && ctx.Err() == nil {
		if len(outcome.Results) == 0 {
			return failed(o.file, e.Setup, err)
		}
		c.Fail(err) // what was found until then is said
		outcome.Interrupted = true
	}
	if o.list && err == nil {
		return list(c, outcome, planFolder{folderOf(t), e.Metadata.Name})
	}
	outcome.Interrupted = outcome.Interrupted || ctx.Err() != nil
	return o.conclude(c, t, e, outcome, outputs)
}

// load reads the experiment, with what the command line adds.
func (o *options) load() (*experiment.Experiment, error) {
	e, err := experiment.Load(o.file)
	if err != nil {
		return nil, err
	}
	if len(o.command) > 0 {
		e.Controller.Command = o.command
		if program := o.command[0]; strings.Contains(program, "/") {
			if e.Controller.Command[0], err = filepath.Abs(program); err != nil {
				return nil, err
			}
		}
	}
	if err := e.Setup.Add(o.setup); err != nil {
		return nil, err
	}
	_, err = e.Controller.Executable()
	return e, err
}

// failed says whose fault an error is.
func failed(file string, given experiment.Manifests, err error) error {
	var controller *stage.ControllerError
	var step *stage.StepError
	var setup *stage.SetupError
	switch {
	case errors.As(err, &step) && step.Line > 0:
		return failure.Input(fmt.Errorf("%s:%d: %w", file, step.Line, err))
	case errors.As(err, &setup):
		return failure.Input(fmt.Errorf("%s: %w", setup.Place(given, file), err))
	case errors.As(err, &controller), errors.As(err, &step):
		return failure.Input(fmt.Errorf("%s: %w", file, err))
	}
	return failure.Internal(err)
}

// conclude writes the plans that fail and the report.
func (o *options) conclude(c *console.Console, t Trial, e *experiment.Experiment, outcome *perturb.Outcome, outputs output.Plan) error {
	plans := planFolder{folderOf(t), e.Metadata.Name}
	r := outcome.Report(e.Metadata.Name, func(p *plan.Plan) string {
		path, err := plans.write(p)
		if err != nil {
			c.Notice("warning: the plan is not written: %v", err)
			return "the same command"
		}
		return "seatrial perturb replay " + shell.Quote(path)
	})
	r.Version, r.Command = c.Version, o.repeat()
	return o.write(c, output.Document{Report: r, Rules: perturb.Rules(), Facts: facts(outcome)}, outcome, outputs)
}

// write writes the report and the histories, and keeps the run.
func (o *options) write(c *console.Console, d output.Document, outcome *perturb.Outcome, outputs output.Plan) error {
	histories, failed := output.WriteHistories(o.histories, outcome.Histories())
	d.Report.Histories = histories
	written, err := outputs.Write(c, d)
	code := finding.Worst(d.Report.Code(), written)
	if failed != nil {
		err, code = errors.Join(err, failed), finding.Worst(code, output.CodeOf(failed))
	}
	o.keeper.End(c, keep.Kept{Document: d, Verdict: string(d.Report.Verdict), Code: code, Command: d.Report.Command, Inputs: inputs(o.file)})
	return failure.With(code, err)
}

// facts are figures of the run.
func facts(o *perturb.Outcome) []report.Fact {
	counts := o.Counted("")
	per := ""
	if n := len(o.Results); n > 0 {
		per = (o.Running / time.Duration(n)).Round(10 * time.Millisecond).String()
	}
	return []report.Fact{
		{Name: "plans", Value: fmt.Sprintf("%d passed, %d failed, %d infeasible, %d inconclusive", counts[perturb.Passed], counts[perturb.Failed], counts[perturb.Infeasible], counts[perturb.Inconclusive])},
		{Name: "left out", Value: fmt.Sprintf("%d plans that do the same as another", o.Pruned)},
		{Name: "learning", Value: o.Learning.Round(10 * time.Millisecond).String()},
		{Name: "running", Value: fmt.Sprintf("%s, %s a plan", o.Running.Round(10*time.Millisecond), per)},
	}
}

// repeat is the command that repeats the run.
func (o *options) repeat() string {
	words := []string{"seatrial", "perturb"}
	for _, p := range o.patterns {
		words = append(words, shell.Quote("--pattern="+p))
	}
	for _, s := range o.setup {
		words = append(words, shell.Quote("--setup="+s))
	}
	if o.plansMax > 0 {
		words = append(words, fmt.Sprintf("--max-plans=%d", o.plansMax))
	}
	words = append(words, shell.Quote(o.file))
	if len(o.command) > 0 {
		words = append(words, "--")
		for _, w := range o.command {
			words = append(words, shell.Quote(w))
		}
	}
	return strings.Join(words, " ")
}

func inputs(file string) []runstore.Input {
	sum, n, err := journal.File(file)
	if err != nil {
		return nil
	}
	return []runstore.Input{{File: file, SHA256: sum, Bytes: int(n)}}
}

// list says what plans there are, and writes them.
func list(c *console.Console, o *perturb.Outcome, plans planFolder) error {
	var b strings.Builder
	for _, p := range o.Plans {
		path, err := plans.write(p)
		if err != nil {
			path = p.ID()
		}
		fmt.Fprintf(&b, "%s  %s\n", p.Pattern, path)
		for _, line := range trace.Wrap(trace.Printable(p.Sentence, c.ASCII()), 76) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	fmt.Fprintf(&b, "%d plans; %d more do the same as one of them\n", len(o.Plans), o.Pruned)
	return c.Print(b.String())
}

// folderOf is where plans are written; empty for nowhere.
func folderOf(t Trial) string {
	if t.Runs.Folder == "" {
		return ""
	}
	return filepath.Join(t.Runs.Folder, "plans")
}

// planFolder is where plans are written.
type planFolder struct{ folder, name string }

func (f planFolder) write(p *plan.Plan) (string, error) {
	if f.folder == "" {
		return "", errors.New("no runs are kept")
	}
	if err := os.MkdirAll(f.folder, 0o700); err != nil {
		return "", err
	}
	text, err := p.Encode()
	if err != nil {
		return "", err
	}
	path := filepath.Join(f.folder, fileName(f.name)+"-"+p.ID()+".yaml")
	return path, os.WriteFile(path, append([]byte("# "+strings.ReplaceAll(p.Sentence, "\n", " ")+"\n"), text...), 0o600)
}

// fileName is a name without what means something in a path.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, "."))
}
