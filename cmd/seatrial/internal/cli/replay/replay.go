// Package replay is `seatrial replay`: from a file with traces to what became of
// them on a real control plane.
package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/trace"
)

// Trial is what the command runs.
type Trial struct {
	// Runs is where runs are kept.
	Runs runstore.Store
	// Replay makes one trace happen. Its errors are the trace's (replay.Unusable) or
	// the control plane's.
	Replay func(ctx context.Context, t *trace.Trace, o replay.Options) (*replay.Outcome, error)
	// Plan runs a plan of perturb: the words are those of 'seatrial perturb replay'.
	Plan func(ctx context.Context, words []string) error
}

type options struct {
	file    string
	outputs []string
	timeout time.Duration
	results []string
	// histories is a folder for what was written to the API server.
	histories string
	keeper    *keep.Keeper
}

const timeoutDefault = 2 * time.Minute

const long = `Replay takes a trace that check found and makes it happen on a real control plane:
etcd, kube-apiserver, kube-controller-manager, kube-scheduler and descheduler, with
kubelets that only say what kubelets say. It builds the cluster of the trace, does
what the environment does in it, and lets the real components act; their writes are
let through in the order of the trace.

FILE is what 'seatrial check -o json' wrote, one trace, or a walk of 'seatrial check
--simulate -o json'; - is standard input. A run that was kept does too: its id, the
beginning of it, or latest. Every trace of a report is replayed, or those of the
results that --result names. A plan of 'seatrial perturb' is repeated as 'seatrial
perturb replay' does.

A trace is confirmed if every step happens and the end is as it says: the same
state, or the same cycle three times round. It has diverged if a component decides
otherwise; both sides are shown.`

const examples = `  seatrial check deploy/
  seatrial replay latest
  seatrial check -o json=report.json deploy/
  seatrial replay report.json
  seatrial replay --result=drain-completes -o json report.json
  seatrial replay --histories=histories report.json`

// New returns the command.
func New(c *console.Console, t Trial) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "replay [flags] FILE|RUN|-", Short: "make a trace happen on a real control plane",
		Long: long, Example: examples, DisableFlagsInUseLine: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			if o.timeout <= 0 {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("--timeout=%v: it has to be more than nothing", o.timeout))
			}
			outputs, err := output.Parse(o.outputs, output.Reports)
			if err != nil {
				return failure.Usage(cmd.CommandPath(), err.Error())
			}
			return run(cmd.Context(), c, t, o, outputs)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, output.Usage)
	flags.StringArrayVar(&o.results, "result", nil, "replay only the trace of the result with this rule id or `NAME`; repeatable")
	flags.DurationVar(&o.timeout, "timeout", timeoutDefault, "longest time for one trace")
	output.HistoriesFlag(flags, &o.histories, "each trace")
	config.LineOnly(flags, "histories")
	o.keeper = keep.New(cmd, t.Runs)
	// It fails for a flag that is not there, or twice: neither can be.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func run(ctx context.Context, c *console.Console, t Trial, o *options, outputs output.Plan) error {
	content, name, err := read(c, t.Runs, o.file)
	if err != nil {
		return failure.Input(err)
	}
	if isPlan(content) && name != "-" {
		return t.Plan(ctx, o.ofPlan())
	}
	o.keeper.Begin(c)
	outputs.Announce(c)
	o.file = name
	subjects, err := parse(content)
	if err == nil {
		subjects, err = selected(subjects, o.results)
	}
	if err != nil {
		return failure.Input(fmt.Errorf("%s: %w", name, err))
	}
	d := &document{Schema: Schema, Tool: "seatrial", Version: c.Version, Command: command(o), Replays: []*replay.Outcome{}}
	for _, s := range subjects {
		outcome, err := t.Replay(ctx, s.trace, replay.Options{Timeout: o.timeout, Progress: func(text string) {
			if c.Verbose > 0 {
				c.Line(text)
			}
		}})
		var unusable replay.Unusable
		switch {
		case errors.As(err, &unusable):
			return failure.Input(fmt.Errorf("%s: %s: %w", name, s.title(), err))
		case err != nil && ctx.Err() != nil:
			outcome = &replay.Outcome{Schema: replay.Schema, Verdict: replay.Inconclusive, Reason: "interrupted", Rows: []replay.Row{}}
		case err != nil:
			return failure.Internal(fmt.Errorf("%s: %w", s.title(), err))
		}
		outcome.Rule, outcome.Subject = s.rule, s.subject
		d.Replays = append(d.Replays, outcome)
		if ctx.Err() != nil {
			break
		}
	}
	d.finish()
	files, failed := output.WriteHistories(o.histories, d.histories())
	d.Histories = files
	document := d.document()
	written, err := outputs.Write(c, document)
	code := finding.Worst(d.code(), written)
	if failed != nil {
		err, code = errors.Join(err, failed), finding.Worst(code, output.CodeOf(failed))
	}
	sum := sha256.Sum256(content)
	input := runstore.Input{File: o.file, SHA256: hex.EncodeToString(sum[:]), Bytes: len(content)}
	o.keeper.End(c, keep.Kept{Document: document, Verdict: string(d.Verdict), Code: code, Command: d.Command, Inputs: []runstore.Input{input}})
	return failure.With(code, err)
}

// isPlan tells whether a file is a plan of perturb, which is YAML.
func isPlan(content []byte) bool {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	return !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) && yaml.Unmarshal(content, &head) == nil &&
		head.APIVersion == plan.APIVersion && head.Kind == plan.Kind
}

// ofPlan are the words of 'seatrial perturb replay' for a plan.
func (o *options) ofPlan() []string {
	var words []string
	for _, output := range o.outputs {
		words = append(words, "--output="+output)
	}
	if o.histories != "" {
		words = append(words, "--histories="+o.histories)
	}
	return append(words, o.file)
}

// command is the command that repeats the run.
func command(o *options) string {
	words := []string{"seatrial", "replay"}
	for _, name := range o.results {
		words = append(words, shell.Quote("--result="+name))
	}
	return strings.Join(append(words, shell.Quote(o.file)), " ")
}

// fileMax bounds what is read, in bytes: a report of a large cluster has some
// megabytes.
const fileMax = 1 << 28

// read returns what a file or a run holds, and its name: of a run the id, which
// names it for ever.
func read(c *console.Console, runs runstore.Store, name string) ([]byte, string, error) {
	if runs.Folder != "" && name != "-" {
		run, err := runs.Open(name)
		if err == nil {
			content, err := runs.Result(run.ID)
			return content, run.ID, err
		}
		if !errors.Is(err, runstore.ErrNoRun) {
			return nil, name, err
		}
	}
	in := io.Reader(c.Streams.In)
	if name != "-" {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, name, fmt.Errorf("%s: there is no such run in %s, and no such file; 'seatrial runs' lists the runs", name, runs.Folder)
		}
		if err != nil {
			return nil, name, err
		}
		defer f.Close()
		in = f
	}
	content, err := io.ReadAll(io.LimitReader(in, fileMax+1))
	if err == nil && len(content) > fileMax {
		err = fmt.Errorf("%s has more than %d MiB: it is no report", name, fileMax>>20)
	}
	return content, name, err
}

// subject is one trace with the result that it belongs to, if that is known.
type subject struct {
	rule, name, subject string
	trace               *trace.Trace
}

func (s subject) title() string {
	if s.name == "" {
		return "trace"
	}
	return s.name + " (" + s.subject + ")"
}

// parse reads a report or a trace: their schemas tell which.
func parse(content []byte) ([]subject, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(content, &head); err != nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			err = errors.New("it is no JSON object with a schema") // not what Go calls it
		}
		return nil, fmt.Errorf("this is no report and no trace: %w", err)
	}
	if head.Schema == trace.Schema {
		t, err := trace.Decode(bytes.NewReader(content))
		if err != nil {
			return nil, err
		}
		return []subject{{trace: t}}, nil
	}
	if head.Schema == finding.SimulationSchema {
		var s finding.Simulation
		if err := json.Unmarshal(content, &s); err != nil {
			return nil, err
		}
		if s.Trace == nil {
			return nil, errors.New("the walk has no trace")
		}
		s.Trace.Schema = trace.Schema
		return []subject{{trace: s.Trace}}, s.Trace.Check()
	}
	if head.Schema != finding.Schema {
		return nil, fmt.Errorf("the schema is %q; replay reads %s, %s and %s", head.Schema, finding.Schema, finding.SimulationSchema, trace.Schema)
	}
	report, err := reportjson.Read(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	var found []subject
	for _, r := range report.Results {
		if r.Trace != nil && r.Verdict == finding.Violated {
			found = append(found, subject{r.Rule, r.Name, r.Subject, r.Trace})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no trace in it: the verdict is %s", report.Verdict)
	}
	return found, nil
}

// selected are those that --result names.
func selected(all []subject, names []string) ([]subject, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []subject
	for _, name := range names {
		before := len(out)
		for _, s := range all {
			if s.name == name || s.rule == name {
				out = append(out, s)
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("no result %q has a trace", name)
		}
	}
	return out, nil
}
