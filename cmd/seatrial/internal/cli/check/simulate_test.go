package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

type walks func(context.Context, *manifest.Input, Limits, Walk) (*finding.Simulation, error)

func simulated(t *testing.T, ctx context.Context, w walks, args ...string) outcome {
	t.Helper()
	s, out, log := iostreams.Test(namespace, iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
	return simulatedOn(ctx, s, w, out, log, args...)
}

func simulatedOn(ctx context.Context, s *iostreams.Streams, w walks, out, log *bytes.Buffer, args ...string) outcome {
	c := console.New(s, "v9")
	cmd := New(c, Trial{Simulate: w}, nil)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Flags().BoolVarP(&c.Quiet, "quiet", "q", false, "")
	cmd.SetArgs(append([]string{"--simulate", "-"}, args...))
	o := outcome{err: cmd.ExecuteContext(ctx), out: out.String(), log: log.String()}
	var f *failure.Error
	if errors.As(o.err, &f) {
		o.code = f.Code
	}
	return o
}

// walked is a run of one step.
func walked(_ context.Context, _ *manifest.Input, _ Limits, w Walk) (*finding.Simulation, error) {
	return &finding.Simulation{
		Tool: "seatrial check", Kubernetes: "v1", Seed: w.Seed, Text: "1 node", End: "at rest", AtRest: true,
		Trace: &trace.Trace{Initial: []string{"it begins"}, Steps: []trace.Step{{Actor: "event", Action: "it happens"}}},
	}, nil
}

func TestSimulateShowsARun(t *testing.T) {
	o := simulated(t, t.Context(), walked, "--seed=3")
	const want = `SIMULATED  1 step from seed 3: at rest
one random walk of 1 node; no rule is judged

     start  it begins
  1  event  it happens

by        seatrial check v9, Kubernetes v1
repeat    seatrial check --simulate --seed=3 -
`
	if o.code != 0 || o.out != want {
		t.Errorf("code %d\n%s", o.code, o.out)
	}
	if o := simulated(t, t.Context(), walked, "-q"); o.code != 0 || o.out != "     start  it begins\n  1  event  it happens\n" {
		t.Errorf("quiet: code %d\n%s", o.code, o.out)
	}
	var got struct {
		Schema, Version, Command string
		Seed                     int
		AtRest                   bool
		Omissions                []any
		Trace                    struct{ Steps []any }
	}
	o = simulated(t, t.Context(), walked, "-o", "json")
	if err := json.Unmarshal([]byte(o.out), &got); err != nil || o.code != 0 {
		t.Fatalf("code %d, %v\n%s", o.code, err, o.out)
	}
	if got.Schema != finding.SimulationSchema || got.Version != "v9" || got.Seed != 1 || !got.AtRest || got.Omissions == nil || len(got.Trace.Steps) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestSimulateExitCodes(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, c := range []struct {
		name string
		ctx  context.Context
		walk walks
		want finding.Code
		out  bool
	}{
		{"wrong input found late", t.Context(), func(context.Context, *manifest.Input, Limits, Walk) (*finding.Simulation, error) {
			return nil, manifest.Problems{{Message: "no such event"}}
		}, 2, false},
		{"our fault", t.Context(), func(context.Context, *manifest.Input, Limits, Walk) (*finding.Simulation, error) {
			return nil, errors.New("boom")
		}, 4, false},
		{"a limit", t.Context(), func(context.Context, *manifest.Input, Limits, Walk) (*finding.Simulation, error) {
			return &finding.Simulation{CutShort: true, End: "cut short"}, nil
		}, 3, true},
		{"the user", ctx, func(ctx context.Context, in *manifest.Input, l Limits, w Walk) (*finding.Simulation, error) {
			cancel(ErrInterrupted)
			return walked(ctx, in, l, w)
		}, 130, true},
		{"the user, while loading", ctx, walked, 130, false},
	} {
		o := simulated(t, c.ctx, c.walk)
		if o.code != c.want || (o.out != "") != c.out {
			t.Errorf("%s: code %d, want %d; stdout %q", c.name, o.code, c.want, o.out)
		}
	}
	s, _, log := iostreams.Test(namespace, iostreams.Terminal{})
	s.Out = failing{}
	if o := simulatedOn(t.Context(), s, walked, &bytes.Buffer{}, log); o.code != 4 || !strings.Contains(o.err.Error(), os.ErrClosed.Error()) {
		t.Errorf("a closed output: %+v", o)
	}
}
