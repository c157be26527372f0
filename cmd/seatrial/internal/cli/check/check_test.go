package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
)

const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"

// parsed returns what the command makes of args, without running it.
func parsed(t *testing.T, args ...string) (*Options, error) {
	t.Helper()
	s, _, _ := iostreams.Test("", iostreams.Terminal{})
	var got *Options
	cmd := New(console.New(s, "v1"), Trial{}, func(_ context.Context, o *Options) error {
		got = o
		return nil
	})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(t.Context())
	return got, err
}

func TestFlags(t *testing.T) {
	o, err := parsed(t, "a", "-", "--timeout=90s", "--max-states=1000", "--max-memory=512Mi", "--strict", "--workers=3",
		"--accept=Job/x/y", "--accept", "Job/x/z", "-o", "json=out.json", "--progress=json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Limits{
		Timeout: 90 * time.Second, MaxStates: 1000, MaxMemory: 512 << 20, Workers: 3, Strict: true, Accept: []string{"Job/x/y", "Job/x/z"},
	}, o.Limits); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(output.Plan{Outputs: []output.Output{{Format: "json", File: "out.json"}, {Format: "text"}}}, o.Outputs); diff != "" {
		t.Error(diff)
	}
	if o.Progress != "json" || len(o.Paths) != 2 {
		t.Errorf("%+v", o)
	}
	if got, want := command(o), "seatrial check --timeout=1m30s --max-states=1000 --max-memory=512Mi --strict --accept=Job/x/y --accept=Job/x/z a -"; got != want {
		t.Errorf("command %s\nwant    %s", got, want)
	}
	if o, err = parsed(t, "a"); err != nil || o.Limits.MaxMemory != 4<<30 || command(o) != "seatrial check a" {
		t.Errorf("defaults: %+v, %v", o, err)
	}
}

// TestFlagsThatNarrow: what a result depends on is in the command that repeats it.
func TestFlagsThatNarrow(t *testing.T) {
	o, err := parsed(t, "a", "--all", "--event=the night", "--property=SEA1006", "--event", "drain", "--property", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Limits{
		MaxMemory: 4 << 30, All: true, Properties: []string{"SEA1006", "mine"}, Events: []string{"the night", "drain"},
	}, o.Limits); diff != "" {
		t.Error(diff)
	}
	if got, want := command(o), "seatrial check --all --property=SEA1006 --property=mine '--event=the night' --event=drain a"; got != want {
		t.Errorf("command %s\nwant    %s", got, want)
	}
	for want, args := range map[string][]string{
		"seatrial check --simulate --seed=1 a":                               {"a", "--simulate"},
		"seatrial check --event=none --simulate --seed=0 --steps=5 a":        {"a", "--simulate", "--event=none", "--seed=0", "--steps=5"},
		"seatrial check --simulate --seed=18446744073709551615 a":            {"a", "--simulate", "--seed=18446744073709551615", "--steps=100"},
		"seatrial check --strict --simulate --seed=1 --accept=Job/x/y -- -a": {"--simulate", "--strict", "--accept=Job/x/y", "--", "-a"},
	} {
		if o, err = parsed(t, args...); err != nil || command(o) != want {
			t.Errorf("%q: command %s (%v)\nwant %s", args, command(o), err, want)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no PATH was given", nil},
		{"a PATH is empty", []string{""}},
		{"- was given twice", []string{"-", "-"}},
		{"--timeout is -1s", []string{"a", "--timeout=-1s"}},
		{"--max-states is -1", []string{"a", "--max-states=-1"}},
		{"--workers is -2", []string{"a", "--workers=-2"}},
		{`--max-memory is "lots"`, []string{"a", "--max-memory=lots"}},
		{"--max-memory is -1Gi", []string{"a", "--max-memory=-1Gi"}},
		{"--exact and --grow exclude", []string{"a", "--exact", "--grow"}},
		{"--accept needs a name", []string{"a", "--accept="}},
		{"the format is one of", []string{"a", "-o", "yaml"}},
		{"a random walk judges nothing", []string{"a", "--simulate", "-o", "sarif"}},
		{"one of auto, plain, json, none", []string{"a", "--progress=loud"}},
		{"--property needs a name", []string{"a", "--property="}},
		{"--event needs a name", []string{"a", "--event", " "}},
		{"--seed goes with --simulate", []string{"a", "--seed=3"}},
		{"--steps goes with --simulate", []string{"a", "--steps=100"}},
		{"--all does not go with --simulate", []string{"a", "--simulate", "--all"}},
		{"--property does not go with --simulate", []string{"a", "--simulate", "--property=x"}},
		{"--steps is 0, and must be from 1 to 100000", []string{"a", "--simulate", "--steps=0"}},
		{"--steps is 100001", []string{"a", "--simulate", "--steps=100001"}},
		{`invalid argument "-1" for "--seed"`, []string{"a", "--simulate", "--seed=-1"}},
	} {
		_, err := parsed(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
}

// outcome is what one run of the command leaves behind.
type outcome struct {
	code     finding.Code
	err      error
	out, log string
}

type behaviour func(context.Context, *manifest.Input, Limits) (*finding.Report, error)

func check(t *testing.T, ctx context.Context, b behaviour, stdin string, args ...string) outcome {
	t.Helper()
	s, out, log := iostreams.Test(stdin, iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
	return execute(ctx, s, b, out, log, args...)
}

func execute(ctx context.Context, s *iostreams.Streams, b behaviour, out, log *bytes.Buffer, args ...string) outcome {
	c := console.New(s, "v9")
	cmd := New(c, Trial{Check: b}, nil)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Flags().BoolVarP(&c.Quiet, "quiet", "q", false, "")
	cmd.SetArgs(args)
	o := outcome{err: cmd.ExecuteContext(ctx), out: out.String(), log: log.String()}
	var f *failure.Error
	switch {
	case errors.As(o.err, &f):
		o.code = f.Code
	case o.err != nil:
		o.code = -1
	}
	return o
}

func verdict(v finding.Verdict) behaviour {
	return func(context.Context, *manifest.Input, Limits) (*finding.Report, error) {
		return &finding.Report{Kubernetes: "v1", Verdict: v, Results: []finding.Result{{Rule: "SEA1001", Name: "a-rule", Subject: "x", Verdict: v}}}, nil
	}
}

// TestCodeIsTheSameInEveryFormat: the code follows from what was found.
func TestCodeIsTheSameInEveryFormat(t *testing.T) {
	for v, want := range map[finding.Verdict]finding.Code{finding.Holds: 0, finding.Violated: 1, finding.Inconclusive: 3} {
		for _, args := range [][]string{{"-"}, {"-", "-o", "json"}, {"-", "-o", "text"}, {"-", "-q"}, {"-", "-o", "json=" + filepath.Join(t.TempDir(), "x"), "-q"}} {
			if o := check(t, t.Context(), verdict(v), namespace, args...); o.code != want {
				t.Errorf("%s %q: code %d (%v), want %d", v, args, o.code, o.err, want)
			}
		}
	}
}

func TestJSONIsAloneOnStdout(t *testing.T) {
	o := check(t, t.Context(), verdict(finding.Violated), namespace, "-o", "json", "-")
	r, err := reportjson.Read(strings.NewReader(o.out))
	if err != nil {
		t.Fatalf("%v\n%s", err, o.out)
	}
	if r.Tool != "seatrial" || r.Version != "v9" || r.Command != "seatrial check -" || r.Verdict != finding.Violated {
		t.Errorf("%+v", r)
	}
}

func TestSeveralOutputs(t *testing.T) {
	folder := t.TempDir()
	json, text := filepath.Join(folder, "r.json"), filepath.Join(folder, "r.txt")
	if err := os.WriteFile(json, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := check(t, t.Context(), verdict(finding.Violated), namespace, "-o", "json="+json, "-o", "text="+text, "-")
	for file, want := range map[string]string{json: "{", text: "VIOLATED"} {
		content, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(content), want) {
			t.Errorf("%s: %q, %v", file, content, err)
		}
	}
	if !strings.HasPrefix(o.out, "VIOLATED") {
		t.Errorf("stdout %q", o.out)
	}
	if info, err := os.Stat(json); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of a replaced file changed: %v %v", info.Mode(), err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestOutputThatFails: an output that cannot be written gives 4 and loses no
// other output.
func TestOutputThatFails(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Logf("no /dev/full here: %v", err)
	} else {
		o := check(t, t.Context(), verdict(finding.Violated), namespace, "-o", "json=/dev/full", "-")
		if o.code != 4 || !strings.Contains(o.err.Error(), "write /dev/full: no space left on device") || !strings.HasPrefix(o.out, "VIOLATED") {
			t.Errorf("%+v", o)
		}
	}
	s, _, log := iostreams.Test(namespace, iostreams.Terminal{})
	s.Out = failing{}
	file := filepath.Join(t.TempDir(), "r.json")
	o := execute(t.Context(), s, verdict(finding.Violated), &bytes.Buffer{}, log, "-o", "json="+file, "-")
	if o.code != 4 || !strings.Contains(o.err.Error(), "write standard output: file already closed") {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the other output is lost: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	partial := func(v finding.Verdict) behaviour {
		return func(ctx context.Context, _ *manifest.Input, _ Limits) (*finding.Report, error) {
			cancel(ErrInterrupted)
			<-ctx.Done()
			return &finding.Report{Verdict: v, Results: []finding.Result{{Name: "x", Verdict: v}}}, nil
		}
	}
	if o := check(t, ctx, partial(finding.Inconclusive), namespace, "-o", "json", "-"); o.code != 130 || !strings.Contains(o.out, `"interrupted": true`) {
		t.Errorf("nothing found: %+v", o)
	}
	// The context is cancelled from here on: even loading is cut short.
	if o := check(t, ctx, verdict(finding.Holds), namespace, "-"); o.code != 130 || !strings.HasPrefix(o.out, "INCONCLUSIVE  interrupted before") {
		t.Errorf("while loading: %+v", o)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	if o := check(t, ctx, partial(finding.Violated), namespace, "-"); o.code != 1 || !strings.HasPrefix(o.out, "VIOLATED") {
		t.Errorf("something found: %+v", o)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	none := func(ctx context.Context, _ *manifest.Input, _ Limits) (*finding.Report, error) {
		cancel(ErrInterrupted)
		return nil, ctx.Err()
	}
	if o := check(t, ctx, none, namespace, "-"); o.code != 130 || o.out == "" {
		t.Errorf("no report: %+v", o)
	}
}

// TestInterruptionWhileStdinWaits: nobody types anything, and the user gives up.
func TestInterruptionWhileStdinWaits(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s, out, log := iostreams.Test("", iostreams.Terminal{})
	read, write := io.Pipe()
	defer write.Close()
	s.In = onRead{read, func() { cancel(ErrInterrupted) }}
	if o := execute(ctx, s, verdict(finding.Holds), out, log, "-"); o.code != 130 {
		t.Errorf("%+v", o)
	}
}

// onRead calls f when it is first read.
type onRead struct {
	io.Reader
	f func()
}

func (r onRead) Read(p []byte) (int, error) {
	r.f()
	return r.Reader.Read(p)
}

func TestErrorsOfTheCheck(t *testing.T) {
	report := &finding.Report{Verdict: finding.Violated}
	for _, c := range []struct {
		name   string
		report *finding.Report
		err    error
		want   finding.Code
	}{
		{"an error", nil, errors.New("boom"), 4},
		{"nothing at all", nil, nil, 4},
		{"input found wrong late", nil, manifest.Problems{{Location: finding.Location{File: "a", Line: 1}, Message: "bad CEL"}}, 2},
		{"a report and an error", report, errors.New("boom"), 4},
	} {
		o := check(t, t.Context(), func(context.Context, *manifest.Input, Limits) (*finding.Report, error) { return c.report, c.err }, namespace, "-")
		if o.code != c.want || (o.out != "") != (c.report != nil) {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
	o := check(t, t.Context(), verdict(finding.Holds), "kind: [", "-")
	if o.code != 2 || o.out != "" {
		t.Errorf("bad input: %+v", o)
	}
}

func TestWarningsAreCounted(t *testing.T) {
	var many []finding.Warning
	for range 12 {
		many = append(many, finding.Warning{Location: finding.Location{File: "a.yaml", Line: 3, Column: 5}, Message: "matches\nnothing"})
	}
	s, _, log := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
	c := console.New(s, "")
	warn(c, many)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 11 || lines[0] != `a.yaml:3: warning: matches\nnothing` || lines[10] != "… and 2 more warnings (-v shows them, -o json has all)" {
		t.Error(log.String())
	}
	log.Reset()
	c.Quiet = true
	if warn(c, many); log.Len() != 0 {
		t.Error(log.String())
	}
	c.Quiet, c.Verbose = false, 1
	if warn(c, many); strings.Count(log.String(), "\n") != 12 {
		t.Error(log.String())
	}
}

func TestFactsAreOfTheRun(t *testing.T) {
	for _, c := range []struct {
		took  time.Duration
		asked []Asked
		want  string
	}{
		{20 * time.Millisecond, nil, "[{time 20 ms}]"},
		{90 * time.Second, []Asked{{What: "a", Times: 90, Missed: 9}, {What: "b", Times: 10, Missed: 1}}, "[{time 90.0 s} {answers remembered 90.0 %}]"},
	} {
		if got := fmt.Sprint(facts(c.took, c.asked)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestToldWhatWasAsked(t *testing.T) {
	s, _, log := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
	told(console.New(s, ""), []Asked{
		{What: "the scheduler", Times: 1000, Missed: 4, Spent: 5 * time.Millisecond},
		{What: "the descheduler", Times: 7},
	})
	const want = "asked the scheduler 1000 times, 99.6 % remembered, 1250.0 µs for each other\nasked the descheduler 7 times\n"
	if log.String() != want {
		t.Error(log.String())
	}
}

func TestCommandWithAPathThatLooksLikeAFlag(t *testing.T) {
	if got := command(&Options{Paths: []string{"-x"}}); got != "seatrial check -- -x" {
		t.Error(got)
	}
}

func TestWarningsOfOneReasonAreFolded(t *testing.T) {
	left := func(line int, name, reason string) finding.Warning {
		return finding.Warning{Location: finding.Location{File: "a.yaml", Line: line}, Message: name + " is left out: " + reason}
	}
	s, _, stderr := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
	warn(console.New(s, "v1"), []finding.Warning{
		left(1, "ServiceAccount a/b", "not modelled"), left(2, "Role a/b", "harmless"),
		left(3, "ServiceAccount a/c", "not modelled"),
		{Message: "a selector matches nothing"},
		left(4, "ServiceAccount a/d", "not modelled"),
	})
	want := "a.yaml:1: warning: ServiceAccount a/b is left out: not modelled (and 2 more)\n" +
		"a.yaml:2: warning: Role a/b is left out: harmless\n" +
		"warning: a selector matches nothing\n"
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Error(diff)
	}
}
