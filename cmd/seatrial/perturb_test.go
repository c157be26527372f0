package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/internal/pace"
)

// perturbed finds what README and the manual show of a run of perturb.
var perturbed = regexp.MustCompile("(?ms)^```sh\nbin/(seatrial perturb [^\n]*)\n```\n\n```text\n(.*?)^```$")

// drawn is what of a run is another each time.
var drawn = regexp.MustCompile(`\(after \d+ ms, revision \d+\)|revision \d+`)

// TestPerturbPage runs what the manual's page on perturb has for a shell, and compares
// what that shows of it, and README of its beginning.
func TestPerturbPage(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	text, err := os.ReadFile("../../docs/perturb.md")
	if err != nil {
		t.Fatal(err)
	}
	s := newShop(t, samples(t))
	shown := perturbed.FindStringSubmatch(string(text))
	if shown == nil {
		t.Fatal("the page shows no run")
	}
	cmd := exec.Command("sh", "-c", shown[1])
	cmd.Dir, cmd.Env = s.directory, append(s.variables, "LANG=C.UTF-8")
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("%s: %v", shown[1], err)
	}
	if diff := cmp.Diff(drawn.ReplaceAllString(shown[2], "…"), drawn.ReplaceAllString(string(out), "…")); diff != "" {
		t.Errorf("%s prints something else (-shown +printed):\n%s", shown[1], diff)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, begin, found := strings.Cut(string(readme), "```console\n$ "+shown[1]+"\n")
	begin, _, _ = strings.Cut(begin, "```\n")
	if !found || begin == "" || !strings.HasPrefix(drawn.ReplaceAllString(string(out), "…"), drawn.ReplaceAllString(begin, "…")) {
		t.Errorf("README shows another run, or none: %q", begin)
	}
	count := 0
	for _, block := range scripts.FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			if line = strings.TrimPrefix(strings.TrimSpace(line), "bin/"); line == shown[1] {
				continue
			}
			count++
			t.Log(line)
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir, cmd.Env = s.directory, s.variables
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if count < 3 {
		t.Errorf("%d more lines were found", count)
	}
}
