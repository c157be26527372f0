package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestExamples: what each model of examples/spec is there to show.
func TestExamples(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "examples", "spec")
	const endless = -1 // it is there for histories, and 1,000 states of it are explored
	seen := map[string]bool{}
	for _, c := range []struct {
		module, configuration string
		states                int
		// violates is the first property that is violated, and steps how many steps show it.
		violates string
		steps    int
	}{
		{"operator/Operator", "Operator", 58, "", 0},
		{"operator/Observed", "Observed", 58, "", 0},
		{"operator/Operator", "buggy", 0, "Operator!OneSecret", 5},
		{"operator/Operator", "careless", 0, "Operator", 4},
		{"operator/OperatorAlgorithm", "OperatorAlgorithm", 19, "", 0},
		{"operator/OperatorAlgorithm", "generated", 0, "OperatorAlgorithm!OneSecret", 5},
		{"rollout/Rollout", "Rollout", 1233, "", 0},
		{"rollout/Observed", "Observed", endless, "", 0},
		{"rollout/Observed", "wide", endless, "", 0},
		{"rollout/Observed", "down", endless, "", 0},
		{"rollout/Rollout", "broken", 563, "Rollout!Completes", 12},
		{"rollout/Rollout", "hasty", 0, "Rollout!EnoughAvailable", 17},
		{"rollout/Rollout", "pods", 0, "Rollout!PodsWithinSurge", 7},
		{"rollout/Rollout", "stuck", 1, "Rollout", 0},
		{"eviction/Eviction", "Eviction", 24387, "", 0},
		{"eviction/Observed", "Observed", endless, "", 0},
		{"eviction/Observed", "crowd", endless, "", 0},
		{"eviction/Observed", "share", endless, "", 0},
		{"eviction/Observed", "most", endless, "", 0},
		{"eviction/Eviction", "blind", 0, "Eviction!EnoughHealthy", 8},
		{"eviction/Eviction", "forgetful", 0, "Eviction!EnoughHealthy", 9},
		{"eviction/Eviction", "impossible", 0, "Eviction", 0},
		{"eviction/Eviction", "unguarded", 0, "Eviction", 5},
	} {
		file := filepath.Join(root, c.module+".tla")
		configuration := filepath.Join(filepath.Dir(file), c.configuration+".cfg")
		seen[configuration] = true
		o := Options{File: file, Configuration: configuration}
		want := finding.Holds
		if c.states == endless {
			o.MaxStates, want = 1000, finding.Inconclusive
		}
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Errorf("%s: %v", configuration, err)
			continue
		}
		var first finding.Result
		for _, one := range r.Results {
			if one.Verdict == finding.Violated && first.Verdict == "" {
				first = one
			}
		}
		if first.Subject != c.violates || (r.Verdict == want) != (c.violates == "") {
			t.Errorf("%s: %s, %+v", configuration, r.Verdict, first)
		}
		if first.Trace != nil && len(first.Trace.Steps) != c.steps {
			t.Errorf("%s: %d steps, want %d", configuration, len(first.Trace.Steps), c.steps)
		}
		if c.states > 0 && r.Bound.States != c.states {
			t.Errorf("%s: %d states, want %d", configuration, r.Bound.States, c.states)
		}
	}
	all, err := filepath.Glob(filepath.Join(root, "*", "*.cfg"))
	if err != nil || len(all) != len(seen) {
		t.Errorf("%d models, of which %d are looked at (%v)", len(all), len(seen), err)
	}
}

// TestHistories: which recorded histories are behaviours of the operator's specification.
func TestHistories(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "examples", "spec", "operator")
	for file, message := range map[string]string{
		"once.jsonl":  "",
		"twice.jsonl": `event 2: create secrets default/shop-b9w5t by operator: no step from what explains the history before it leads there; observed: secrets = {[name |-> "shop-b9w5t", owner |-> "shop"]} (the steps explain what came before)`,
	} {
		r, err := Run(t.Context(), Options{File: filepath.Join(folder, "Observed.tla"), History: filepath.Join(folder, file), Observed: "Observed"})
		if err != nil {
			t.Fatal(err)
		}
		last := r.Results[len(r.Results)-1]
		for _, one := range r.Results {
			if one.Rule == "SEA6007" {
				last = one
			}
		}
		if last.Rule != "SEA6007" || last.Message != message || (last.Verdict == finding.Holds) != (message == "") {
			t.Errorf("%s: %+v", file, last)
		}
		if message != "" {
			event := last.Trace.Steps[len(last.Trace.Steps)-1]
			if event.Actor != "event 2" || event.Note != `no step leads here; possible instead: Create (secrets = {[name |-> "shop", owner |-> "shop"]})` || len(event.Changes) != 1 {
				t.Errorf("%s: the trace ends with %+v", file, event)
			}
		}
	}
	for _, c := range []struct{ history, observed string }{{"Observed.cfg", "Observed"}, {"once.jsonl", "Absent"}, {"absent.jsonl", "Observed"}} {
		_, err := Run(t.Context(), Options{File: filepath.Join(folder, "Observed.tla"), History: filepath.Join(folder, c.history), Observed: c.observed})
		if err == nil || !IsInput(err) {
			t.Errorf("%v: %v is no error of what was given", c, err)
		}
	}
}
