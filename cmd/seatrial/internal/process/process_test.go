//go:build darwin || linux

package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// shell runs a script as the controller.
func shell(t *testing.T, ctx context.Context, script string, arguments ...string) *process.Process {
	t.Helper()
	p, err := process.Start(ctx, process.Options{
		Command:     append([]string{"/bin/sh", "-c", script, "sh"}, arguments...),
		Environment: process.Environment("/kubeconfig", t.TempDir(), nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func TestExit(t *testing.T) {
	cases := []struct {
		script, output, says string
		exit                 process.Exit
	}{
		{"echo out; echo err >&2", "out\nerr\n", "exited with code 0", process.Exit{}},
		{"exit 3", "", "exited with code 3", process.Exit{Code: 3}},
		{"kill -SEGV $$", "", "was ended by signal SIGSEGV", process.Exit{Code: -1, Signal: "SIGSEGV"}},
		{"kill -KILL $$", "", "was ended by signal SIGKILL", process.Exit{Code: -1, Signal: "SIGKILL"}},
		{"cat; echo $SEATRIAL $KUBECONFIG", "true /kubeconfig\n", "exited with code 0", process.Exit{}},
	}
	for _, c := range cases {
		t.Run(c.script, func(t *testing.T) {
			p := shell(t, t.Context(), c.script)
			if got := p.Exit(); fmt.Sprint(got) != c.says || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", c.exit) {
				t.Errorf("%+v (%s), want %+v (%s)", got, got, c.exit, c.says)
			}
			if got := p.Output().Text(); got != c.output {
				t.Errorf("printed %q, want %q", got, c.output)
			}
		})
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("plain", "text", 0o600)
	write("text", "no program\n", 0o700)
	write("orphan", "#!/no/such/interpreter\n", 0o700)
	if err := os.Mkdir(filepath.Join(folder, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		command []string
		is      error
		says    string
	}{
		{nil, process.ErrNotFound, "the controller has no command"},
		{[]string{"./controllers"}, process.ErrNotFound, "there is no file DIR/controllers; build it first"},
		{[]string{"controllers"}, process.ErrNotFound, "not found in any folder of PATH; install or build it, or give its path"},
		{[]string{"plain"}, process.ErrNotExecutable, "chmod +x"},
		{[]string{"./plain"}, process.ErrNotExecutable, "chmod +x"},
		{[]string{"./folder"}, process.ErrNotExecutable, "DIR/folder is a folder"},
		{[]string{"./text"}, process.ErrNotExecutable, "a script without a #! line"},
		{[]string{"./orphan"}, process.ErrNotExecutable, "the interpreter of its #! line or its loader is not"},
		{[]string{filepath.Join(folder, "missing")}, process.ErrNotFound, "build it first"},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.command, " "), func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			p, err := process.Start(t.Context(), process.Options{
				Command: c.command, Directory: folder, Environment: []string{"PATH=/nowhere:."}, Folder: log,
			})
			if err == nil {
				p.Kill()
				t.Fatal("it was started")
			}
			says := strings.ReplaceAll(err.Error(), folder, "DIR")
			if !errors.Is(err, c.is) || !strings.Contains(says, c.says) {
				t.Errorf("says %q; want %q and that it is %v", says, c.says, c.is)
			}
			if _, err := os.Stat(filepath.Join(log, process.LogFile)); err == nil {
				t.Error("there is a log of what did not run")
			}
		})
	}
	if _, err := process.Start(t.Context(), process.Options{Command: []string{"true"}, Directory: filepath.Join(folder, "none")}); err == nil ||
		!strings.Contains(err.Error(), "working directory of the controller") {
		t.Errorf("a missing directory: %v", err)
	}
}

// TestPathIsTheControllers: the program is looked for in the PATH that it gets.
func TestPathIsTheControllers(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine"), []byte("#!/bin/sh\necho \"$0 in $PWD\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, o := range []process.Options{
		{Command: []string{"mine"}, Environment: []string{"PATH=/bin:" + folder}, Directory: folder},
		{Command: []string{"./mine"}, Environment: []string{"PATH=/bin"}, Directory: folder},
	} {
		p, err := process.Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Exit(), (process.Exit{}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Error(got)
		}
		if got := p.Output().Text(); got != filepath.Join(folder, "mine")+" in "+folder+"\n" {
			t.Errorf("printed %q", got)
		}
	}
}

func TestKill(t *testing.T) {
	p := shell(t, t.Context(), `trap "" TERM INT HUP; echo ready; while :; do sleep 1000; done`)
	p.Kill()
	if got := p.Exit(); !got.Killed || got.Signal != "SIGKILL" || got.String() != "was killed by seatrial" {
		t.Errorf("%+v", got)
	}
	p.Kill() // again: nothing happens
}

func TestKillAfterTheEnd(t *testing.T) {
	p := shell(t, t.Context(), `exit 4`)
	<-p.Done()
	p.Kill()
	if got := p.Exit(); got.Killed || got.Code != 4 {
		t.Errorf("%+v", got)
	}
}

func TestEndOfTheContextKills(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := shell(t, ctx, `sleep 1000`)
	cancel()
	if got := p.Exit(); !got.Killed {
		t.Errorf("%+v", got)
	}
}

// TestMuchOutput: a program that prints a lot does not wait, and little of it is kept.
func TestMuchOutput(t *testing.T) {
	const bytesPrinted = 300 << 20
	folder := filepath.Join(t.TempDir(), "a", "b")
	var copied counter
	p, err := process.Start(t.Context(), process.Options{
		Command:     []string{"/bin/sh", "-c", fmt.Sprintf(`echo first; yes "a line of it" | head -c %d; echo; echo last`, bytesPrinted)},
		Environment: process.Environment("", t.TempDir(), nil), Folder: folder, Output: &copied,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Exit(); got.Code != 0 || got.Trouble != "" {
		t.Fatalf("%+v", got)
	}
	o := p.Output()
	if want := int64(bytesPrinted + len("first\n\nlast\n")); o.Bytes != want || int64(copied) != want {
		t.Errorf("%d bytes, %d copied, want %d", o.Bytes, copied, want)
	}
	if len(o.First) != process.FirstBytes || len(o.Last) != process.LastBytes {
		t.Errorf("%d and %d bytes are kept", len(o.First), len(o.Last))
	}
	if !bytes.HasPrefix(o.First, []byte("first\na line")) || !bytes.HasSuffix(o.Last, []byte("last\n")) {
		t.Errorf("first %.20q, last %.20q", o.First, o.Last[len(o.Last)-20:])
	}
	log, err := os.ReadFile(filepath.Join(folder, process.LogFile))
	if err != nil || string(log) != o.Text() {
		t.Errorf("%d bytes of log: %v", len(log), err)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the log: %v %v", info.Mode(), err)
	}
	lines := o.Lines()
	if want := fmt.Sprintf("[%d bytes left out]", o.LeftOut()); len(lines) < 3 || !strings.Contains(o.Text(), "\n"+want+"\n") || lines[0] != "first" || lines[len(lines)-1] != "last" {
		t.Errorf("lines %q … %q, want %s between them", lines[0], lines[len(lines)-1], want)
	}
}

// TestBrokenCopy: who does not want the output any more does not stop the program.
func TestBrokenCopy(t *testing.T) {
	p, err := process.Start(t.Context(), process.Options{Command: []string{"/bin/sh", "-c", "echo one; echo two"}, Output: broken{}})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Exit(); got.Code != 0 || p.Output().Text() != "one\ntwo\n" {
		t.Errorf("%+v, printed %q", got, p.Output().Text())
	}
}

func TestLogThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := process.Start(t.Context(), process.Options{Command: []string{"/bin/sh"}, Folder: file}); err == nil || !strings.Contains(err.Error(), "folder for the controller's log") {
		t.Errorf("a file as the folder: %v", err)
	}
}

type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }
