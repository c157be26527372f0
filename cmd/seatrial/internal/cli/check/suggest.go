package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/progress"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion"
	"github.com/seatrial/seatrial/finding"
)

// suggestTimeout is the longest time for suggestions if nothing is said of it.
const suggestTimeout = 2 * time.Minute

// suggest is what --suggest asks for.
type suggest struct {
	// asked is shown, or the file that the patch goes to; empty if suggestions are not
	// asked for.
	asked   string
	timeout time.Duration
}

// shown is --suggest without a file.
const shown = "-"

func (s *suggest) flags(flags *pflag.FlagSet) {
	flags.StringVar(&s.asked, "suggest", "", "show small changes that mend what is violated, each of them checked; `FILE` takes them as a patch for git apply")
	flags.Lookup("suggest").NoOptDefVal = shown
	flags.DurationVar(&s.timeout, "suggest-timeout", suggestTimeout, "with --suggest: longest time to look for changes; 0 for no limit")
}

// file is where the patch goes, or empty.
func (s *suggest) file() string {
	if s.asked == shown {
		return ""
	}
	return s.asked
}

// complete refuses what cannot be, as --write-baseline does.
func (s *suggest) complete(o *Options) error {
	if s.timeout < 0 {
		return fmt.Errorf("--suggest-timeout is %s, and must not be negative", s.timeout)
	}
	if s.file() == "" {
		return nil
	}
	err := output.Writable(s.file())
	if o.Outputs.Takes(s.file()) || s.file() == o.baseline.Write {
		err = errors.New("an output goes there")
	}
	if err != nil {
		o.Outputs.Refuse(fmt.Errorf("--suggest=%s: %w", s.asked, err))
		s.asked = shown
	}
	return nil
}

// find adds suggestions to a report that is violated.
func (s *suggest) find(ctx context.Context, c *console.Console, t Trial, in *manifest.Input, r *finding.Report, l Limits, p *progress.Progress) {
	if s.asked == "" || r.Verdict != finding.Violated || interrupted(ctx) {
		return
	}
	folder, err := os.Getwd()
	if err != nil {
		c.Notice("warning: no suggestions: the working directory is not known: %v", err)
		return
	}
	if s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	l.Asked, l.Clock = nil, nil
	suggestion.Find(ctx, in, r, suggestion.Options{
		Check: func(ctx context.Context, in *manifest.Input, all bool) (*finding.Report, error) {
			limits := l
			limits.All = all
			return t.Check(ctx, in, limits)
		},
		Read: os.ReadFile, Folder: folder,
		Progress: func(what string) {
			if p != nil {
				p.About = "change " + what + ": "
			}
		},
	})
}

// keep writes the patch.
func (s *suggest) keep(c *console.Console, r *finding.Report) (finding.Code, error) {
	if s.file() == "" {
		return finding.CodeHolds, nil
	}
	if r.Suggesting == nil || r.Suggesting.Patch == "" {
		c.Notice("%s is not written: there is nothing to suggest", s.file())
		return finding.CodeHolds, nil
	}
	if err := output.WriteFile(s.file(), []byte(r.Suggesting.Patch)); err != nil {
		return output.CodeOf(err), err
	}
	where := ""
	if r.Suggesting.Folder != "" {
		where = " in " + r.Suggesting.Folder
	}
	c.Notice("to apply what is suggested%s: git apply %s", where, s.file())
	for _, left := range r.Suggesting.Left {
		c.Notice("not mended by %s: %s", s.file(), left)
	}
	return finding.CodeHolds, nil
}
