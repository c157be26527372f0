package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/baseline"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
)

// known are the violations that are not to count.
type known struct {
	ignores  []manifest.Ignore
	baseline *baseline.Known
	// today is YYYY-MM-DD, where the user is.
	today string
}

// know reads what is known, before the check begins.
func know(c *console.Console, o *Options, in *manifest.Input) *known {
	o.baseline.Read(c, &o.Outputs)
	return &known{ignores: in.Ignores, baseline: &o.baseline, today: c.Now().Format(time.DateOnly)}
}

// all tells whether the search has to go on after a violation, since that may be
// one that does not count.
func (k *known) all() bool {
	return k.baseline.Any() || slices.ContainsFunc(k.ignores, func(i manifest.Ignore) bool { return !k.over(i) })
}

func (k *known) over(i manifest.Ignore) bool { return i.Until != "" && i.Until < k.today }

// excuse marks what does not count, and makes the verdict without it.
func (k *known) excuse(c *console.Console, r *finding.Report) {
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
	k.baseline.Excuse(c, r)
	r.Settle()
}

// inputsOf is what the run store remembers of the files.
func inputsOf(in *manifest.Input) []runstore.Input {
	var all []runstore.Input
	for _, d := range in.Digests {
		all = append(all, runstore.Input{File: d.File, SHA256: d.SHA256, Bytes: d.Bytes})
	}
	return all
}
