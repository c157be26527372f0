package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/baseline"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
)

// known are the violations that are not to count.
type known struct {
	ignores []manifest.Ignore
	// baseline is nil without one; write is where a new one goes.
	baseline *baseline.Baseline
	write    string
	// today is YYYY-MM-DD, where the user is.
	today string
}

// know reads what is known, before the check begins. A baseline that cannot be read is
// said at once and makes the exit code 2; the check goes on, for the outputs, and
// everything that is violated counts in it.
func know(c *console.Console, o *Options, in *manifest.Input) *known {
	k := &known{ignores: in.Ignores, write: o.writeBaseline, today: c.Now().Format(time.DateOnly)}
	if o.baseline == "" {
		return k
	}
	b, err := baseline.Read(o.baseline)
	if err != nil {
		c.Fail(err)
		o.Outputs.Refuse(err)
		b = &baseline.Baseline{}
	}
	k.baseline = b
	return k
}

// all tells whether the search has to go on after a violation, since that may be
// one that does not count.
func (k *known) all() bool {
	return k.baseline != nil || k.write != "" || slices.ContainsFunc(k.ignores, func(i manifest.Ignore) bool { return !k.over(i) })
}

func (k *known) over(i manifest.Ignore) bool { return i.Until != "" && i.Until < k.today }

// excuse marks what does not count, and makes the verdict without it. It returns
// the baseline that is to be written, if any.
func (k *known) excuse(c *console.Console, r *finding.Report) *baseline.Baseline {
	r.Warnings = slices.Clip(r.Warnings)
	for _, i := range k.ignores {
		if k.over(i) {
			r.Warnings = append(r.Warnings, finding.Warning{
				Location: i.Location,
				Message:  fmt.Sprintf("%s of %s counts again: it was ignored until %s (%s)", i.Rule, i.Object, i.Until, i.Reason),
			})
			continue
		}
		for n := range r.Results {
			one := &r.Results[n]
			if one.Verdict == finding.Violated && one.Ignored == nil && one.Subject == i.Object && (i.Rule == one.Rule || i.Rule == one.Name) {
				at := i.Location
				one.Ignored = &finding.Ignored{By: finding.ByAnnotation, Reason: i.Reason, Until: i.Until, Location: &at}
			}
		}
	}
	if k.baseline != nil {
		if mended := k.baseline.Apply(r); mended > 0 && k.write == "" {
			c.EndStatus()
			c.Notice("findings of the baseline that hold now: %d; --write-baseline takes them out of it", mended)
		}
	}
	var fresh *baseline.Baseline
	if k.write != "" {
		fresh = baseline.Of(r)
		fresh.Version = c.Version
		fresh.Apply(r)
	}
	r.Settle()
	return fresh
}

// keep writes a baseline. One of a run that was cut short would lose what it did
// not come to.
func (k *known) keep(c *console.Console, fresh *baseline.Baseline, r *finding.Report) (finding.Code, error) {
	if fresh == nil {
		return finding.CodeHolds, nil
	}
	if r.Interrupted {
		c.Notice("warning: %s is not written: the run was interrupted", k.write)
		return finding.CodeHolds, nil
	}
	text, err := fresh.Encode()
	if err == nil {
		err = output.WriteFile(k.write, text)
	}
	if err != nil {
		return output.CodeOf(err), err
	}
	c.Notice("findings in the baseline %s: %d", k.write, len(fresh.Findings))
	return finding.CodeHolds, nil
}

// inputsOf is what the run store remembers of the files.
func inputsOf(in *manifest.Input) []runstore.Input {
	var all []runstore.Input
	for _, d := range in.Digests {
		all = append(all, runstore.Input{File: d.File, SHA256: d.SHA256, Bytes: d.Bytes})
	}
	return all
}
