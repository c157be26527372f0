//go:build darwin || linux

package process_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// parentVariable makes this binary a seatrial that runs one controller, with the script
// that it holds, until it is killed.
const parentVariable = "SEATRIAL_TEST_PARENT"

func TestMain(m *testing.M) {
	if script := os.Getenv(parentVariable); script != "" {
		fmt.Println(parent(script))
		return
	}
	os.Exit(m.Run())
}

func parent(script string) error {
	p, err := process.Start(context.Background(), process.Options{
		Command: []string{"/bin/sh", "-c", script}, Environment: os.Environ(), Output: os.Stdout,
	})
	if err != nil {
		return err
	}
	return fmt.Errorf("it ended: %v", p.Exit())
}

// pulse is a pipe that a controller and all its children hold open: its end is that of
// the last of them. They say on it who they are.
type pulse struct {
	path  string
	lines *bufio.Scanner
	own   *os.File // until the controller has it open: without a writer it is at its end
}

func newPulse(t *testing.T) *pulse {
	path := filepath.Join(t.TempDir(), "pulse")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	own, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { own.Close() })
	return &pulse{path: path, lines: bufio.NewScanner(f), own: own}
}

// hold is the start of a script that holds it.
func (p *pulse) hold() string { return "exec 9>'" + p.path + "'; " }

// pids waits for n lines, each with a process id.
func (p *pulse) pids(t *testing.T, n int) []int {
	t.Helper()
	var pids []int
	for len(pids) < n && p.lines.Scan() {
		pid, err := strconv.Atoi(p.lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	p.own.Close()
	if len(pids) < n {
		t.Fatalf("%d of %d processes: %v", len(pids), n, p.lines.Err())
	}
	return pids
}

// end waits until nobody holds it.
func (p *pulse) end() {
	for p.lines.Scan() {
	}
}

// brood starts four processes: the shell, a child, one in a session of its own, and one whose
// parents have ended and whose environment is empty. None answers to a
// polite signal.
const brood = `trap "" TERM HUP INT
echo $$ >&9
sh -c 'echo $$ >&9; while :; do sleep 1000; done' &
setsid sh -c 'echo $$ >&9; while :; do sleep 1000; done' &
(setsid env -i /bin/sh -c '(/bin/sh -c "echo \$\$ >&9; while :; do sleep 1000; done" &) ' &)
while :; do sleep 1000; done`

const broodSize = 4

// flat is for systems on which only a group is killed.
const flat = `echo $$ >&9; sh -c 'echo $$ >&9; while :; do sleep 1000; done' & while :; do sleep 1000; done`

func familyScript() (string, int) {
	if runtime.GOOS == "linux" {
		return brood, broodSize
	}
	return flat, 2
}

func gone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("process %d is there", pid)
		}
	}
}

// TestKillLeavesNobody: whatever a controller has started is gone when Kill returns.
func TestKillLeavesNobody(t *testing.T) {
	pulse := newPulse(t)
	script, n := familyScript()
	p := shell(t, t.Context(), pulse.hold()+script)
	pids := pulse.pids(t, n)
	if pids[0] != p.Pid() {
		t.Errorf("the controller is %d, said to be %d", pids[0], p.Pid())
	}
	p.Kill()
	gone(t, pids)
	pulse.end()
}

// TestExitLeavesNobody: so it is when the controller exits by itself.
func TestExitLeavesNobody(t *testing.T) {
	pulse := newPulse(t)
	script, n := familyScript()
	script = script[:strings.LastIndex(script, "while")] + "read line; exit 7"
	fifo := filepath.Join(t.TempDir(), "exit")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := shell(t, t.Context(), pulse.hold()+`exec <>"$1"; `+script, fifo)
	pids := pulse.pids(t, n)
	if err := os.WriteFile(fifo, []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	if got := p.Exit(); got.Code != 7 || got.Killed {
		t.Errorf("%+v", got)
	}
	gone(t, pids)
}

// TestForkingMeanwhile: processes that fork while they are killed do not get away.
func TestForkingMeanwhile(t *testing.T) {
	pulse := newPulse(t)
	p := shell(t, t.Context(), pulse.hold()+`echo $$ >&9; exec >&-; f() { while :; do sh -c : ; (sleep 1000 &) ; done; }; f & f & f`)
	pulse.pids(t, 1)
	p.Kill()
	pulse.end() // nobody holds it
}

// TestEndWithSeatrial: a controller ends with the seatrial that runs it, however that ends.
func TestEndWithSeatrial(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			pulse := newPulse(t)
			script, n := familyScript()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), parentVariable+"="+pulse.hold()+script)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pulse.pids(t, n)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			pulse.end() // or this waits until the test's time is over
		})
	}
}

// TestSupervisorIsKilled: the controller, with its group, does not outlive it.
func TestSupervisorIsKilled(t *testing.T) {
	pulse := newPulse(t)
	p := shell(t, t.Context(), pulse.hold()+flat)
	pids := pulse.pids(t, 2)
	out, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pids[0])).Output()
	if err != nil {
		t.Fatal(err)
	}
	supervisor, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || supervisor == os.Getpid() {
		t.Fatalf("the parent of the controller is %q", out)
	}
	if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := p.Exit(); !strings.Contains(got.Trouble, "killed by someone else") {
		t.Errorf("%+v", got)
	}
	pulse.end()
}
