package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/finding"
)

// operators are the sample operators, with the property whose change shows the mistake of
// each, and the oracles one of which has to show it. The twin of each, without it, is to have no
// finding.
var operators = []struct {
	folder, property string
	oracles          []string
	// brief is a focus with which few operations show it.
	brief string
}{
	{"kept-annotation", "spec.service.annotations", []string{"twin"}, "spec.service.annotations"},
	{"first-service", "spec.service", []string{"twin"}, ""},
	{"skipped-volume", "spec.persistence.storageClassName", []string{"twin"}, ""},
	{"dead-property", "", []string{"dead-property"}, ""},
	{"wrong-role", "", []string{"consistency", "twin"}, ""},
	{"shared-default", "", []string{"twin", "restart"}, ""},
	{"unchecked-nil", "", []string{"crash"}, ""},
	{"stale-config", "", []string{"rollout"}, ""},
	{"left-exporter", "", []string{"twin"}, ""},
	{"blocked-repair", "", []string{"recovery"}, ""},
	{"trusted-size", "", []string{"misoperation"}, ""},
	{"refused-migration", "spec.version", []string{"health"}, ""},
	{"restless-stamp", "spec.stamp", []string{"hot-loop"}, ""},
	{"missed-label", "spec.track", []string{"selector"}, ""},
	{"stuck-finalizer", "spec.index", []string{"deletion"}, ""},
	{"unowned-dashboard", "spec.dashboard", []string{"ownership"}, ""},
}

// TestOperators runs a whole campaign on each sample operator, as often as SEATRIAL_REPEATS
// says: its mistake is found, and its twin has no finding. That takes hours, so that make
// conformance does it; make test runs those for which few operations are enough.
func TestOperators(t *testing.T) {
	t.Parallel()
	long := os.Getenv("SEATRIAL_CONFORMANCE") != ""
	repeats, err := strconv.Atoi(os.Getenv("SEATRIAL_REPEATS"))
	if err != nil || !long {
		repeats = 1
	}
	if os.Getenv(controlplane.Executable) == "" {
		t.Fatalf("%s is not set: make test builds it", controlplane.Executable)
	}
	operator := program(t, "operators")
	for range repeats {
		for _, o := range operators {
			if o.brief == "" && !long {
				continue
			}
			t.Run(o.folder, func(t *testing.T) {
				focus, most := "", 0
				if !long {
					focus, most = o.brief, 12
				}
				found := campaignOn(t, operator, o.folder, "buggy", focus, most)
				if !slices.ContainsFunc(found, func(r finding.Result) bool { return slices.Contains(o.oracles, r.Name) }) {
					t.Errorf("none of %v shows the mistake", o.oracles)
				}
				if found := campaignOn(t, operator, o.folder, "fixed", focus, most); len(found) > 0 {
					t.Errorf("the twin has %d findings; nothing is wrong with it", len(found))
				}
			})
		}
	}
}

// campaignOn runs a campaign, and gives what is violated.
func campaignOn(t *testing.T, program, name, form, focus string, operations int) []finding.Result {
	t.Helper()
	folder := filepath.Join("../../examples/operators", name)
	flags := input.Flags{
		Operator: program + " " + name + " " + form, CRDs: []string{filepath.Join(folder, "crd.yaml")}, Seed: filepath.Join(folder, "seed.yaml"),
		Setup: []string{filepath.Join(folder, "../setup.yaml")},
	}
	if focus != "" {
		flags.Focus = []string{focus}
	}
	in, err := input.Load(flags)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	out, err := campaign.Run(t.Context(), campaign.Options{Input: in, Parallel: 2, Operations: operations, Now: time.Now})
	if err != nil {
		t.Errorf("%s %s: %v", name, form, err)
		return nil
	}
	r := out.Report(name, nil)
	t.Logf("%s %s: %s %s; %s in %s (learning %s, running %s, reducing %s), quiet %s, %d uncertain", name, form, r.Verdict, r.Reason, r.Bound.Text,
		time.Since(begun).Round(time.Second), out.Learning.Round(time.Second), out.Running.Round(time.Second), out.Reducing.Round(time.Second), out.Quiet, out.Uncertain)
	var found []finding.Result
	for _, result := range r.Results {
		if result.Verdict != finding.Violated {
			continue
		}
		found = append(found, result)
		t.Logf("  %s %s %s: %s", result.Rule, result.Name, result.Subject, result.Message)
		for _, c := range result.Causes {
			t.Logf("      %s", c.Message)
		}
	}
	return found
}
