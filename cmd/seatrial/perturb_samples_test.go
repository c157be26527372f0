package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
	"github.com/seatrial/seatrial/controlplane"
)

// mistakes are the experiments with a mistake, and the pattern by which each is found.
// The twin of each, without it, is to have no finding.
var mistakes = []struct{ folder, buggy, fixed, pattern string }{
	{"controllers/stale-finalizer", "experiment", "fixed", "stale-state"},
	{"controllers/stale-disable", "experiment", "fixed", "stale-state"},
	{"controllers/skipped-second-creation", "experiment", "fixed", "intermediate-state"},
	{"controllers/lost-recreation", "experiment", "fixed", "intermediate-state"},
	{"controllers/edge-trigger", "experiment", "fixed", "unobserved-state"},
	{"controllers/late-orphan", "experiment", "fixed", "slow-answer"},
	{"controllers/leader-overlap", "experiment", "fixed", "leader-overlap"},
	{"controllers/informer-lag", "experiment", "fixed", "informer-lag"},
	{"controllers/lost-acknowledgement", "experiment", "fixed", "lost-answer"},
	{"controllers/python", "experiment", "fixed", "intermediate-state"},
	{"kube-controller-manager", "replicaset", "replicaset-consistent", "informer-lag"},
	{"kube-controller-manager", "statefulset", "statefulset-consistent", "informer-lag"},
	{"kube-controller-manager", "daemonset", "daemonset-consistent", "informer-lag"},
	{"kube-controller-manager", "job", "job-consistent", "informer-lag"},
}

// TestSamples runs all plans of all samples, as often as SEATRIAL_REPEATS says: each
// mistake is found by its pattern, and no twin has a finding. It takes an hour, so that
// make conformance does it; make test runs one pair (TestPerturb).
func TestSamples(t *testing.T) {
	if os.Getenv("SEATRIAL_CONFORMANCE") == "" {
		t.Log("only with SEATRIAL_CONFORMANCE: make conformance")
		return
	}
	plane := os.Getenv(controlplane.Executable)
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(plane))
	repeats, err := strconv.Atoi(os.Getenv("SEATRIAL_REPEATS"))
	if err != nil {
		repeats = 1
	}
	program := samples(t)
	for range repeats {
		for _, m := range mistakes {
			t.Run(m.folder+"/"+m.buggy, func(t *testing.T) {
				found, _ := tryAll(t, program, m.folder, m.buggy)
				if !slices.Contains(found, m.pattern) {
					t.Errorf("found by %v, want %s among them", found, m.pattern)
				}
				found, verdicts := tryAll(t, program, m.folder, m.fixed)
				if len(found) > 0 || verdicts[perturb.Inconclusive] > 0 {
					t.Errorf("%s: found by %v, %d inconclusive; nothing is wrong with it", m.fixed, found, verdicts[perturb.Inconclusive])
				}
			})
		}
	}
}

// tryAll runs the plans of an experiment: by which patterns something was found, and
// how many plans came to what.
func tryAll(t *testing.T, program, folder, name string) (found []string, verdicts map[perturb.Verdict]int) {
	t.Helper()
	e, err := experiment.Load(filepath.Join("../../examples", folder, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(e.Controller.Command[0]) == "controllers" {
		e.Controller.Command[0] = program
	}
	o, err := perturb.Run(t.Context(), perturb.Options{Experiment: e, Parallel: 3, Confirm: 2, Now: time.Now})
	if err != nil {
		t.Errorf("%s/%s: %v", folder, name, err)
		return nil, nil
	}
	for _, g := range o.Groups() {
		found = append(found, g.Pattern)
		t.Logf("%s/%s: %s in %d of %d runs: %s", folder, name, g.Pattern, g.Best().Failed, g.Best().Runs, g.Best().Divergences[0].Text)
	}
	for _, r := range o.Results {
		if r.Verdict == perturb.Inconclusive {
			t.Logf("%s/%s: inconclusive: %s %s", folder, name, r.Plan.Sentence, r.Reason)
		}
	}
	n := len(o.Results)
	t.Logf("%s/%s: %d plans, %v; learning %s, running %s, %s a plan", folder, name, n, o.Counted(""),
		o.Learning.Round(time.Millisecond), o.Running.Round(time.Millisecond), (o.Running / time.Duration(max(n, 1))).Round(time.Millisecond))
	return found, o.Counted("")
}
