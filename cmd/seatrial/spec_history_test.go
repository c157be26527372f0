package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplayedHistory: what a replay had real controllers do is a behaviour of the design
// of a rollout, and not of one with other numbers.
func TestReplayedHistory(t *testing.T) {
	t.Parallel()
	p := newRehearsalRoom(t)
	for from, to := range map[string]string{
		"cases/b6/bad/manifests.yaml": "manifests.yaml", "spec/rollout/Rollout.tla": "Rollout.tla", "spec/rollout/Observed.tla": "Observed.tla",
	} {
		text, err := os.ReadFile(filepath.Join("../../examples", from))
		if err != nil {
			t.Fatal(err)
		}
		p.write(t, to, string(text))
	}
	const design = "SPECIFICATION Spec\nCONSTANTS\n  Replicas = 3\n  MaxSurge = 1\n  MaxUnavailable = 0\n  Lag = 100\n  Careful = TRUE\nINVARIANTS WithinSurge EnoughAvailable\n"
	p.write(t, "Observed.cfg", design)
	p.write(t, "surge.cfg", strings.Replace(design, "MaxSurge = 1", "MaxSurge = 0", 1))
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"check -o json=report.json manifests.yaml", 1, "SEA1003"},
		{"replay --histories=kept -o json=replays.json report.json", 0, "confirmed"},
		{"spec --history=kept/trace-1.jsonl Observed.tla", 0, "holds     SEA6007 history"},
		{"spec --history=kept/trace-1.jsonl Observed.tla surge.cfg", 1, "VIOLATED  SEA6007 history"},
		{"spec --history=replays.json Observed.tla", 0, "holds     SEA6007 history"},
		{"spec --history=report.json Observed.tla", 2, "report.json:1: this is what a model did"},
	} {
		code, stdout, stderr := p.perturb(t, "bin/seatrial "+c.line)
		if said := stdout + stderr; code != c.code || !strings.Contains(said, c.says) {
			t.Fatalf("%s: exits %d, want %d and %q, and says\n%s", c.line, code, c.code, c.says, said)
		}
	}
}
