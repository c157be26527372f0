package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/memory"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/progress"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spec"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// collectLess lets the heap grow to four times of what lives before it is collected: values that are kept live on, and
// are visited by each collection.
const collectLess = 300

// errTime is the cause of a context that ended since --timeout was over.
var errTime = errors.New("the time is over")

// run checks and reports.
func (o *options) run(ctx context.Context, c *console.Console, t Trial) error {
	o.keeper.Begin(c)
	o.outputs.Announce(c)
	began := c.Now()
	p := progress.New(c, o.progress)
	if p != nil {
		o.trial.Progress = p.Update
		defer p.End()
	}
	o.trial.Print = c.Line
	defer debug.SetGCPercent(debug.SetGCPercent(collectLess))
	o.trial.Warn = func(all []finding.Warning) { warn(c, all) }
	limited, unguard := memory.Guard(ctx)
	defer unguard()
	if o.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(limited, o.timeout, errTime)
		defer cancel()
	}
	var inputs []runstore.Input
	o.trial.Read = func(file string, text []byte) {
		sum := sha256.Sum256(text)
		inputs = append(inputs, runstore.Input{File: file, SHA256: hex.EncodeToString(sum[:]), Bytes: len(text)})
	}
	o.baseline.Read(c, &o.outputs)
	o.trial.All = o.all || o.baseline.Any()
	r, err := t.Spec(limited, o.trial)
	c.EndStatus()
	if r == nil {
		return failed(err)
	}
	dumped := finding.CodeHolds
	if err != nil { // a dump that could not be written
		c.Fail(err)
		dumped = output.CodeOf(err)
		if spec.IsInput(err) {
			dumped = finding.CodeInput
		}
	}
	r.Interrupted = ctx.Err() != nil
	r.Version, r.Command = c.Version, o.repeat()
	o.baseline.Excuse(c, r)
	r.Settle()
	d := output.Document{Report: r, Rules: t.Rules, Facts: []report.Fact{{Name: "time", Value: c.Now().Sub(began).Round(time.Millisecond).String()}}}
	written, err := o.outputs.Write(c, d)
	known, keepErr := o.baseline.Keep(c, r)
	code := finding.Worst(r.Code(), written, dumped, known)
	o.keeper.End(c, keep.Kept{Document: d, Verdict: string(r.Verdict), Code: code, Command: r.Command, Inputs: inputs})
	return failure.With(code, errors.Join(err, keepErr))
}

// failed is an error instead of a report. What is wrong in a text is shown there.
func failed(err error) error {
	if err == nil {
		err = errors.New("the check returned nothing")
	}
	if !spec.IsInput(err) {
		return failure.Internal(err)
	}
	if excerpt := spec.Excerpt(err); excerpt != "" {
		err = fmt.Errorf("%w\n%s", err, excerpt)
	}
	return failure.Input(err)
}

// warningsShownMax is how many warnings stderr gets without -v.
const warningsShownMax = 10

func warn(c *console.Console, warnings []finding.Warning) {
	for i, w := range warnings {
		if i == warningsShownMax && c.Verbose == 0 {
			c.Notice("… and %d more warnings (-v shows them, -o json has all)", len(warnings)-i)
			return
		}
		c.Notice("%s: warning: %s", w.Location, w.Message)
	}
}

// repeat is the command that repeats the run: what its result depends on, and nothing else.
func (o *options) repeat() string {
	words := []string{"seatrial", "spec"}
	flag := func(is bool, name string, value ...any) {
		if is {
			words = append(words, shell.Quote("--"+name+fmt.Sprint(value...)))
		}
	}
	for _, folder := range o.trial.Modules {
		flag(true, "modules=", folder)
	}
	flag(o.trial.Outside, "outside")
	flag(o.trial.Deadlock != nil, "deadlock=", o.deadlock)
	flag(o.all, "all")
	flag(o.baseline.File != "", "baseline=", o.baseline.File)
	flag(o.trial.Coverage, "coverage")
	flag(o.timeout > 0, "timeout=", o.timeout)
	flag(o.trial.MaxStates > 0, "max-states=", o.trial.MaxStates)
	flag(o.trial.MaxDepth > 0, "max-depth=", o.trial.MaxDepth)
	flag(o.trial.History != "", "history=", o.trial.History)
	flag(o.trial.History != "" && o.trial.Observed != "Observed", "observed=", o.trial.Observed)
	if walks := o.trial.Walks; walks.Number > 0 {
		flag(true, "simulate=", walks.Number)
		flag(walks.Steps != defaultSteps, "steps=", walks.Steps)
		flag(walks.Seed != 1, "seed=", walks.Seed)
	}
	flag(o.memory != defaultMemory, "max-memory=", o.memory)
	words = append(words, shell.Quote(o.trial.File))
	if o.trial.Configuration != "" {
		words = append(words, shell.Quote(o.trial.Configuration))
	}
	return strings.Join(words, " ")
}
