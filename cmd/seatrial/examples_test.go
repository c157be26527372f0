package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shownExamples finds the examples in the help of a command.
var shownExamples = regexp.MustCompile(`(?ms)^Examples:\n(.*?)\n\n`)

// shop is the folder that the examples are about: a drain of it never ends.
var shop = map[string]string{
	"deploy/shop.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec:
  minAvailable: 1
  selector: {matchLabels: {app: web}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: db}]}
`,
	"deploy/overlays/prod/kustomization.yaml": "kind: Kustomization\nresources: [../../shop.yaml]\n",
	"charts/web/Chart.yaml":                   "name: web\n",
	"prod.yaml":                               "replicas: 1\n",
	"scenario.yaml": `apiVersion: seatrial.dev/v1alpha1
kind: Scenario
metadata: {name: shop}
spec:
  nodePools:
  - name: pool
    min: 2
    template: {status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
  events:
  - type: drain
    nodes: [pool]
`,
}

// standIns are programs that the examples name, and that need not be on the machine.
var standIns = map[string]string{
	"kustomize": "#!/bin/sh\ncat deploy/*.yaml\n",
	"helm":      "#!/bin/sh\ncat deploy/*.yaml\n",
	"jsonnet":   "#!/bin/sh\ncat deploy/*.yaml\n",
	"go":        "#!/bin/sh\ntest \"$*\" = 'test ./...' && test -f \"$KUBECONFIG\"\n",
}

// TestExamples runs every example that the help of a command has, in a shell, one
// after another: none is wrong.
func TestExamples(t *testing.T) {
	s := newShell(t)
	for name, text := range shop {
		write(t, filepath.Join(s.directory, name), text, 0o600)
	}
	for name, text := range standIns {
		write(t, filepath.Join(s.directory, "bin", name), text, 0o700)
	}
	pages, err := filepath.Glob("../../docs/cli/*.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := shownExamples.FindSubmatch(text)
		if found == nil {
			continue
		}
		for line := range strings.Lines(string(found[1]) + "\n") {
			count++
			s.example(t, strings.TrimSpace(line))
		}
	}
	if count < 15 {
		t.Errorf("%d examples were found", count)
	}
}

// example runs one line. What it finds may be a violation, or undecided.
func (s *shell) example(t *testing.T, line string) {
	t.Helper()
	t.Log(line)
	if strings.HasPrefix(line, "seatrial controlplane") && !strings.Contains(line, " -- ") {
		s.serve(t, line, false)
		return
	}
	// The run and the report of the day on which the example was written.
	line = strings.NewReplacer("20261122-1030", "latest", "main.json", "report.json").Replace(line)
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = s.directory, s.variables
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 && code != 3 {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
