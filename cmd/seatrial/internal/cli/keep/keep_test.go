package keep

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/trace"
)

// kept runs a command with these arguments that keeps one run, and returns what it
// says of it.
func kept(t *testing.T, store runstore.Store, env map[string]string, r *finding.Report, args ...string) string {
	t.Helper()
	s, _, said := iostreams.Test("", iostreams.Terminal{Env: env})
	c := console.New(s, "v1")
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	c.Now = func() time.Time { at = at.Add(1500 * time.Millisecond); return at }
	cmd := &cobra.Command{Use: "x"}
	k := New(cmd, store)
	cmd.RunE = func(*cobra.Command, []string) error {
		k.Begin(c)
		c.Line("said before")
		k.End(c, Kept{Document: output.Document{Report: r}, Verdict: "violated", Code: 1, Command: "seatrial check a", Inputs: []runstore.Input{{File: "b", SHA256: "2"}, {File: "a", SHA256: "1"}}})
		return nil
	}
	cmd.SetArgs(args)
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(said.String(), "said before\n")
}

func TestKept(t *testing.T) {
	store := runstore.Store{Folder: filepath.Join(t.TempDir(), ".seatrial")}
	r := &finding.Report{Kubernetes: "v1.36.3", Results: []finding.Result{
		{Verdict: finding.Violated}, {Verdict: finding.Violated, Ignored: &finding.Ignored{}}, {Verdict: finding.Holds}, {Verdict: finding.Inconclusive}, {Verdict: finding.Holds},
	}}
	if said := kept(t, store, nil, r, "--save=true"); said != "" {
		t.Error(said)
	}
	run, err := store.Open("20261122-120001")
	if err != nil {
		t.Fatal(err)
	}
	if run.Seconds != 1.5 || run.Results != (runstore.Tally{Violated: 1, Ignored: 1, Inconclusive: 1, Holds: 2}) || run.Options["save"] != "true" || run.Code != 1 || len(run.Digest) != 64 {
		t.Errorf("%+v", run)
	}
	if a, b := digest(run.Inputs), digest([]runstore.Input{{File: "a", SHA256: "1"}, {File: "b", SHA256: "2"}}); a != b || a == digest(run.Inputs[:1]) {
		t.Errorf("the digest depends on the order, or on nothing: %s, %s", a, b)
	}
}

func TestNotKept(t *testing.T) {
	r := &finding.Report{}
	folder := filepath.Join(t.TempDir(), ".seatrial")
	for name, said := range map[string]string{
		"by the flag":         kept(t, runstore.Store{Folder: folder}, nil, r, "--save=false"),
		"by the variable":     kept(t, runstore.Store{Folder: folder}, map[string]string{variable: "False"}, r),
		"without a place":     kept(t, runstore.Store{}, nil, r),
		"where none can be":   strings.TrimPrefix(kept(t, runstore.Store{Folder: "/dev/null/x"}, nil, r), "warning: this run is not kept in /dev/null/x: not a directory (--save=false does not try)\n"),
		"and a variable says": strings.TrimPrefix(kept(t, runstore.Store{Folder: folder + "2"}, map[string]string{variable: "yes"}, r), ""),
	} {
		if said != "" {
			t.Errorf("%s: %s", name, said)
		}
	}
	if all, err := (runstore.Store{Folder: folder}).List(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if all, err := (runstore.Store{Folder: folder + "2"}).List(); err != nil || len(all) != 1 {
		t.Errorf("a variable that says yes: %v, %v", all, err)
	}
}

// TestLongResultsLoseTraces: a run of many long traces is kept with the first.
func TestLongResultsLoseTraces(t *testing.T) {
	store := runstore.Store{Folder: t.TempDir()}
	noise := make([]byte, 500<<10)
	random := rand.NewChaCha8([32]byte{})
	r := &finding.Report{}
	for range 5 {
		_, _ = random.Read(noise) // never fails
		letters := bytes.Map(func(r rune) rune { return 'a' + r%26 }, noise)
		r.Results = append(r.Results, finding.Result{Name: "x", Verdict: finding.Violated, Trace: &trace.Trace{Steps: []trace.Step{{Actor: "kubelet", Action: string(letters)}}}})
	}
	kept(t, store, nil, r)
	run, err := store.Open(runstore.Latest)
	if err != nil || run.Shortened != "all traces but the first" {
		t.Fatalf("%+v, %v", run, err)
	}
	text, err := store.Result(run.ID)
	if err != nil {
		t.Fatal(err)
	}
	back, err := reportjson.Read(bytes.NewReader(text))
	if err != nil || len(back.Results) != 5 || back.Results[0].Trace == nil || back.Results[1].Trace != nil || r.Results[1].Trace == nil {
		t.Errorf("%v", err)
	}
}
