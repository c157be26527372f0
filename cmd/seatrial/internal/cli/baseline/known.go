package baseline

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/finding"
)

// Known is what a command knows of baselines: the flags --baseline and --write-baseline, and what became of them.
type Known struct {
	// File has the findings that do not count, Write is where those of this run go. Either may be empty.
	File, Write string

	known, fresh *Baseline
}

// Add adds the flags.
func (k *Known) Add(flags *pflag.FlagSet) {
	flags.StringVar(&k.File, "baseline", "", "`FILE` with known findings, which do not count; goes on after a violation as --all does")
	flags.StringVar(&k.Write, "write-baseline", "", "write what is violated to this `FILE`, for --baseline; it does not count in this run either")
}

// Complete looks at where a baseline is to be written. What is wrong there is refused like an output.
func (k *Known) Complete(outputs *output.Plan) {
	if k.Write == "" {
		return
	}
	err := output.Writable(k.Write)
	if outputs.Takes(k.Write) {
		err = errors.New("an output goes there")
	}
	if err != nil {
		outputs.Refuse(fmt.Errorf("--write-baseline %s: %w", k.Write, err))
		k.Write = ""
	}
}

// Read reads what is known, before anything is looked at. A baseline that cannot be read is said at once and makes the
// exit code 2; the run goes on, for the outputs, and everything that is violated counts in it.
func (k *Known) Read(c *console.Console, outputs *output.Plan) {
	if k.File == "" {
		return
	}
	b, err := Read(k.File)
	if err != nil {
		c.Fail(err)
		outputs.Refuse(err)
		b = &Baseline{}
	}
	k.known = b
}

// Any tells whether the search has to go on after a violation, since that may be one that does not count.
func (k *Known) Any() bool { return k.File != "" || k.Write != "" }

// Excuse marks what does not count. The report has to be settled afterwards.
func (k *Known) Excuse(c *console.Console, r *finding.Report) {
	if k.known != nil {
		if mended := k.known.Apply(r); mended > 0 && k.Write == "" {
			c.EndStatus()
			c.Notice("findings of the baseline that hold now: %d; --write-baseline takes them out of it", mended)
		}
	}
	if k.Write != "" {
		k.fresh = Of(r)
		k.fresh.Version = c.Version
		k.fresh.Apply(r)
	}
}

// Keep writes a baseline, if one is wanted. One of a run that was cut short would lose what it did not come to.
func (k *Known) Keep(c *console.Console, r *finding.Report) (finding.Code, error) {
	if k.fresh == nil {
		return finding.CodeHolds, nil
	}
	if r.Interrupted {
		c.Notice("warning: %s is not written: the run was interrupted", k.Write)
		return finding.CodeHolds, nil
	}
	text, err := k.fresh.Encode()
	if err == nil {
		err = output.WriteFile(k.Write, text)
	}
	if err != nil {
		return output.CodeOf(err), err
	}
	c.Notice("findings in the baseline %s: %d", k.Write, len(k.fresh.Findings))
	return finding.CodeHolds, nil
}
