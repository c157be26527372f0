package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/internal/pace"
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
	"deploy/overlays/prod/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../../shop.yaml]\n",
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
	"kubectl":   "#!/bin/sh\ncase \"$1\" in get) cat deploy/*.yaml ;; apply) grep -q 'server: https://127.0.0.1:' \"$KUBECONFIG\" ;; *) exit 1 ;; esac\n",
	"go":        "#!/bin/sh\nif test \"$*\" = 'test ./...' && test -f \"$KUBECONFIG\"; then exit; fi\nexec GO \"$@\"\n",
}

// operator is an experiment with bin/manager, which is one of the sample controllers.
const operator = `apiVersion: seatrial.dev/v1alpha1
kind: Experiment
metadata: {name: web}
controller: {command: [./bin/manager]}
setup: [examples/controllers/lost-acknowledgement/crd.yaml]
steps:
- apply: {apiVersion: example.com/v1, kind: AccessToken, metadata: {namespace: default, name: deploy}, spec: {audience: registry.example.com}}
- wait: {object: accesstokens.example.com default/deploy, until: "object.status.issued"}
`

// campaignOf is a campaign with the same operator.
const campaignOf = `apiVersion: seatrial.dev/v1alpha1
kind: Campaign
controller: {command: [./bin/manager]}
crds: examples/controllers/lost-acknowledgement/crd.yaml
seed: {apiVersion: example.com/v1, kind: AccessToken, metadata: {namespace: default, name: deploy}, spec: {audience: registry.example.com}}
`

// newShop is a shell in a folder with what the examples are about, and with the sample
// controllers.
func newShop(t *testing.T, executable string) *shell {
	t.Helper()
	s := newShell(t)
	for name, text := range shop {
		write(t, filepath.Join(s.directory, name), text, 0o600)
	}
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range standIns {
		text = strings.ReplaceAll(text, "GO", program)
		write(t, filepath.Join(s.directory, "bin", name), text, 0o700)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	link(t, examples, filepath.Join(s.directory, "examples"), "controllers")
	controllers := filepath.Join(s.directory, "examples", "controllers")
	link(t, filepath.Join(examples, "controllers"), controllers, "controllers")
	if err := os.Symlink(executable, filepath.Join(controllers, "controllers")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.directory, "bin", "manager"), "#!/bin/sh\nexec examples/controllers/controllers lost-acknowledgement fixed\n", 0o700)
	write(t, filepath.Join(s.directory, "experiment.yaml"), operator, 0o600)
	write(t, filepath.Join(s.directory, "campaign.yaml"), campaignOf, 0o600)
	operatorModule(t, s.directory)
	text := planOf(t, filepath.Join(s.directory, "experiment.yaml"))
	for _, name := range []string{"plan.yaml", ".seatrial/plans/web-1a2b3c4d.yaml"} {
		write(t, filepath.Join(s.directory, name), text, 0o600)
	}
	return s
}

// operatorModule is a module with an operator in internal/controller, whose tests settle
// runs.
func operatorModule(t *testing.T, folder string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]string{"": "", "sample": "sample", "internal/sample": "sample", "internal/controller": "generatedname"} {
		files, err := filepath.Glob(filepath.Join(root, "examples", "settle", from, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			if name == "go.mod" {
				text = []byte(strings.ReplaceAll(string(text), "../..", root))
			}
			if filepath.Ext(name) != ".md" {
				write(t, filepath.Join(folder, to, name), string(text), 0o600)
			}
		}
	}
	write(t, filepath.Join(folder, "internal/controller/testdata/settle/TestBuggy.json"), killed, 0o600)
	// The copy of the repository that pages have beside the module; all pages have the same.
	if err := os.Symlink(root, filepath.Join(folder, "..", "seatrial")); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// killed is a trace that settle has kept of that operator.
const killed = `{"schema": "seatrial.dev/report/v1alpha1", "tool": "seatrial", "verdict": "violated", "results": [{
"rule": "SEA5001", "name": "settles", "subject": "TestBuggy", "verdict": "violated", "message": "there are two",
"trace": {"schema": "seatrial.dev/trace/v1alpha1", "initial": [], "loop": 10, "steps": [
{"actor": "user", "action": "create databases default/shop", "turn": true},
{"actor": "database default/shop", "action": "reconcile"},
{"actor": "database default/shop", "action": "get databases default/shop"},
{"actor": "database default/shop", "action": "create secrets default/shop-*"},
{"actor": "process", "action": "is killed, and begins again", "turn": true},
{"actor": "database default/shop", "action": "reconcile"},
{"actor": "database default/shop", "action": "get databases default/shop"},
{"actor": "database default/shop", "action": "create secrets default/shop-*"},
{"actor": "database default/shop", "action": "update databases default/shop/status"},
{"actor": "database default/shop", "action": "reconcile"}]}}]}`

// link makes a folder with what is in another, but for one entry.
func link(t *testing.T, from, to, without string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err == nil {
		err = os.Mkdir(to, 0o700)
	}
	for _, e := range entries {
		if err == nil && e.Name() != without {
			err = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// planOf is a plan of an experiment: the answer to the first creation is lost.
func planOf(t *testing.T, file string) string {
	t.Helper()
	e, err := experiment.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{
		APIVersion: plan.APIVersion, Kind: plan.Kind, Version: "devel", Pattern: "lost-answer", Sentence: "Lose the answer.", Assumption: plan.LostAnswer,
		Trigger: plan.Trigger{
			Actor: plan.Controller, Type: history.Create, Occurrence: 1,
			Object: experiment.Reference{Resource: "secrets", Namespace: "default", Name: "deploy-token"},
		},
		Fault: plan.Fault{Kind: "lose"}, Experiment: e,
	}
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExamples runs every example that the help of a command has, in a shell, one
// after another: none is wrong.
func TestExamples(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	s := newShop(t, samples(t))
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

// elsewhere are the pages whose lines for a shell another test runs, or nobody can.
var elsewhere = map[string]string{
	"docs/controlplane.md": "TestControlPlanePage",
	"docs/perturb.md":      "TestPerturbPage",
	"docs/field-notes.md":  "is about files of others, which are not kept",
}

// TestShownCommands runs every line that README and the manual have for a shell, those
// of a page one after another in a folder of their own.
func TestShownCommands(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	cluster, controllers := prod(t), samples(t)
	count := 0
	for _, page := range append(pages(t, "../.."), "examples/cases/README.md") {
		if elsewhere[page] != "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		blocks := scripts.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			continue
		}
		s := newShop(t, controllers)
		s.variables = append(s.variables, "KUBECONFIG="+cluster)
		for _, block := range blocks {
			for line := range strings.Lines(block[1]) {
				line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
				if line = strings.TrimSpace(line); line == "make demo" || line == "make test" {
					continue // what runs this test, and what runs it
				}
				count++
				s.example(t, line)
			}
		}
	}
	if count < 40 {
		t.Errorf("%d lines were found", count)
	}
}

// prod is the kubeconfig of a cluster that has the shop in it, but for its database,
// with the name that pages give it.
func prod(t *testing.T) string {
	t.Helper()
	plane := planeWith(t, strings.Join(strings.Split(shop["deploy/shop.yaml"], "---\n")[:2], "---\n"))
	config, err := clientcmd.LoadFromFile(plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.Contexts["prod"] = config.Contexts[config.CurrentContext]
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// example runs one line. What it finds may be a violation, or undecided.
func (s *shell) example(t *testing.T, line string) {
	t.Helper()
	t.Log(line)
	if strings.HasPrefix(strings.TrimPrefix(line, "bin/"), "seatrial controlplane") && !strings.Contains(line, " -- ") {
		s.serve(t, line, false)
		return
	}
	// The run and the report of the day on which the example was written; and of a campaign, which would use
	// all of its minute, a few operations.
	line = strings.NewReplacer("20261122-1030", "latest", "main.json", "report.json", "campaign --timeout=1m", "campaign --operations=2 --timeout=1m").Replace(line)
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
