// Package runs is `seatrial runs`: the runs that were kept, and how two differ.
package runs

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/report"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/stored"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

const (
	asText = "text"
	asJSON = "json"
)

var long = fmt.Sprintf(`Runs lists the runs that were kept in .seatrial/runs of the working directory, the
newest first: the last %d. 'seatrial report' shows one again, 'seatrial runs diff'
compares two.

check and replay keep each run, at most 1 MiB of it. --save=false, or
SEATRIAL_SAVE=false in the environment, does not.`, runstore.Keep)

const diffLong = `Diff says what is violated in run B and was not in run A (new), what was violated and
holds now (fixed), and what is violated in both (unchanged). What was violated and has
no verdict now, or is not checked any more, is neither: it is listed as unknown.

A and B are ids that 'seatrial runs' lists, or their beginnings, or latest; or files
that -o json wrote. Violations that are ignored are violations here.

The exit code is 1 if anything is new, and 0 otherwise.`

// New returns the command.
func New(c *console.Console, store runstore.Store) *cobra.Command {
	format := asText
	list := &cobra.Command{
		Use: "runs [flags]", Short: "list the runs that were kept, and compare them",
		Long: long, Example: "  seatrial runs\n  seatrial runs diff 20261122-1030 latest", DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath()))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			return write(c, func() (string, error) { return listed(c, store, format) })
		},
	}
	diffFormat := asText
	diff := &cobra.Command{
		Use: "diff [flags] A B", Short: "say what is new, fixed and unchanged from one run to another",
		Long: diffLong, Example: "  seatrial runs diff 20261122-1030 latest\n  seatrial runs diff main.json latest", DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("diff takes two runs, and %d were given", len(args)))
			}
			return nil
		},
		ValidArgsFunction: report.Complete(store),
		RunE:              func(_ *cobra.Command, args []string) error { return runDiff(c, store, diffFormat, args) },
	}
	list.Flags().VarP(console.NewChoice(&format, asText, asJSON), "output", "o", "how to list")
	diff.Flags().VarP(console.NewChoice(&diffFormat, asText, asJSON), "output", "o", "how to say it")
	list.AddCommand(diff)
	return list
}

// write puts what a command says on standard output.
func write(c *console.Console, say func() (string, error)) error {
	text, err := say()
	if err != nil {
		return failure.Input(err)
	}
	return c.Print(text)
}

// listed is the list: a line for each run.
func listed(c *console.Console, store runstore.Store, format string) (string, error) {
	all, err := store.List()
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", store.Folder, err)
	}
	if format == asJSON {
		rows := []any{}
		for _, l := range all {
			if l.Err != nil {
				rows = append(rows, struct {
					ID    string `json:"id"`
					Error string `json:"error"`
				}{l.ID, l.Err.Error()})
				continue
			}
			rows = append(rows, l.Run)
		}
		return encoded(rows)
	}
	if len(all) == 0 {
		c.Notice("no run is kept in %s", store.Folder)
		return "", nil
	}
	rows := [][]string{{"RUN", "VERDICT", "VIOLATED", "HOLDS", "UNDECIDED", "TOOK", "COMMAND"}}
	for _, l := range all {
		if l.Err != nil {
			rows = append(rows, []string{l.ID, "damaged", "", "", "", "", l.Err.Error()})
			continue
		}
		r := l.Run.Results
		violated := fmt.Sprint(r.Violated)
		if r.Ignored > 0 {
			violated += fmt.Sprintf(" (+%d ignored)", r.Ignored)
		}
		verdict := l.Run.Verdict
		if verdict == "" {
			verdict = "–"
		}
		took := time.Duration(l.Run.Seconds * float64(time.Second)).Round(100 * time.Millisecond)
		rows = append(rows, []string{l.ID, verdict, violated, fmt.Sprint(r.Holds), fmt.Sprint(r.Inconclusive), took.String(), l.Run.Command})
	}
	return table(rows, c.ASCII()), nil
}

// table aligns columns; the last is as long as it is.
func table(rows [][]string, ascii bool) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = trace.Printable(cell, ascii)
			widths[i] = max(widths[i], trace.Columns(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-trace.Columns(cell)+2))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func encoded(value any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return b.String(), err
}

func runDiff(c *console.Console, store runstore.Store, format string, names []string) error {
	var results [2]stored.Result
	for i, name := range names {
		r, err := stored.Open(c, store, name)
		if err != nil {
			return failure.Input(err)
		}
		if r.Document.Report == nil {
			return failure.Input(fmt.Errorf("%s is a random walk, which has no findings", r.Name))
		}
		results[i] = r
	}
	d := compare(results[0], results[1])
	err := write(c, func() (string, error) {
		if format == asJSON {
			return encoded(d)
		}
		return d.text(c), nil
	})
	if err != nil || len(d.New) == 0 {
		return err
	}
	return failure.Found(finding.CodeViolated)
}
