package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/finding"
)

// operators are the sample operators, with the property whose change shows the mistake of
// each, or that above it, and the oracles one of which has to show it. The twin of each, without it, is to have no
// finding.
var operators = []struct {
	folder, property string
	oracles          []string
	// brief is a focus with which few operations show it.
	brief string
}{
	{"kept-annotation", "spec.service.annotations", []string{"twin"}, "spec.service.annotations"},
	{"first-service", "spec.service", []string{"twin"}, ""},
	{"skipped-volume", "spec.persistence", []string{"twin"}, ""},
	{"dead-property", "spec.terminationGracePeriodSeconds", []string{"dead-property"}, ""},
	{"wrong-role", "spec.data.tolerations", []string{"consistency", "twin"}, ""},
	{"shared-default", "spec.settings", []string{"twin", "restart", "recovery"}, ""},
	{"unchecked-nil", "spec.metrics", []string{"crash"}, ""},
	{"stale-config", "spec.routes", []string{"rollout"}, ""},
	// Whatever can be turned off shows it: an exporter, a disruption budget.
	{"left-exporter", "spec", []string{"twin"}, ""},
	// Whatever keeps a pod from being ready shows it: an image, a selector of nodes.
	{"blocked-repair", "spec", []string{"recovery"}, ""},
	{"trusted-size", "spec.size", []string{"misoperation"}, ""},
	{"refused-migration", "spec.version", []string{"health"}, ""},
	{"restless-stamp", "spec.stamp", []string{"hot-loop"}, ""},
	{"missed-label", "spec.track", []string{"selector"}, ""},
	{"constant-port", "spec.portName", []string{"reference"}, "spec.portName"},
	{"stuck-finalizer", "spec.index", []string{"deletion"}, ""},
	// Whatever keeps pods from being ready shows it.
	{"hopeful-status", "spec", []string{"status"}, "spec.nodeSelector"},
	{"unowned-dashboard", "spec.dashboard", []string{"ownership"}, ""},
}

// repeatedMost is how many operations are planned for a twin when it was tried with the usual number before.
const repeatedMost = 60

// planes is how many planes a campaign on a sample operator has: two leave half of two cores idle.
const planes = 4

// TestOperators runs a campaign on each sample operator, as often as SEATRIAL_REPEATS says: its mistake is found and
// the property named, and its twin, with a whole plan the first time, has no finding. That takes hours, so that make
// conformance does it; make test-long runs those for which few operations are enough, and make test one of them.
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
	for repeat := range repeats {
		for _, o := range operators {
			if o.brief == "" && !long || testing.Short() && o.folder != "kept-annotation" {
				continue
			}
			t.Run(o.folder, func(t *testing.T) {
				buggy, fixed := campaign.Options{Findings: 1}, campaign.Options{}
				focus := ""
				switch {
				case !long:
					focus, buggy.Operations, fixed.Operations = o.brief, 12, 12
				case repeat > 0:
					fixed.Operations = repeatedMost
				}
				found, _ := campaignOn(t, operator, o.folder, "buggy", focus, buggy)
				if !slices.ContainsFunc(found, func(r finding.Result) bool {
					return slices.Contains(o.oracles, r.Name) && strings.HasPrefix(r.Subject, o.property)
				}) {
					t.Errorf("none of %v shows the mistake, at %s", o.oracles, o.property)
				}
				if found, verdict := campaignOn(t, operator, o.folder, "fixed", focus, fixed); verdict != finding.Holds {
					t.Errorf("the twin has %d findings, %s; nothing is wrong with it", len(found), verdict)
				}
			})
		}
	}
}

// campaignOn runs a campaign as the README of the samples shows it, and gives what is violated and the verdict.
func campaignOn(t *testing.T, program, name, form, focus string, o campaign.Options) ([]finding.Result, finding.Verdict) {
	t.Helper()
	folder := filepath.Join("../../examples/operators", name)
	flags := input.Flags{
		Operator: program + " " + name + " " + form + " --metrics-bind-address=127.0.0.1:$(PORT_metrics)",
		CRDs:     []string{filepath.Join(folder, "crd.yaml")}, Seed: filepath.Join(folder, "seed.yaml"),
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
	o.Input, o.Parallel, o.Now = in, planes, time.Now
	out, err := campaign.Run(t.Context(), o)
	if err != nil {
		t.Errorf("%s %s: %v", name, form, err)
		return nil, finding.Inconclusive
	}
	r := out.Report(name, nil)
	t.Logf("%s %s: %s %s; %s in %s (learning %s, running %s, reducing %s), quiet %s, %d uncertain", name, form, r.Verdict, r.Reason, r.Bound.Text,
		time.Since(begun).Round(time.Second), out.Learning.Round(time.Second), out.Running.Round(time.Second), out.Reducing.Round(time.Second), out.Quiet, len(out.Gone))
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
	return found, r.Verdict
}
