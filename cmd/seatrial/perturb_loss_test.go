package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// begin runs a line until a line of what it says begins with text, and returns it and
// what is read of it from then on.
func (p *rehearsalRoom) begin(t *testing.T, line, text string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := p.command(line)
	cmd.Stderr = nil // the pipe instead
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		t.Log(lines.Text())
		if strings.HasPrefix(lines.Text(), text) {
			return cmd, lines
		}
	}
	_ = cmd.Wait()
	t.Fatalf("%s ended before it said %q", line, text)
	return nil, nil
}

// end reads the rest of what a run says, and its report.
func (p *rehearsalRoom) end(t *testing.T, cmd *exec.Cmd, lines *bufio.Scanner, code int) (r finding.Report) {
	t.Helper()
	for lines.Scan() {
		t.Log(lines.Text())
	}
	_ = cmd.Wait() // its code is looked at
	if is := cmd.ProcessState.ExitCode(); is != code {
		t.Errorf("exits %d, want %d", is, code)
	}
	p.nothingIsLeft(t)
	text, err := os.ReadFile(filepath.Join(p.directory, "r.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPerturbPlaneLost kills the control plane in the middle: the runs that it had are
// made on another one, and that is told.
func TestPerturbPlaneLost(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	p := newRehearsalRoom(t)
	p.variables = append(p.variables, "CONTROLLERS="+samples(t))
	cmd, lines := p.begin(t, `bin/seatrial perturb --references=2 --pattern=intermediate-state -o json=r.json experiment.yaml -- "$CONTROLLERS" skipped-second-creation fixed`, "plan 0")
	for _, child := range children(t, cmd.Process.Pid) {
		if command, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/cmdline"); err == nil && bytes.Contains(command, []byte("seatrial-controlplane")) {
			if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := p.end(t, cmd, lines, 0)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Message, "ended by itself once") {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

// children are the processes that a process has started.
func children(t *testing.T, of int) (pids []int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(of) + "/task/*/children")
	if err != nil || len(tasks) == 0 {
		t.Fatalf("no children of %d: %v", of, err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // a thread that has ended
		}
		for word := range strings.FieldsSeq(string(text)) {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// ran is a plan that was run, as -v has it.
var ran = regexp.MustCompile(`^(passed|infeasible), [1-9]\d* runs? in `)

// TestPerturbResume interrupts a run and goes on with it: no plan that was done is run
// again, and the report is of all.
func TestPerturbResume(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	p := newRehearsalRoom(t)
	p.variables = append(p.variables, "CONTROLLERS="+samples(t))
	const line = `bin/seatrial perturb --references=2 --parallel=1 --pattern=refused-write -v -o json=r.json experiment.yaml -- "$CONTROLLERS" skipped-second-creation fixed`
	cmd, lines := p.begin(t, line, "passed, ")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	first := p.end(t, cmd, lines, 130)
	if !first.Interrupted || first.Bound.Complete {
		t.Errorf("interrupted is %t, complete %t", first.Interrupted, first.Bound.Complete)
	}
	var said bytes.Buffer
	again := p.command(strings.Replace(line, "-v", "-v --resume", 1))
	again.Stderr = &said
	if out, err := again.Output(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, said.String())
	}
	count := 0
	for text := range strings.Lines(said.String()) {
		if ran.MatchString(text) {
			count++
		}
	}
	text, err := os.ReadFile(filepath.Join(p.directory, "r.json"))
	if err != nil {
		t.Fatal(err)
	}
	var whole finding.Report
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if all, err := strconv.Atoi(strings.Fields(whole.Bound.Text)[0]); err != nil || count == 0 || count >= all || !whole.Bound.Complete || whole.Verdict != finding.Holds {
		t.Errorf("%d plans were run, of %s; complete %t, %s\n%s", count, whole.Bound.Text, whole.Bound.Complete, whole.Verdict, said.String())
	}
}

// TestPerturbOutside: a controller that writes past the proxy, too, is not tried whole,
// which is told.
func TestPerturbOutside(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	p := newRehearsalRoom(t)
	p.variables = append(p.variables, "CONTROLLERS="+samples(t), "PLANES="+p.planes)
	for _, name := range []string{"crd", "experiment"} {
		text, err := os.ReadFile("../../examples/controllers/lost-acknowledgement/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if name == "experiment" {
			text = bytes.Replace(text, []byte("crd.yaml"), []byte("crd.yaml, token.yaml"), 1)
			p.write(t, "outside.yaml", string(text)+"  - apply: {apiVersion: example.com/v1, kind: Gateway, metadata: {namespace: default, name: edge}, spec: {host: www.example.com}}\n"+
				"  - wait: {object: gateways.example.com default/edge, until: \"object.status.secured\"}\n")
			continue
		}
		p.write(t, "token.yaml", string(text))
	}
	// The one that writes past it has the control plane's own kubeconfig.
	p.write(t, "two.sh", `#!/bin/sh
own=$(find "$PLANES" -name '*kubeconfig*' | grep -v run- | head -n 1)
KUBECONFIG=$own "$CONTROLLERS" lost-acknowledgement fixed &
exec "$CONTROLLERS" skipped-second-creation fixed
`)
	code, stdout, stderr := p.perturb(t, "bin/seatrial perturb --references=2 --parallel=1 --pattern=intermediate-state --max-plans=1 outside.yaml -- sh two.sh")
	if code != 3 || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "writes came past the proxy, the first of them ") {
		t.Errorf("exits %d\n%s\n%s", code, stdout, stderr)
	}
}
