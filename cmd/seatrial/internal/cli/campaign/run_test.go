package campaign

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
)

const file = `apiVersion: seatrial.dev/v1alpha1
kind: Campaign
controller: {command: [sh]}
seed: {apiVersion: example.com/v1, kind: Web, metadata: {name: web}, spec: {replicas: 1}}
unreachable: [exec]
`

// plan is of two sequences of one operation each.
func plan() *operation.Plan {
	sequence := func(value int64) *operation.Sequence {
		return &operation.Sequence{Operations: []*operation.Operation{{
			Name: "more", Property: "spec.replicas", Changes: []operation.Change{{Path: []any{"spec", "replicas"}, Value: value}},
		}}}
	}
	return &operation.Plan{Hash: "abc", Sequences: []*operation.Sequence{sequence(2), sequence(3)}}
}

// result is what became of a sequence in which nothing is wrong.
func result(number int) *campaign.Result {
	return &campaign.Result{ID: "abc/" + string(rune('0'+number)), Number: number, Steps: []campaign.StepResult{{Operation: "more", Quiet: true, Effective: true}}, Took: time.Second}
}

// try runs the command in the current folder, around a campaign that a test makes up.
func try(t *testing.T, run func(context.Context, campaign.Options) (*campaign.Outcome, error), args ...string) (code int, out, errs string) {
	t.Helper()
	streams, o, e := iostreams.Test("", iostreams.Terminal{})
	cmd := New(console.New(streams, "v1"), Trial{Runs: runstore.Store{Folder: ".seatrial"}, Oracles: oracle.Names(), Masks: oracle.MaskNames(), Campaign: run})
	cmd.SetArgs(append([]string{"campaign.yaml"}, args...))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetErr(&bytes.Buffer{})
	err := cmd.ExecuteContext(t.Context())
	var f *failure.Error
	if errors.As(err, &f) {
		code = int(f.Code)
		if f.Err != nil {
			return code, o.String(), e.String() + f.Err.Error()
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return code, o.String(), e.String()
}

func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("campaign.yaml", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCodes: what a campaign comes to, and what the command ends with.
func TestCodes(t *testing.T) {
	once := &campaign.Finding{Deviations: []oracle.Deviation{{Oracle: "twin", Text: "a Service is missing"}}, Operations: plan().Sequences[0].Operations}
	found := &campaign.Finding{Deviations: []oracle.Deviation{{Oracle: "twin", Text: "a Service is missing"}}, Operations: plan().Sequences[0].Operations, Runs: 2, Failed: 2}
	for _, c := range []struct {
		name string
		out  campaign.Outcome
		err  error
		args []string
		code int
		says string
	}{
		{name: "holds", out: campaign.Outcome{Results: []*campaign.Result{result(0), result(1)}}, says: "HOLDS"},
		{name: "violated", out: campaign.Outcome{Results: []*campaign.Result{result(0)}, Findings: []*campaign.Finding{found}}, code: 1, says: "a Service is missing (in 2 of 2 runs)"},
		{name: "no time", out: campaign.Outcome{Results: []*campaign.Result{result(0)}, Skipped: 1}, code: 3, says: "the time was over: 1 operations were not tried"},
		{name: "nothing tried", code: 3, says: "no operation was tried"},
		{name: "operator", err: &campaign.OperatorError{Err: errors.New("it ends")}, code: 2, says: "campaign.yaml:4: it ends"},
		{name: "operator at start", err: &campaign.OperatorError{Err: &stage.ControllerError{Text: "it exited before it was ready"}}, code: 2, says: "campaign.yaml:3: it exited before it was ready"},
		{name: "refused", err: &campaign.RefusedError{Err: errors.New("no such class")}, code: 2, says: "campaign.yaml:4: no such class"},
		{name: "machine", err: errors.New("the disk is full"), code: 4, says: "the disk is full"},
		{name: "seen once", out: campaign.Outcome{Results: []*campaign.Result{result(0)}, Findings: []*campaign.Finding{once}}, code: 3, says: "NOT CONFIRMED SEA3001 twin"},
		{name: "machine, later", out: campaign.Outcome{Results: []*campaign.Result{result(0)}, Findings: []*campaign.Finding{found}}, err: errors.New("the disk is full"), code: 1, says: "a Service is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inFolder(t)
			code, out, errs := try(t, func(_ context.Context, o campaign.Options) (*campaign.Outcome, error) {
				c.out.Plan = plan()
				return &c.out, c.err
			}, c.args...)
			if code != c.code || !strings.Contains(strings.Join(strings.Fields(out+errs), " "), c.says) {
				t.Errorf("code %d, want %d:\n%s%s", code, c.code, out, errs)
			}
		})
	}
}

// TestOracleIsThere: a program that is not there, or none, is wrong before anything is started.
func TestOracleIsThere(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile("campaign.yaml", []byte(file+"oracles: [{name: quorum, command: [./campaign.yaml]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := try(t, func(context.Context, campaign.Options) (*campaign.Outcome, error) {
		t.Error("it was started")
		return &campaign.Outcome{Plan: plan()}, nil
	})
	if code != 2 || !strings.Contains(errs, "campaign.yaml of the oracle quorum: permission denied") {
		t.Errorf("code %d:\n%s%s", code, out, errs)
	}
}

// TestFindingIsWritten: the resources of a finding are files, in the order in which they are applied, and
// what looks for it again is beside them.
func TestFindingIsWritten(t *testing.T) {
	inFolder(t)
	found := &campaign.Finding{Deviations: []oracle.Deviation{{Oracle: "twin", Text: "x"}}, Operations: plan().Sequences[1].Operations, Runs: 2, Failed: 2}
	code, out, _ := try(t, func(context.Context, campaign.Options) (*campaign.Outcome, error) {
		return &campaign.Outcome{Plan: plan(), Results: []*campaign.Result{result(0)}, Findings: []*campaign.Finding{found}}, nil
	})
	text := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"reproduce it with seatrial campaign --reproduce .seatrial/findings/campaign-1/finding.json", "what the operator wants of pods by exec is not there"} {
		if code != 1 || !strings.Contains(text, want) {
			t.Errorf("code %d, no %q:\n%s", code, want, out)
		}
	}
	for name, want := range map[string]string{"00-seed.yaml": "# the seed\n", "01-spec.replicas.yaml": "# more\n"} {
		text, err := os.ReadFile(filepath.Join(".seatrial/findings/campaign-1", name))
		if err != nil || !strings.HasPrefix(string(text), want) || !strings.Contains(string(text), "kind: Web\n") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if text, _ := os.ReadFile(".seatrial/findings/campaign-1/01-spec.replicas.yaml"); !strings.Contains(string(text), "replicas: 3\n") {
		t.Errorf("%s", text)
	}
}

// TestResume: what was done is known the next time, if all is the same; a line that was cut off is
// written over.
func TestResume(t *testing.T) {
	inFolder(t)
	var known map[string]*campaign.Result
	run := func(tell ...*campaign.Result) func(context.Context, campaign.Options) (*campaign.Outcome, error) {
		return func(_ context.Context, o campaign.Options) (*campaign.Outcome, error) {
			known = o.Known
			for _, r := range tell {
				o.Done(r)
			}
			return &campaign.Outcome{Plan: plan(), Results: tell}, nil
		}
	}
	left := result(7)
	left.ID = "" // the seed's
	try(t, run(result(0), left))
	if len(known) != 0 {
		t.Errorf("known: %v", known)
	}
	journal := ".seatrial/campaign/campaign.jsonl"
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, append(text, `{"id": "abc/1", "nu`...), 0o600); err != nil {
		t.Fatal(err)
	}
	try(t, run(result(1)), "--resume")
	if len(known) != 1 || known["abc/0"] == nil || known["abc/0"].Took != time.Second || len(known["abc/0"].Steps) != 1 {
		t.Errorf("known: %v", known)
	}
	try(t, run(), "--resume")
	if len(known) != 2 {
		t.Errorf("known: %v", known)
	}
	for _, other := range [][]string{{"--operations=9"}, {"--env=A=1"}, {"--random-seed=2"}} {
		_, _, errs := try(t, run(), append(other, "--resume")...)
		if len(known) != 0 || !strings.Contains(errs, "there is nothing to go on with") {
			t.Errorf("%v: known: %v, %s", other, known, errs)
		}
		try(t, run(result(0), result(1)))
	}
}

// TestIdentify: another program of the operator's or of an oracle, or another script that one runs, is another
// campaign.
func TestIdentify(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{"op", "judge.sh", "judge.py", "op.py"}
	for _, name := range files {
		write(name, "#!/bin/sh\n")
	}
	identified := func() string {
		t.Helper()
		in := &input.Input{Folder: folder, Oracles: []input.Oracle{
			{Name: "a", CEL: "true"}, {Name: "b", Command: []string{filepath.Join(folder, "judge.sh")}}, {Name: "c", Command: []string{"sh", "-e", "judge.py"}}, {Name: "d", Command: []string{"no-such-program"}},
		}}
		in.Controller.Command, in.Controller.Directory = []string{filepath.Join(folder, "op"), "op.py"}, folder
		var h head
		if err := h.identify(in); err != nil {
			t.Fatal(err)
		}
		return strings.Join(h.Programs, " ")
	}
	before := identified()
	if identified() != before {
		t.Error("it is another though nothing has changed")
	}
	for _, name := range files {
		write(name, "#!/bin/sh\nexit 0\n")
		if identified() == before {
			t.Errorf("%s is another, and not the campaign", name)
		}
		write(name, "#!/bin/sh\n")
	}
}

// TestSaveNothing: without --save it is not noted what is done; findings are written, since they are what
// was found.
func TestSaveNothing(t *testing.T) {
	inFolder(t)
	found := &campaign.Finding{Deviations: []oracle.Deviation{{Oracle: "twin", Text: "x"}}, Operations: plan().Sequences[1].Operations, Runs: 2, Failed: 2}
	try(t, func(_ context.Context, o campaign.Options) (*campaign.Outcome, error) {
		o.Done(result(0))
		return &campaign.Outcome{Plan: plan(), Results: []*campaign.Result{result(0)}, Findings: []*campaign.Finding{found}}, nil
	}, "--save=false")
	entries, err := os.ReadDir(".seatrial")
	if err != nil || len(entries) != 1 || entries[0].Name() != "findings" {
		t.Errorf("%v: %v", entries, err)
	}
}

// TestTimeout: it is told when the time is over, so that some of it can be kept.
func TestTimeout(t *testing.T) {
	inFolder(t)
	code, out, errs := try(t, func(ctx context.Context, o campaign.Options) (*campaign.Outcome, error) {
		end, ok := ctx.Deadline()
		if apart := end.Sub(o.Until).Abs(); !ok || apart > 10*time.Second {
			t.Errorf("%v, and then %v", o.Until, end)
		}
		return &campaign.Outcome{Plan: plan(), Results: []*campaign.Result{result(0)}, Skipped: 1}, nil
	}, "--timeout=1m")
	if code != 3 {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
}

// TestProgress: each thing that is done is told in a line.
func TestProgress(t *testing.T) {
	for want, p := range map[string]campaign.Progress{
		"starting a control plane":                                                 {What: "start"},
		"setting up what the campaign needs in the cluster":                        {What: "set up"},
		"running the seed, to learn what is usual":                                 {What: "learn"},
		"running the seed again, with 2 objects that it refers to and nobody gave": {What: "provide", Of: 2},
		"operation 3 of 10, 1 found, about 7s left":                                {What: "operations", Done: 3, Of: 10, Found: 1, Left: 7 * time.Second},
		"finding 1 of 2 is tried again":                                            {What: "repeat", Of: 2},
		"finding 2 of 2 is made smaller":                                           {What: "reduce", Done: 1, Of: 2},
		"finding 2 of 2 is made smaller, about 2m0s left":                          {What: "reduce", Done: 2, Of: 2, Left: 2 * time.Minute},
	} {
		if got := told(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
