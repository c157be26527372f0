package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/controlplane"
)

// replayRoom is a folder with a report of a case that is violated, and what can be made
// of it.
type replayRoom struct{ *rehearsalRoom }

func newReplayRoom(t *testing.T) replayRoom {
	t.Helper()
	p := replayRoom{newRehearsalRoom(t)}
	text, err := os.ReadFile("../../examples/cases/kivi-c5/bad/manifests.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, "manifests.yaml", string(text))
	if code, _, said := p.perturb(t, "bin/seatrial check -o json=report.json manifests.yaml"); code != 1 {
		t.Fatalf("the check exits with %d: %s", code, said)
	}
	return p
}

// edit writes a report that differs in something.
func (p replayRoom) edit(t *testing.T, name string, change func(report map[string]any)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.directory, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	change(report)
	if text, err = json.Marshal(report); err != nil {
		t.Fatal(err)
	}
	p.write(t, name, string(text))
}

// setup is the one of a report, and steps are those of its first trace.
func setup(report map[string]any) map[string]any {
	return report["setups"].([]any)[0].(map[string]any)
}

func steps(report map[string]any) []any {
	for _, result := range report["results"].([]any) {
		if trace, ok := result.(map[string]any)["trace"].(map[string]any); ok {
			return trace["steps"].([]any)
		}
	}
	return nil
}

// firstAct is the first act of a report's trace that is known by its verb.
func firstAct(report map[string]any, verb string) map[string]any {
	for _, step := range steps(report) {
		acts, _ := step.(map[string]any)["acts"].([]any)
		for _, act := range acts {
			if act := act.(map[string]any); act["verb"] == verb {
				return act
			}
		}
	}
	return nil
}

// TestReplayBadInputs: what is wrong with a file is said in a line, before anything is
// started, and what the executable is in two.
func TestReplayBadInputs(t *testing.T) {
	t.Parallel()
	p := newReplayRoom(t)
	p.edit(t, "release.json", func(r map[string]any) { setup(r)["kubernetes"] = "v1.30.0" })
	p.edit(t, "schema.json", func(r map[string]any) { r["schema"] = "seatrial.dev/report/v9" })
	p.edit(t, "alone.json", func(r map[string]any) { delete(r, "setups") })
	p.edit(t, "verb.json", func(r map[string]any) { firstAct(r, "bind")["verb"] = "teleport" })
	p.edit(t, "nowhere.json", func(r map[string]any) { delete(firstAct(r, "bind")["pod"].(map[string]any), "node") })
	p.edit(t, "object.json", func(r map[string]any) {
		objects := setup(r)["objects"].([]any)
		setup(r)["objects"] = append(objects, map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "NO"}, "spec": map[string]any{}})
	})
	p.edit(t, "scheduler.json", func(r map[string]any) {
		setup(r)["components"].(map[string]any)["kube-scheduler"] = map[string]any{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": 7}
	})
	p.edit(t, "manager.json", func(r map[string]any) {
		setup(r)["components"].(map[string]any)["kube-controller-manager"] = map[string]any{"no-such-flag": "1"}
	})
	text, err := os.ReadFile(filepath.Join(p.directory, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, "cut.json", string(text[:len(text)/2]))
	p.write(t, "empty.json", "")
	p.write(t, "plan.yaml", "apiVersion: seatrial.dev/v1alpha1\nkind: Plan\n")
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"replay none.json", 2, "no such file"},
		{"replay .", 2, "is a directory"},
		{"replay cut.json", 2, "cut.json: "},
		{"replay empty.json", 2, "empty.json: "},
		{"replay plan.yaml", 2, "plan.yaml: "},
		{"replay schema.json", 2, `the schema is "seatrial.dev/report/v9"`},
		{"replay release.json", 2, "the trace is of Kubernetes v1.30.0"},
		{"replay alone.json", 2, "setup"},
		{"replay verb.json", 2, `verb "teleport" is not known`},
		{"replay nowhere.json", 2, "a bind without a node"},
		{"replay object.json", 2, "an object of the setup"},
		{"replay scheduler.json", 2, "scheduler"},
		{"replay manager.json", 2, "no-such-flag"},
		{"replay --result=nothing report.json", 2, "nothing"},
		{"replay --timeout=0s report.json", 2, "--timeout=0s"},
		{"replay --timeout=1ms report.json", 3, "it took longer than it may"},
	} {
		code, stdout, stderr := p.perturb(t, "bin/seatrial "+c.line)
		if said := stdout + stderr; code != c.code || !strings.Contains(said, c.says) || strings.Contains(said, "panic") || strings.Count(stderr, "\n") > 6 {
			t.Errorf("%s: exits %d, want %d and %q, and says\n%s", c.line, code, c.code, c.says, said)
		}
	}
	for _, c := range []struct {
		executable string
		code       int
		says       string
	}{
		{filepath.Join(p.directory, "none"), 4, "none"},
		{"/bin/true", 4, "true ended by itself"},
		{filepath.Join(p.directory, "report.json"), 4, "permission denied"},
	} {
		own := replayRoom{&rehearsalRoom{shell: &shell{directory: p.directory, variables: append(p.variables, controlplane.Executable+"="+c.executable)}, planes: p.planes}}
		code, stdout, stderr := own.perturb(t, "bin/seatrial replay report.json")
		if said := stdout + stderr; code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("with %s: exits %d, want %d and %q, and says\n%s", c.executable, code, c.code, c.says, said)
		}
	}
}

// TestReplayPlaneKilled kills the control plane in the middle of a replay: that is told
// in a few lines, and nothing is left.
func TestReplayPlaneKilled(t *testing.T) {
	t.Parallel()
	p := newReplayRoom(t)
	cmd, lines := p.begin(t, "bin/seatrial replay -v report.json", "step 3 of ")
	for _, child := range children(t, cmd.Process.Pid) {
		command, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/cmdline")
		if err != nil || !bytes.Contains(command, []byte("seatrial-controlplane")) {
			continue
		}
		if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	said := ""
	for lines.Scan() {
		said += lines.Text() + "\n"
	}
	_ = cmd.Wait() // its code is looked at
	if code := cmd.ProcessState.ExitCode(); code != 4 || !strings.Contains(said, "signal: killed") {
		t.Errorf("exits %d, want 4, and says\n%s", code, said)
	}
	p.nothingIsLeft(t)
}

// TestReplayInterrupted ends a replay by Ctrl-C: it is inconclusive, and nothing is left.
func TestReplayInterrupted(t *testing.T) {
	t.Parallel()
	p := newReplayRoom(t)
	cmd, lines := p.begin(t, "bin/seatrial replay -v report.json", "step 2 of ")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		t.Log(lines.Text())
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("it ends with %v, want exit code 3", err)
	}
	p.nothingIsLeft(t)
}

// TestReplaysAtOnce: several replays at the same time do not know of each other.
func TestReplaysAtOnce(t *testing.T) {
	t.Parallel()
	p := newReplayRoom(t)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if out, err := p.command("bin/seatrial replay report.json").Output(); err != nil || !bytes.HasPrefix(out, []byte("confirmed")) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	p.nothingIsLeft(t)
}

// TestReplayFullDisk: where the control plane cannot write any more, that is said, and
// nothing is left.
func TestReplayFullDisk(t *testing.T) {
	t.Parallel()
	p := newReplayRoom(t)
	// No file may grow above half a megabyte: etcd cannot make its first one.
	code, stdout, stderr := p.perturb(t, `sh -c 'ulimit -f 512; exec bin/seatrial replay report.json'`)
	if said := stdout + stderr; code != 4 || strings.Contains(said, "panic") || said == "" {
		t.Errorf("exits %d, want 4, and says\n%s", code, said)
	}
}
