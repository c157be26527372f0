package replay_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

var rewrite = flag.Bool("rewrite", false, "write docs/FIDELITY.md anew, from all cases")

// These tests make traces happen on the real control plane, whose executable
// `make test` builds. SEATRIAL_CONFORMANCE=1 has them replay every case.
func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv(controlplane.Executable) == "" {
		fmt.Fprintf(os.Stderr, "replay: %s does not name the control plane's executable: run make test, or make build and set it to bin/seatrial-controlplane\n", controlplane.Executable)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const (
	casesDirectory = "../../../../examples/cases"
	fidelityPage   = "../../../../docs/FIDELITY.md"
)

// sampled are the cases of every run: each has parts of the control plane that the
// others do not need.
var sampled = []string{
	"a5/bad-reported",        // a cycle of the descheduler with two pods, and ties
	"c4/bad",                 // pods that crash, and a budget
	"e4/bad-under-load",      // an autoscaler against an applier
	"j2/bad",                 // a preemption
	"kivi-c7/bad",            // a kubelet that rejects, taint eviction
	"node-loss-recovery/bad", // a machine that is lost
}

// replayed is one trace and what became of it.
type replayed struct {
	variant, result string
	outcome         *replay.Outcome
}

// row is a line of docs/FIDELITY.md.
func (r replayed) row() string {
	o := r.outcome
	rounds := ""
	if o.Rounds > 0 {
		rounds = fmt.Sprintf(", %d rounds", o.Rounds)
	}
	return fmt.Sprintf("| `%s` | %s | %d | %.0f %% | %s%s |", r.variant, r.result, o.Expected+o.Seen-o.Matched, 100*o.Rate, o.Verdict, rounds)
}

// TestReplay: every counterexample happens on real Kubernetes as it says.
func TestReplay(t *testing.T) {
	variants := sampled
	if all := os.Getenv("SEATRIAL_CONFORMANCE") != "" || *rewrite; all {
		variants = bad(t)
	}
	var rows []string
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			for _, r := range replayCase(t, variant) {
				if r.outcome.Verdict != replay.Confirmed {
					t.Errorf("%s: %s: %s\n%s", r.result, r.outcome.Verdict, r.outcome.Reason, lines(r.outcome))
				}
				rows = append(rows, r.row())
			}
		})
	}
	page, err := os.ReadFile(fidelityPage)
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		write(t, page, rows)
		return
	}
	for _, row := range rows {
		if !bytes.Contains(page, []byte(row+"\n")) {
			t.Errorf("docs/FIDELITY.md does not have the line\n%s", row)
		}
	}
}

// bad are the variants that are violated.
func bad(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(casesDirectory, "*", "bad*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d cases, %v", len(folders), err)
	}
	var out []string
	for _, folder := range folders {
		out = append(out, filepath.Base(filepath.Dir(folder))+"/"+filepath.Base(folder))
	}
	slices.Sort(out)
	return out
}

// limit is how long one replay may take.
const limit = 2 * time.Minute

// replayCase checks a case and replays the traces of its violations.
func replayCase(t *testing.T, variant string) []replayed {
	t.Helper()
	var out []replayed
	for _, r := range check(t, variant).Results {
		if r.Verdict != finding.Violated {
			continue
		}
		out = append(out, replayed{variant, r.Rule + " " + r.Name, run(t, r.Trace)})
	}
	if len(out) == 0 {
		t.Fatal("nothing is violated")
	}
	return out
}

func load(t *testing.T, variant string) *manifest.Input {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{filepath.Join(casesDirectory, variant)}, nil, manifest.Options{
		ValidateDescheduler: cluster.CheckPolicy, ValidateExpression: cluster.CheckExpression,
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func check(t *testing.T, variant string) *finding.Report {
	t.Helper()
	report, err := cluster.Check(t.Context(), load(t, variant), cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func run(t *testing.T, tr *trace.Trace) *replay.Outcome {
	t.Helper()
	outcome, err := replay.Run(context.WithoutCancel(t.Context()), tr, replay.Options{Timeout: limit})
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// lines are the two sides of an outcome.
func lines(o *replay.Outcome) string {
	var b strings.Builder
	for _, r := range o.Rows {
		fmt.Fprintf(&b, "%3d  %-70s  %s\n", r.Step+1, r.Expected, r.Seen)
	}
	return b.String()
}

var table = regexp.MustCompile(`(?s)(\| case \| .*?\n\|[-|]+\|\n).*?(\n\n|$)`)

// write puts the rows into the table of the page.
func write(t *testing.T, page []byte, rows []string) {
	t.Helper()
	if !table.Match(page) {
		t.Fatal("docs/FIDELITY.md has no table that begins with | case |")
	}
	text := table.ReplaceAllString(string(page), "${1}"+strings.Join(rows, "\n")+"${2}")
	if err := os.WriteFile(fidelityPage, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
