package spec

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spec"
	"github.com/seatrial/seatrial/finding"
)

// endless never ends by itself, and prints when it is well under way.
const endless = `---- MODULE Endless ----
EXTENDS Naturals, TLC
VARIABLE n
Init == n = 0
Next == n' = n + 1 /\ (n = 1000 => PrintT("far"))
Small == n # 5
====
`

// try runs the command on that module in a folder of its own.
func try(ctx context.Context, t *testing.T, trial Trial, args ...string) (code finding.Code, out, errs string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"Endless.tla": endless, "Endless.cfg": "INIT Init NEXT Next\n", "small.cfg": "INIT Init NEXT Next INVARIANT Small\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	streams, o, e := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"SEATRIAL_SAVE": "false"}})
	trial.Runs = runstore.Store{Folder: ".seatrial"}
	cmd := New(console.New(streams, "v1"), trial)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetErr(&bytes.Buffer{})
	err := cmd.ExecuteContext(ctx)
	var f *failure.Error
	if errors.As(err, &f) {
		code = f.Code
	} else if err != nil {
		t.Fatal(err)
	}
	return code, o.String(), e.String()
}

// TestInterrupt: what was found until then is said.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		args []string
		code finding.Code
		says string
	}{
		{[]string{"Endless.tla"}, finding.CodeInterrupted, "INCONCLUSIVE"},
		{[]string{"--all", "Endless.tla", "small.cfg"}, finding.CodeViolated, "Small is false (after 5 steps)"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		code, out, _ := try(ctx, t, Trial{Spec: func(ctx context.Context, o spec.Options) (*finding.Report, error) {
			o.Print = func(string) { cancel() }
			return spec.Run(ctx, o)
		}}, c.args...)
		if code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, out)
		}
	}
}

// TestTold: what flags become, and how an error of ours ends.
func TestTold(t *testing.T) {
	var told spec.Options
	code, _, _ := try(t.Context(), t, Trial{Spec: func(_ context.Context, o spec.Options) (*finding.Report, error) {
		told = o
		return nil, errors.New("the disk is full")
	}}, "--modules=.", "--workers=3", "--max-states=7", "--max-depth=8", "--max-memory=1Ki", "--all", "--deadlock=false", "Endless.tla", "small.cfg")
	if code != finding.CodeInternal {
		t.Errorf("exit code %d", code)
	}
	if told.File != "Endless.tla" || told.Configuration != "small.cfg" || len(told.Modules) != 1 || told.Workers != 3 || told.MaxStates != 7 ||
		told.MaxDepth != 8 || told.MaxMemory != 1024 || !told.All || told.Deadlock == nil || *told.Deadlock {
		t.Errorf("%+v", told)
	}
}
