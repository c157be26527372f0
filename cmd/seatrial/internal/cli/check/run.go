package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/memory"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/progress"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// warningsShownMax is how many warnings stderr gets without -v.
const warningsShownMax = 10

// run loads, checks and reports. The exit code follows from what was found and
// from what failed, never from the formats.
func run(ctx context.Context, c *console.Console, t Trial, o *Options) error {
	began := time.Now()
	o.keeper.Begin(c)
	o.Outputs.Announce(c)
	in, err := load(ctx, c, t, o)
	switch {
	case interrupted(ctx) && o.Simulate:
		return notBegun()
	case interrupted(ctx):
		return finish(c, t, o, ended{report: cutShort()})
	}
	if err != nil {
		return err
	}
	warn(c, in.Warnings)
	if c.Verbose > 0 {
		c.Linef("read %s in %s", contents(in), time.Since(began).Round(time.Millisecond))
	}

	ctx, unguard := memory.Guard(ctx)
	defer unguard()
	if o.Simulate {
		return simulate(ctx, c, t, o, in)
	}
	k := know(c, o, in)
	limits := o.Limits
	limits.All = limits.All || k.all()
	p := progress.New(c, o.Progress)
	if p != nil {
		limits.Progress = p.Update
		defer p.End()
	}
	var asked []Asked
	limits.Asked = func(all []Asked) { asked = all }
	if c.Verbose > 0 {
		limits.Clock = func() time.Duration { return time.Since(began) }
	}
	r, err := t.Check(ctx, in, limits)
	if r == nil && interrupted(ctx) {
		r, err = cutShort(), nil
	}
	if r == nil {
		if err == nil {
			err = errors.New("the check returned nothing")
		}
		return failed(err)
	}
	r.Interrupted = r.Interrupted || interrupted(ctx)
	if len(r.Warnings) == 0 {
		r.Warnings = in.Warnings
	}
	k.excuse(c, r)
	o.suggest.find(ctx, c, t, in, r, limits, p)
	r.Quote(in.Text)
	if n := len(in.Warnings); len(r.Warnings) > n {
		c.EndStatus()
		warn(c, r.Warnings[n:]) // what the check had to say about the input
	}
	took := time.Since(began)
	if c.Verbose > 0 {
		c.EndStatus()
		told(c, asked)
		c.Linef("checked in %s", took.Round(time.Millisecond))
	}
	return finish(c, t, o, ended{r, err, in, k, facts(took, asked)})
}

// load reads everything that the check is about. Its errors carry their exit code.
func load(ctx context.Context, c *console.Console, t Trial, o *Options) (in *manifest.Input, err error) {
	t.Load.StrictInput = o.StrictInput
	if t.Load.Texts, err = o.sources.Read(ctx); err != nil {
		return nil, err
	}
	if in, err = manifest.Load(ctx, o.Paths, cancellable{ctx, c.Streams.In}, t.Load); err != nil {
		return nil, failure.Input(err)
	}
	return in, nil
}

// facts are what is to be said of a run that is not in its result, since it is another
// each time.
func facts(took time.Duration, asked []Asked) []report.Fact {
	text := fmt.Sprintf("%.1f s", took.Seconds())
	if took < time.Second {
		text = fmt.Sprintf("%d ms", took.Milliseconds())
	}
	out := []report.Fact{{Name: "time", Value: text}}
	var times, missed int64
	for _, a := range asked {
		times, missed = times+a.Times, missed+a.Missed
	}
	if times > 0 {
		out = append(out, report.Fact{Name: "answers remembered", Value: fmt.Sprintf("%.1f %%", 100*float64(times-missed)/float64(times))})
	}
	return out
}

// told shows what Kubernetes' own code was asked.
func told(c *console.Console, all []Asked) {
	for _, a := range all {
		line := fmt.Sprintf("asked %s %d times", a.What, a.Times)
		if a.Missed > 0 {
			line += fmt.Sprintf(", %.1f %% remembered, %.1f µs for each other", 100*float64(a.Times-a.Missed)/float64(a.Times), float64(a.Spent.Nanoseconds())/1e3/float64(a.Missed))
		}
		c.Linef("%s", line)
	}
}

// ended is a check at its end.
type ended struct {
	report *finding.Report
	// err is what failed beside it.
	err error
	// in is nil if the input was not read.
	in *manifest.Input
	// known is set with in: what did not count.
	known *known
	facts []report.Fact
}

// finish writes the report and combines what was found with what failed.
func finish(c *console.Console, t Trial, o *Options, e ended) error {
	c.EndStatus()
	r := e.report
	if r.Tool == "" {
		r.Tool = "seatrial"
	}
	if r.Version == "" {
		r.Version = c.Version
	}
	if r.Command == "" {
		r.Command = command(o)
	}
	document := output.Document{Report: r, Rules: t.Rules, Facts: e.facts}
	written, writeErr := o.Outputs.Write(c, document)
	code := finding.Worst(r.Code(), written)
	if r.Code() == finding.CodeInconclusive && !r.Bound.Complete && r.Bound.States > 0 && !c.Quiet {
		c.Linef("a smaller search may end: --exact, --event=NAME, --property=NAME; or give more --timeout")
	}
	if e.err != nil {
		code = finding.Worst(code, codeOf(e.err))
	}
	err := errors.Join(e.err, writeErr)
	run := ""
	if e.in != nil {
		kept, keepErr := e.known.baseline.Keep(c, r)
		code, err = finding.Worst(code, kept), errors.Join(err, keepErr)
		kept, keepErr = o.suggest.keep(c, r)
		code, err = finding.Worst(code, kept), errors.Join(err, keepErr)
		run = o.keeper.End(c, keep.Kept{Document: document, Verdict: string(r.Verdict), Code: code, Command: r.Command, Inputs: inputsOf(e.in)})
	}
	pointOn(c, o, r, run)
	return failure.With(code, err)
}

// pointOn says below a text with a violation how to go on with the first.
func pointOn(c *console.Console, o *Options, r *finding.Report, run string) {
	first := slices.IndexFunc(r.Results, func(one finding.Result) bool {
		return one.Verdict == finding.Violated && one.Ignored == nil
	})
	if first < 0 || !o.Outputs.Shows(output.Text) {
		return
	}
	if name := r.Results[first].Rule; run != "" {
		c.Notice("seatrial explain %s#1 says why, and what people change", runstore.Latest)
	} else if name != "" {
		c.Notice("seatrial explain %s says why, and what people change", name)
	}
}

// failed turns an error of a check into a failure: input that turns out to be
// wrong only when the model is built is still the input's fault.
func failed(err error) error { return &failure.Error{Code: codeOf(err), Err: err} }

func codeOf(err error) finding.Code {
	if _, input := manifest.AsProblems(err); input {
		return finding.CodeInput
	}
	return finding.CodeInternal
}

func interrupted(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), ErrInterrupted)
}

// cutShort is the report of a run that was interrupted before there was one.
func cutShort() *finding.Report {
	const reason = "interrupted before the exploration began"
	return &finding.Report{
		Verdict: finding.Inconclusive, Reason: reason, Interrupted: true,
		Bound: finding.Bound{Text: "nothing", Reason: reason},
	}
}

func warn(c *console.Console, warnings []finding.Warning) {
	if c.Verbose == 0 {
		warnings = alike(setAside(warnings))
	}
	for i, w := range warnings {
		if i == warningsShownMax && c.Verbose == 0 {
			c.Notice("… and %d more warnings (-v shows them, -o json has all)", len(warnings)-i)
			return
		}
		place := w.Location.FileLine()
		if place != "" {
			place += ": "
		}
		c.Notice("%swarning: %s", place, w.Message)
	}
}

// asideShownMax is how many of the documents that were set aside are named
// without -v.
const asideShownMax = 3

// setAside folds the warnings about what is no manifest into one, which comes
// first and names the first few.
func setAside(warnings []finding.Warning) []finding.Warning {
	var out []finding.Warning
	var named []string
	n := 0
	for _, w := range warnings {
		why, aside := strings.CutPrefix(w.Message, manifest.AsideMark)
		if !aside {
			out = append(out, w)
			continue
		}
		if n++; n <= asideShownMax {
			named = append(named, w.Location.FileLine()+": "+why)
		}
	}
	if n == 0 {
		return out
	}
	what := fmt.Sprintf("%d documents that are no manifests are", n)
	if n == 1 {
		what = "1 document that is no manifest is"
	}
	if n > asideShownMax {
		named = append(named, fmt.Sprintf("and %d more (-v shows them, -o json has all; --strict-input makes them errors)", n-asideShownMax))
	}
	return append([]finding.Warning{{Message: what + " set aside: " + strings.Join(named, "; ")}}, out...)
}

// alike folds the warnings about things that are left out for one reason, such
// as the ServiceAccounts of a repository, into the first of them.
func alike(warnings []finding.Warning) []finding.Warning {
	const mark = " is left out: "
	var out []finding.Warning
	first, more := map[string]int{}, map[string]int{}
	for _, w := range warnings {
		_, reason, found := strings.Cut(w.Message, mark)
		if _, seen := first[reason]; found && seen {
			more[reason]++
			continue
		}
		if found {
			first[reason] = len(out)
		}
		out = append(out, w)
	}
	for reason, n := range more {
		w := &out[first[reason]]
		w.Message = fmt.Sprintf("%s (and %d more)", w.Message, n)
	}
	return out
}

// contents counts what was read.
func contents(in *manifest.Input) string {
	var parts []string
	for _, kind := range []struct {
		n         int
		one, many string
	}{
		{in.Files, "file", "files"},
		{len(in.Nodes), "Node", "Nodes"},
		{len(in.Deployments), "Deployment", "Deployments"},
		{len(in.ReplicaSets), "ReplicaSet", "ReplicaSets"},
		{len(in.Pods), "Pod", "Pods"},
		{len(in.Autoscalers), "HorizontalPodAutoscaler", "HorizontalPodAutoscalers"},
		{len(in.DisruptionBudgets), "PodDisruptionBudget", "PodDisruptionBudgets"},
		{len(in.LeftOut), "thing left out", "things left out"},
	} {
		switch kind.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+kind.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, kind.many))
		}
	}
	return strings.Join(parts, ", ")
}
