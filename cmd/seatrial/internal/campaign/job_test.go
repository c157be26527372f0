package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// TestAtWork: a Job is waited for as long as it can come to an end.
func TestAtWork(t *testing.T) {
	job, pod := history.Key{Resource: "jobs.batch", Namespace: "a", Name: "j"}, history.Key{Resource: "pods", Namespace: "a", Name: "j-1"}
	of := func(name, reason string) history.Object {
		return history.Object{
			"metadata": map[string]any{"ownerReferences": []any{map[string]any{"kind": "Job", "name": name}}},
			"status":   map[string]any{"containerStatuses": []any{map[string]any{"state": map[string]any{"waiting": map[string]any{"reason": reason}}}}},
		}
	}
	over := func(condition string) history.Object {
		return history.Object{"status": map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True"}}}}
	}
	for _, c := range []struct {
		name  string
		state history.State
		want  string
	}{
		{"it has no pod yet", history.State{job: {}}, "jobs.batch a/j is not over"},
		{"its pod runs", history.State{job: {}, pod: of("j", "")}, "jobs.batch a/j is not over"},
		{"its pod never will", history.State{job: {}, pod: of("j", "ErrImagePull")}, ""},
		{"another's never will", history.State{job: {}, pod: of("i", "ErrImagePull")}, "jobs.batch a/j is not over"},
		{"complete", history.State{job: over("Complete")}, ""},
		{"failed", history.State{job: over("Failed")}, ""},
		{"it does not fail yet", history.State{job: over("FailureTarget")}, "jobs.batch a/j is not over"},
		{"suspended", history.State{job: {"spec": map[string]any{"suspend": true}}}, ""},
		{"deleted", history.State{job: {"metadata": map[string]any{"deletionTimestamp": "now"}}}, ""},
	} {
		p := (&tempo{}).patience(webKey)
		if got := p.Waits(c.state); got != c.want || p.Others(c.state) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestGoesOn: a Job that does not come to an end is no unrest.
func TestGoesOn(t *testing.T) {
	running := history.State{{Resource: "jobs.batch", Namespace: "a", Name: "j"}: {}}
	for _, c := range []struct {
		why  string
		want bool
	}{{"jobs.batch a/j is not over", true}, {"writes went on for 1m0s", false}, {"", false}} {
		rest := stage.Rest{Why: c.why}
		if goesOn(&rest, running); rest.Quiet != c.want || c.want == (rest.Why != "") && c.why != "" {
			t.Errorf("%q: %+v", c.why, rest)
		}
	}
}
