package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/finding"
	reporttext "github.com/seatrial/seatrial/report/text"
	"github.com/seatrial/seatrial/trace"
)

// schema identifies the JSON form of a document.
const schema = "seatrial.dev/replays/v1alpha1"

// document is what one run of the command has to say.
type document struct {
	Schema  string            `json:"schema"`
	Tool    string            `json:"tool"`
	Version string            `json:"version"`
	Verdict replay.Verdict    `json:"verdict"`
	Replays []*replay.Outcome `json:"replays"`
}

// finish makes the verdict of all: the worst.
func (d *document) finish() {
	d.Verdict = replay.Confirmed
	for _, r := range d.Replays {
		switch {
		case r.Verdict == replay.Diverged:
			d.Verdict = replay.Diverged
		case r.Verdict == replay.Inconclusive && d.Verdict == replay.Confirmed:
			d.Verdict = replay.Inconclusive
		}
	}
}

// code is the exit code: 0 confirmed, 1 diverged, 3 inconclusive.
func (d *document) code() finding.Code {
	switch d.Verdict {
	case replay.Confirmed:
		return finding.CodeHolds
	case replay.Diverged:
		return finding.CodeViolated
	}
	return finding.CodeInconclusive
}

func (d *document) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

func (d *document) Text(w io.Writer, o reporttext.Options) error {
	var b strings.Builder
	for i, r := range d.Replays {
		if i > 0 {
			b.WriteString("\n")
		}
		writeOutcome(&b, r, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeOutcome shows one replay: the verdict, and the two sides where they differ
// or, if all is wanted, throughout.
func writeOutcome(b *strings.Builder, r *replay.Outcome, o reporttext.Options) {
	title := string(r.Verdict)
	if r.Subject != "" {
		title += "  " + strings.TrimSpace(r.Rule+" "+r.Subject)
	}
	fmt.Fprintln(b, trace.Printable(title, o.ASCII))
	fmt.Fprintf(b, "  Kubernetes %s, %d of %d actions matched (%.1f %%)", r.Kubernetes, r.Matched, r.Expected+r.Seen-r.Matched, 100*r.Rate)
	if r.Rounds > 0 {
		fmt.Fprintf(b, ", the cycle %d times round", r.Rounds)
	}
	b.WriteString("\n")
	if r.Reason != "" {
		fmt.Fprintf(b, "  %s\n", trace.Printable(r.Reason, o.ASCII))
	}
	if o.Quiet {
		return
	}
	fmt.Fprintf(b, "\n  %4s  %-1s %s\n", "step", "", "expected, and seen where it differs")
	for _, row := range r.Rows {
		mark := "="
		switch {
		case row.Expected == "":
			mark = "+"
		case row.Seen == "":
			mark = "-"
		}
		what := row.Expected
		if what == "" {
			what = row.Seen
		} else if row.Seen != "" && row.Seen != row.Expected {
			what += "  |  " + row.Seen
		}
		fmt.Fprintf(b, "  %4d  %s %s\n", row.Step+1, mark, trace.Printable(what, o.ASCII))
	}
}
