package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/finding"
)

// Reproduction is the finding in a form that stands alone.
func (f *Finding) Reproduction(in *input.Input, version string) *reproduction.Reproduction {
	d := f.Deviations[0]
	r := reproduction.New(in, version, reproduction.Found{
		Oracle: d.Oracle, Rule: ruleOf(d.Oracle), Property: f.Property(), Cause: f.cause, Text: d.Text, Object: d.Object, Path: d.Path, Expected: d.Expected, Found: d.Found,
	})
	r.Operations, r.Traced = f.Operations, f.traced
	switch {
	case f.Restart:
		r.Behind = reproduction.Restart
	case f.Delete:
		r.Behind = reproduction.Deletion
	case f.Made:
		r.Behind = reproduction.Creation
	}
	return r
}

// Reproduced is whether a finding is still so.
type Reproduced struct {
	// Outcome has the finding, if it was seen again; what was learned; and how many runs there were.
	Outcome *Outcome
	// Tried is how often it was looked for.
	Tried int
	// Doubt is why there is no verdict; empty if there is one.
	Doubt string

	r *reproduction.Reproduction
	// others are what else was seen to be wrong.
	others []string
}

// Reproduce learns anew what is usual, and applies what a finding says, twice. The operator is o.Input's,
// which is r's or another. An operator that cannot be judged is a doubt and no error.
func Reproduce(ctx context.Context, r *reproduction.Reproduction, o Options) (out *Reproduced, err error) {
	o.Parallel = max(min(o.Parallel, confirmations), 1)
	out = &Reproduced{Outcome: &Outcome{}, r: r}
	f, err := open(ctx, &o)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, out.Outcome.close(f)) }()
	if o.Input.Definition == nil {
		if err := discover(ctx, f, &o); err != nil {
			return out, out.judgeable(err)
		}
	}
	definition, err := define(o.Input)
	if err != nil {
		return out, err
	}
	t, l, err := newTrial(ctx, &o, out.Outcome, definition, f)
	if err != nil {
		return out, err
	}
	defer func() {
		out.Outcome.Runs, out.Outcome.Quiet, out.Outcome.Queues = l.runs, l.tempo.quiet(), l.tempo.queues()
	}()
	if err := t.learn(ctx, func() error { return f.Grow(ctx) }); err != nil {
		return out, out.judgeable(err)
	}
	l.mask, out.Outcome.mask = t.mask, t.mask
	return out, out.try(ctx, t)
}

// judgeable makes a doubt of what is no fault of ours; the error is nil then.
func (out *Reproduced) judgeable(err error) error {
	var operator *OperatorError
	var refused *RefusedError
	if errors.As(err, &operator) || errors.As(err, &refused) {
		out.Doubt = err.Error()
		return nil
	}
	return err
}

// try looks for the finding.
func (out *Reproduced) try(ctx context.Context, t *trial) error {
	r := out.r
	f := &Finding{
		cause: r.Found.Cause, traced: r.Traced, Small: true, Operations: r.Operations, Seen: 1,
		Restart: r.Behind == reproduction.Restart, Delete: r.Behind == reproduction.Deletion, Made: r.Behind == reproduction.Creation, Deviations: []oracle.Deviation{{Oracle: r.Found.Oracle}},
	}
	for out.Tried < confirmations || f.Failed == 0 && out.Doubt == "" && f.chances() > 1 && out.Tried < confirmations+f.chances() {
		t.o.tell(Progress{What: "reproduce", Done: f.Runs, Of: max(confirmations, f.Runs+1)})
		a, err := t.attempt(ctx, f, f.Operations)
		if err != nil {
			return out.judgeable(err)
		}
		out.Tried++
		f.Runs++
		if a.again {
			f.Failed++
			continue
		}
		out.Doubt, out.others = cmp.Or(out.Doubt, a.doubt), append(out.others, a.others...)
	}
	if f.Failed > 0 {
		out.Doubt, out.Outcome.Findings = "", []*Finding{f}
	}
	return nil
}

// doubtful says why a run in which a finding of an oracle was not seen says nothing about it; empty if it does.
func doubtful(r *run, steps int, of oracle.Oracle, found []oracle.Deviation) string {
	last := r.Steps[len(r.Steps)-1]
	switch {
	case len(r.Steps) != steps:
		return "an operation was not possible"
	case r.Restart != nil:
		last = r.Restart
	}
	if r.Deleted != nil {
		last = r.Deleted
	}
	if last.Refused == "" && !last.Rest.Quiet && !(of.Still && last.Rest.Still) {
		return "the operator does not come to rest: " + last.Rest.Why + lastWords(last)
	}
	for _, d := range found {
		if d.Inconclusive {
			return d.Text
		}
	}
	return ""
}

// Report is the verdict for all formats: violated if the finding was seen in any run.
func (out *Reproduced) Report(reproduce string) *finding.Report {
	o, r := out.Outcome, out.r
	report := &finding.Report{Tool: "seatrial", Kubernetes: o.Kubernetes, Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}}
	result := finding.Result{Rule: r.Found.Rule, Name: r.Found.Oracle, Subject: cmp.Or(r.Found.Property, r.Name), Verdict: finding.Holds}
	switch {
	case len(o.Findings) > 0:
		result = o.result(o.Findings[0], reproduce)
	case out.Doubt != "":
		result.Verdict, report.Reason = finding.Inconclusive, strings.TrimSpace(out.Doubt)
	case o.Interrupted || out.Tried < confirmations:
		result.Verdict, report.Reason = finding.Inconclusive, fmt.Sprintf("interrupted: it was looked for %d of %d times", out.Tried, confirmations)
	}
	report.Results, report.Interrupted, report.Verdict = []finding.Result{result}, o.Interrupted, result.Verdict
	if result.Verdict == finding.Inconclusive {
		report.Results[0].Reason = report.Reason
	}
	report.Bound = finding.Bound{Text: fmt.Sprintf("one finding, looked for %d times", out.Tried), Complete: out.Tried >= confirmations}
	o.notes(report)
	for i, text := range out.others {
		if !slices.Contains(out.others[:i], text) {
			report.Warnings = append(report.Warnings, finding.Warning{Message: "something else is wrong, which this finding is not about: " + text})
		}
	}
	return report
}
