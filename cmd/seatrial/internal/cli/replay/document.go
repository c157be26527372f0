package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
	reporttext "github.com/seatrial/seatrial/report/text"
	"github.com/seatrial/seatrial/trace"
)

// Schema identifies the JSON form of what replay says.
const Schema = "seatrial.dev/replays/v1alpha1"

// document is what one run of the command has to say.
type document struct {
	Schema  string            `json:"schema"`
	Tool    string            `json:"tool"`
	Version string            `json:"version"`
	Command string            `json:"command,omitempty"`
	Verdict replay.Verdict    `json:"verdict"`
	Replays []*replay.Outcome `json:"replays"`
	// Histories are the files with what was written to the API server, if they were kept.
	Histories []string `json:"histories,omitempty"`
}

// histories are what was written in each replay, by the numbers of the traces.
func (d *document) histories() iter.Seq2[string, []history.Event] {
	return func(yield func(string, []history.Event) bool) {
		for i, r := range d.Replays {
			if !yield(fmt.Sprintf("trace-%d", i+1), r.History) {
				return
			}
		}
	}
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

// document is what is rendered: replays have a text and a JSON of their own.
func (d *document) document() output.Document {
	return output.Document{Report: d.report(), Own: map[string]func(io.Writer, output.Setting) error{
		output.JSON: func(w io.Writer, _ output.Setting) error { return d.JSON(w) },
		output.Text: func(w io.Writer, s output.Setting) error {
			return d.Text(w, reporttext.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Quiet: s.Quiet})
		},
	}}
}

// Read reads what -o json wrote.
func Read(data []byte) (output.Document, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return output.Document{}, fmt.Errorf("decode replays: %w", err)
	}
	if d.Schema != Schema {
		return output.Document{}, fmt.Errorf("decode replays: the schema is %q, want %q", d.Schema, Schema)
	}
	for i, r := range d.Replays {
		if r == nil || verdicts[r.Verdict] == "" {
			return output.Document{}, fmt.Errorf("decode replays: replays[%d] has no verdict", i)
		}
	}
	d.finish()
	return d.document(), nil
}

// property is what a replay says of a trace, for formats that show properties: it
// holds if the replay is confirmed, and is violated if it diverged.
const property = "trace-happens"

// report is the replays as a report of one property.
func (d *document) report() *finding.Report {
	r := &finding.Report{Tool: d.Tool, Version: d.Version, Command: d.Command, Verdict: verdicts[d.Verdict], Histories: d.Histories}
	for _, one := range d.Replays {
		result := finding.Result{Name: property, Subject: strings.TrimSpace(one.Rule + " " + one.Subject), Verdict: verdicts[one.Verdict]}
		if result.Subject == "" {
			result.Subject = "trace"
		}
		switch result.Verdict {
		case finding.Violated:
			result.Message = "the trace does not happen on a real control plane: " + one.Reason
		case finding.Inconclusive:
			result.Reason = one.Reason
		}
		r.Results = append(r.Results, result)
		r.Kubernetes = cmp.Or(r.Kubernetes, one.Kubernetes)
	}
	r.Bound = finding.Bound{Text: "1 trace, replayed on a real control plane", Complete: true}
	if n := len(d.Replays); n != 1 {
		r.Bound.Text = fmt.Sprintf("%d traces, replayed on a real control plane", n)
	}
	return r
}

var verdicts = map[replay.Verdict]finding.Verdict{
	replay.Confirmed: finding.Holds, replay.Diverged: finding.Violated, replay.Inconclusive: finding.Inconclusive,
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

// writeOutcome shows one replay: the verdict, and what happened step by step, with
// both sides where they differ.
func writeOutcome(b *strings.Builder, r *replay.Outcome, o reporttext.Options) {
	title := string(r.Verdict)
	if r.Subject != "" {
		title += "  " + strings.TrimSpace(r.Rule+" "+r.Subject)
	}
	line(b, o, "", title)
	counts := fmt.Sprintf("Kubernetes %s, %d of %d actions matched (%.1f %%)", r.Kubernetes, r.Matched, r.Expected+r.Seen-r.Matched, 100*r.Rate)
	if r.Rounds > 0 {
		counts += fmt.Sprintf(", the cycle %d times round", r.Rounds)
	}
	line(b, o, "  ", counts)
	if r.Reason != "" {
		line(b, o, "  ", r.Reason)
	}
	if o.Quiet || len(r.Rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n  step    expected, and seen where it differs\n")
	for _, row := range r.Rows {
		line(b, o, fmt.Sprintf("  %4d  %s ", row.Step+1, mark(row)), sides(row))
	}
}

// mark says on which side a row is.
func mark(row replay.Row) string {
	switch {
	case row.Expected == "":
		return "+"
	case row.Seen == "":
		return "-"
	}
	return "="
}

// sides are both, once if they are equal.
func sides(row replay.Row) string {
	switch {
	case row.Expected == "" || row.Expected == row.Seen:
		return row.Seen
	case row.Seen == "":
		return row.Expected
	}
	return row.Expected + "  |  " + row.Seen
}

// line writes text behind a prefix, broken between words where it is too long for
// the terminal.
func line(b *strings.Builder, o reporttext.Options, prefix, text string) {
	column := 0
	for i, word := range strings.Split(trace.Printable(text, o.ASCII), " ") {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			b.WriteString(prefix)
			column = len(prefix)
		case o.Width > 0 && column+1+width > o.Width:
			b.WriteString("\n" + strings.Repeat(" ", len(prefix)))
			column = len(prefix)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += width
	}
	b.WriteString("\n")
}
