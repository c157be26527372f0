//go:build darwin || linux

package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/finding"
)

// fakeMode is the environment variable that makes this binary the executable that
// it starts, and says what that does.
const fakeMode = "SEATRIAL_TEST_FAKE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeMode); mode != "" && len(os.Args) > 1 && os.Args[1] == "--parent" {
		os.Exit(fake(mode))
	}
	os.Exit(m.Run())
}

// fake behaves as the real executable does: it runs until its parent ends or
// something comes through a pipe that is named like its kubeconfig.
func fake(mode string) int {
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadString('\n')
	if err != nil || mode == "refuses" {
		fmt.Fprintf(os.Stderr, "seatrial-controlplane: %s does not please, nor does %q\n", strings.TrimSpace(line), os.Args[2:])
		return 2
	}
	if mode == "silent" {
		_, _ = io.Copy(io.Discard, in)
		return 0
	}
	directory, err := os.MkdirTemp("", admin.DirectoryPrefix)
	if err != nil {
		return 4
	}
	defer func() { _ = os.RemoveAll(directory) }()
	fifo := filepath.Join(directory, "kubeconfig")
	lock := os.WriteFile(filepath.Join(directory, admin.LockFile), nil, 0o600)
	if err := errors.Join(lock, syscall.Mkfifo(fifo, 0o600)); err != nil {
		return 4
	}
	if err := json.NewEncoder(os.Stdout).Encode(admin.Ready{
		Schema: admin.Version, Kubernetes: "v1.36.3", Network: "unix", Address: "/nowhere", Directory: directory, Process: os.Getpid(),
		Plane: admin.Plane{Name: "main", Server: "https://127.0.0.1:1", Kubeconfig: fifo},
	}); err != nil {
		return 4
	}
	go func() {
		if _, err := os.ReadFile(fifo); err == nil {
			fmt.Fprintln(os.Stderr, "seatrial-controlplane: out of luck")
			_ = os.RemoveAll(directory)
			os.Exit(4)
		}
	}()
	_, _ = io.Copy(io.Discard, in)
	return 0
}

// result is what one run of the command did.
type result struct {
	code     finding.Code
	err      string
	out, log string
}

// command runs the command with a fake executable. What it writes to standard
// output is also given to written.
func command(t *testing.T, ctx context.Context, mode string, written func(string), args ...string) result {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(controlplane.Executable, own)
	t.Setenv(fakeMode, mode)
	s, out, log := iostreams.Test("typed", iostreams.Terminal{})
	if written != nil {
		s.Out = io.MultiWriter(out, call(written))
	}
	cmd := New(console.New(s, "v1"), nil)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	r := result{}
	if err := cmd.ExecuteContext(ctx); err != nil {
		var f *failure.Error
		if !errors.As(err, &f) {
			t.Fatalf("%v is not a failure", err)
		}
		r.code, r.err = f.Code, f.Error()
	}
	r.out, r.log = out.String(), log.String()
	return r
}

type call func(string)

func (c call) Write(p []byte) (int, error) {
	c(string(p))
	return len(p), nil
}

// TestUntilInterrupted: the first line is the path of the kubeconfig and nothing
// else, and an interrupt is a good end.
func TestUntilInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	r := command(t, ctx, "run", func(string) { interrupt() })
	if r.code != 0 || !regexp.MustCompile(`^/\S+/kubeconfig\n$`).MatchString(r.out) {
		t.Errorf("%+v", r)
	}
	if want := regexp.MustCompile(`^Kubernetes v1\.36\.3 at https://127\.0\.0\.1:1, ready after [0-9.]+m?s\nCtrl-C stops it\n$`); !want.MatchString(r.log) {
		t.Errorf("it said %s", r.log)
	}
	if _, err := os.Stat(filepath.Dir(strings.TrimSpace(r.out))); err == nil {
		t.Error("its directory is left")
	}
}

func TestJSON(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	r := command(t, ctx, "run", func(string) { interrupt() }, "-o", "json")
	var ready admin.Ready
	if err := json.Unmarshal([]byte(r.out), &ready); err != nil || r.code != 0 || ready.Plane.Name != "main" {
		t.Errorf("%+v: %v", r, err)
	}
}

// TestDies: a control plane that ends by itself is a failure, with its reason.
func TestDies(t *testing.T) {
	die := func(out string) {
		if err := os.WriteFile(strings.TrimSpace(out), []byte("die"), 0); err != nil {
			t.Error(err)
		}
	}
	r := command(t, t.Context(), "run", die)
	if r.code != finding.CodeInternal || !strings.HasSuffix(r.err, "ended by itself (exit status 4): seatrial-controlplane: out of luck") {
		t.Errorf("%+v", r)
	}
	r = command(t, t.Context(), "run", nil, "--", "sh", "-c", `echo die >"$KUBECONFIG"; exec cat /dev/zero >/dev/null`)
	if r.code != finding.CodeInternal || !strings.HasSuffix(r.err, "seatrial-controlplane: out of luck") {
		t.Errorf("with a command: %+v", r)
	}
}

// TestCommand: the command has the kubeconfig and the streams, and its exit code
// is ours.
func TestCommand(t *testing.T) {
	cases := []struct {
		script, out string
		code        finding.Code
	}{
		{`[ -p "$KUBECONFIG" ] && cat`, "typed", 0},
		{"exit 7", "", 7},
		{"kill -KILL $$", "", 137},
	}
	for _, c := range cases {
		if r := command(t, t.Context(), "run", nil, "--", "sh", "-c", c.script); r.code != c.code || r.out != c.out {
			t.Errorf("%s: %+v", c.script, r)
		}
	}
	if r := command(t, t.Context(), "run", nil, "--", "/nowhere/to/be/found"); r.code != finding.CodeInput || !strings.HasPrefix(r.err, "run /nowhere/to/be/found: ") {
		t.Errorf("%+v", r)
	}
}

// TestCommandIsInterrupted: the command is asked to end, and has its say.
func TestCommandIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	var once bytes.Buffer
	r := command(t, ctx, "run", func(out string) {
		once.WriteString(out)
		if once.String() == "ready\n" {
			interrupt()
		}
	}, "--", "sh", "-c", "trap 'echo bye; exit 5' TERM; echo ready; while :; do :; done")
	if r.code != 5 || r.out != "ready\nbye\n" {
		t.Errorf("%+v", r)
	}
}

// TestStartFails: what is wrong with what was asked for is the user's to mend, and
// an interrupt before there is anything is one.
func TestStartFails(t *testing.T) {
	r := command(t, t.Context(), "refuses", nil, "--mode=lean", "--nodes=2", "--port=8443")
	if r.code != finding.CodeInput || r.err != `the control plane refuses: {"mode":"lean","count":2} does not please, nor does ["--port=8443"]` {
		t.Errorf("%+v", r)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if r := command(t, ctx, "silent", nil); r.code != finding.CodeInterrupted || r.out != "" {
		t.Errorf("%+v", r)
	}
	t.Setenv("PATH", t.TempDir())
	if r := command(t, t.Context(), "silent", nil, "stray"); r.code != finding.CodeInput || r.err != `unexpected "stray"; a command comes after --` {
		t.Errorf("%+v", r)
	}
	if r := command(t, t.Context(), "silent", nil, "--spec=/nowhere"); r.code != finding.CodeInput || r.err != "--spec: open /nowhere: no such file or directory" {
		t.Errorf("%+v", r)
	}
}
