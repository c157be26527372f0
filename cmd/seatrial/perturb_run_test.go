package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/internal/pace"
)

// rehearsalRoom is a folder in which seatrial perturb is run, with a copy of an
// experiment and its custom resource.
type rehearsalRoom struct {
	*shell
	// planes is where control planes have their directories.
	planes string
}

func newRehearsalRoom(t *testing.T) *rehearsalRoom {
	t.Helper()
	p := &rehearsalRoom{shell: newShell(t)}
	p.planes = filepath.Join(p.directory, "planes")
	if err := os.Mkdir(p.planes, 0o700); err != nil {
		t.Fatal(err)
	}
	p.variables = append(p.variables, admin.DirectoryVariable+"="+p.planes)
	samples := "../../examples/controllers"
	for from, to := range map[string]string{"skipped-second-creation/crd.yaml": "crd.yaml", "skipped-second-creation/experiment.yaml": "experiment.yaml"} {
		text, err := os.ReadFile(filepath.Join(samples, from))
		if err != nil {
			t.Fatal(err)
		}
		p.write(t, to, string(text))
	}
	return p
}

func (p *rehearsalRoom) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.directory, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// perturb runs a line to its end: the code that it exits with, and what it says.
func (p *rehearsalRoom) perturb(t *testing.T, line string) (code int, stdout, stderr string) {
	t.Helper()
	var said bytes.Buffer
	cmd := p.command(line)
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	p.nothingIsLeft(t)
	return cmd.ProcessState.ExitCode(), string(out), said.String()
}

func (p *rehearsalRoom) nothingIsLeft(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(p.planes)
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// TestPerturb runs two forms of a sample controller: one that skips its second
// creation when it is killed behind the first, and the one that does not. What is
// found is a file, which is run again: with either form.
func TestPerturb(t *testing.T) {
	t.Parallel()
	p := newRehearsalRoom(t)
	p.variables = append(p.variables, "CONTROLLERS="+samples(t))
	const (
		line  = `bin/seatrial perturb --pattern=intermediate-state --confirm=0 --references=2 --histories=h -o json=r.json experiment.yaml -- "$CONTROLLERS" skipped-second-creation `
		again = `bin/seatrial perturb replay --references=2 -o json=r.json .seatrial/plans/*.yaml`
	)
	for _, c := range []struct {
		line string
		code int
		rule string // of what is violated
	}{
		{line + "fixed", 0, ""},
		{line + "buggy", 1, "SEA2001"},
		{again, 1, "SEA2001"},
		{again + ` -- "$CONTROLLERS" skipped-second-creation fixed`, 0, ""},
	} {
		code, _, stderr := p.perturb(t, c.line)
		if code != c.code {
			t.Fatalf("%s: exits %d\n%s", c.line, code, stderr)
		}
		text, err := os.ReadFile(filepath.Join(p.directory, "r.json"))
		if err != nil {
			t.Fatal(err)
		}
		var report finding.Report
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		rule := ""
		for _, r := range report.Results {
			if r.Verdict == finding.Violated {
				rule += r.Rule
				if r.Trace == nil || len(r.Trace.Steps) == 0 || r.Reference == nil {
					t.Errorf("%s: no trace of %s", c.line, r.Rule)
				}
			}
		}
		if rule != c.rule || len(report.Results) == 0 {
			t.Errorf("%s: violated is %q, want %q\n%s", c.line, rule, c.rule, text)
		}
		plans, err := filepath.Glob(filepath.Join(p.directory, ".seatrial/plans/*.yaml"))
		if err != nil || len(plans) != min(c.code+len(plans), 1) {
			t.Fatalf("%s: plans %v, %v", c.line, plans, err)
		}
	}
	p.histories(t)
}

// histories looks at what was kept of the runs: two without a perturbation, and one of the plan that failed.
func (p *rehearsalRoom) histories(t *testing.T) {
	t.Helper()
	for pattern, want := range map[string]int{"reference-*": 2, "plan-*": 1} {
		files, err := filepath.Glob(filepath.Join(p.directory, "h", pattern+".jsonl"))
		if err != nil || len(files) != want {
			t.Errorf("histories %v, %v; want %d of %s", files, err, want, pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			events, err := history.Read(bytes.NewReader(text))
			if err != nil || !slices.ContainsFunc(events, func(e history.Event) bool {
				return e.Type == history.Create && e.String() == "secrets default/edge-tls"
			}) {
				t.Errorf("%s: %v; no Secret is created in its %d events", file, err, len(events))
			}
		}
	}
	p.write(t, "Certificates.tla", certificates)
	for first, want := range map[string]int{"edge-tls": 0, "edge-tls-internal": 1} {
		p.write(t, "Certificates.cfg", "SPECIFICATION Spec\nCONSTANTS First = \""+first+"\"\n")
		if code, stdout, stderr := p.perturb(t, `sh -c 'exec bin/seatrial spec --history=h/reference-1.jsonl Certificates.tla'`); code != want {
			t.Errorf("%s first: exits %d, want %d\n%s%s", first, code, want, stdout, stderr)
		}
	}
}

// certificates is the design of the controller: it makes one Secret, and then the other.
const certificates = `---- MODULE Certificates ----
EXTENDS Sequences
CONSTANT First
VARIABLE made
Names == {"edge-tls", "edge-tls-internal"}
Spec == made = {} /\ [][\E n \in Names \ made : (made = {} => n = First) /\ made' = made \cup {n}]_made
Observed(objects) ==
  [made |-> {n \in Names : \E i \in DOMAIN objects : objects[i].kind = "Secret" /\ objects[i].metadata.name = n}]
====
`

// TestPerturbBadInputs: what is wrong with an experiment, its controller or a plan
// is said in a line or two, and nothing is left of what was started.
func TestPerturbBadInputs(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	silent := newRehearsalRoom(t).command("bin/seatrial perturb experiment.yaml -- sleep 1000")
	var said bytes.Buffer
	silent.Stderr = &said
	if err := silent.Start(); err != nil { // it takes half a minute
		t.Fatal(err)
	}
	defer func() {
		_ = silent.Wait() // its code is looked at
		if code := silent.ProcessState.ExitCode(); code != 2 || !strings.Contains(said.String(), "asked the API server for nothing within 30s: does it read KUBECONFIG?") {
			t.Errorf("a controller that asks for nothing: exits %d\n%s", code, said.String())
		}
	}()
	p := newRehearsalRoom(t)
	const head = "apiVersion: seatrial.dev/v1alpha1\nkind: Experiment\nsetup: [crd.yaml]\n"
	p.write(t, "no-setup.yaml", strings.Replace(head, "crd.yaml", "none.yaml", 1)+"steps: [run: ['true']]\n")
	p.write(t, "bad-setup.yaml", head+"steps: [run: ['true']]\n")
	p.write(t, "bad.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\nspec: {}\n")
	p.write(t, "garbage.yaml", "\x00\x01")
	p.write(t, "old.yaml", "apiVersion: seatrial.dev/v0\nkind: Plan\n")
	p.write(t, "talker.sh", "#!/bin/sh\nyes 0123456789012345678901234567890123456789 | head -c 3000000\necho 'panic: no luck'; exit 3\n")
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"experiment.yaml", 2, "the controller's program"},
		{"experiment.yaml -- ./none", 2, "the controller's program"},
		{"experiment.yaml -- sh -c 'echo sorry; exit 3'", 2, "sorry"},
		{"experiment.yaml -- sh talker.sh", 2, "panic: no luck"},
		{"none.yaml -- sleep 100", 2, "none.yaml: no such file or directory"},
		{"garbage.yaml -- sleep 100", 2, "control characters"},
		{"no-setup.yaml -- sleep 100", 2, "no-setup.yaml:3: "},
		{"--setup=bad.yaml bad-setup.yaml -- sleep 100", 2, "the setup: "},
		{"--pattern=none experiment.yaml", 2, "there is none of that name"},
		{"replay garbage.yaml", 2, "garbage.yaml: "},
		{"replay old.yaml", 2, "old.yaml: this is no plan"},
		{"replay experiment.yaml", 2, "experiment.yaml: "},
	} {
		code, _, stderr := p.perturb(t, "bin/seatrial perturb "+c.line)
		if code != c.code || !strings.Contains(stderr, c.want) || len(stderr) > 6000 {
			t.Errorf("%s: exits %d, want %d with %q\n%.3000s", c.line, code, c.code, c.want, stderr)
		}
	}
}

// TestPerturbSteps: a step that cannot be done is an error with its line, if the
// controller is there.
func TestPerturbSteps(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	p := newRehearsalRoom(t)
	p.variables = append(p.variables, "CONTROLLERS="+samples(t))
	const head = "apiVersion: seatrial.dev/v1alpha1\nkind: Experiment\nsetup: [crd.yaml]\nsteps:\n"
	p.write(t, "never.yaml", head+"- apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}\n- wait: {object: configmaps default/a, until: object.data.x == 'y', timeout: 2s}\n")
	p.write(t, "no-crd.yaml", head+"- apply: {apiVersion: example.com/v1, kind: Nothing, metadata: {name: a}}\n")
	p.write(t, "fails.yaml", head+"- run: [sh, -c, 'echo bad luck; exit 1']\n")
	for file, want := range map[string]string{
		"never.yaml":  "never.yaml:6: wait until of configmaps default/a object.data.x == 'y': that did not come within 2s: no such key: data",
		"no-crd.yaml": "is its CRD in setup?",
		"fails.yaml":  "bad luck",
	} {
		code, _, stderr := p.perturb(t, "bin/seatrial perturb "+file+` -- "$CONTROLLERS" skipped-second-creation fixed`)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exits %d, want 2 with %q\n%.3000s", file, code, want, stderr)
		}
	}
}

// TestPerturbEnds interrupts and kills a run in the middle. It then reports what it
// has, or nothing; and neither the controller nor the control plane is left.
func TestPerturbEnds(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	program := samples(t)
	for _, c := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGKILL, -1}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			p := newRehearsalRoom(t)
			// Whoever is of the controller has this open to write.
			life := filepath.Join(p.directory, "life")
			if err := syscall.Mkfifo(life, 0o600); err != nil {
				t.Fatal(err)
			}
			alive, err := os.OpenFile(life, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer alive.Close()
			p.variables = append(p.variables, "LIFE="+life, "CONTROLLERS="+program)
			cmd, lines := p.begin(t, `bin/seatrial perturb --references=2 -o json=r.json experiment.yaml -- sh -c 'exec 9>'"$LIFE"'; echo >&9; exec '"$CONTROLLERS"' skipped-second-creation buggy'`, "plan ")
			locks := p.locks(t)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
				t.Log(lines.Text())
			}
			_ = cmd.Wait() // its code is looked at
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exits %d, want %d", code, c.code)
			}
			if _, err := io.Copy(io.Discard, alive); err != nil {
				t.Error(err)
			}
			for _, lock := range locks {
				if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
					t.Error(err)
				}
			}
			p.nothingIsLeft(t)
			_, err = os.Stat(filepath.Join(p.directory, "r.json"))
			if reports := c.signal == syscall.SIGINT; reports != (err == nil) {
				t.Errorf("a report: %v", err)
			}
		})
	}
}

// locks are files that are locked as long as the control planes live.
func (p *rehearsalRoom) locks(t *testing.T) []*os.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.planes, "*", admin.LockFile))
	if err != nil || len(paths) == 0 {
		t.Fatal(fmt.Errorf("no control plane is there: %w", err))
	}
	var locks []*os.File
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		locks = append(locks, f)
	}
	return locks
}
