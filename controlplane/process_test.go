//go:build darwin || linux

package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// options starts this binary as a control plane that behaves as mode says, and
// gives the folder in which it makes its directory.
func options(t *testing.T, mode string) (Options, string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Not t.TempDir: the path of a socket may have 104 bytes.
	base, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	return Options{Path: own, Environment: []string{fakeMode + "=" + mode, fakeBase + "=" + base}}, base
}

func launch(t *testing.T, ctx context.Context) (*Process, string) {
	t.Helper()
	o, base := options(t, "run")
	p, err := Launch(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() })
	return p, base
}

// empty fails if something is left in a folder.
func empty(t *testing.T, base string) {
	t.Helper()
	entries, err := os.ReadDir(base)
	if err != nil || len(entries) > 0 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}

func TestLaunch(t *testing.T) {
	p, base := launch(t, t.Context())
	if p.Ready.Version != "v0.0.0-fake" || p.Ready.Plane.Name != "main" {
		t.Errorf("ready: %+v", p.Ready)
	}
	if s, err := p.Admin.Status(t.Context()); err != nil || s.Revision != 10 {
		t.Errorf("status: %+v, %v", s, err)
	}
	if err := p.Err(); err != nil {
		t.Errorf("it runs, and ended with %v", err)
	}
	for range 2 {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}
	<-p.Done()
	if err := p.Err(); err != nil {
		t.Errorf("stopped, and ended with %v", err)
	}
	empty(t, base)
	if _, err := p.Admin.Status(t.Context()); err == nil {
		t.Error("it answers after its end")
	}
}

// TestLaunchFails: what a child that does not become ready said is in the error,
// and nothing of it is left.
func TestLaunchFails(t *testing.T) {
	cases := []struct{ mode, want string }{
		{"dies", `^controlplane\.test ended by itself \(exit status 4\): listen: address in use$`},
		{"refuses", `^the control plane refuses: mode "fat": it is full or lean$`},
		{"refuses late", `^the control plane refuses: there is no flag --fat$`},
		{"panics", `^controlplane\.test ended by itself \(exit status 2\): panic: out of luck\n\ngoroutine `},
		{"garbage", `^controlplane\.test says "Hello, world" instead of that it is ready: it is another program, or another version$`},
		{"endless", `^controlplane\.test says "x{100}" instead of that it is ready`},
		{"version", `^controlplane\.test v0\.0\.0-fake speaks "seatrial\.dev/controlplane/v0", and this is seatrial\.dev/controlplane/v1alpha1: use one of the same release$`},
		{"nowhere", `^controlplane\.test is ready, but does not say where`},
		{"silent", `^controlplane\.test was not ready after 50ms$`},
	}
	// Where those that are not ready are looked for.
	places := map[string]func(*testing.T, *Options, string){
		"temporary": func(t *testing.T, _ *Options, base string) { t.Setenv("TMPDIR", base) },
		"argument":  func(_ *testing.T, o *Options, base string) { o.Arguments = []string{"--directory=" + base} },
		"variable": func(_ *testing.T, o *Options, base string) {
			o.Environment = append(o.Environment, admin.DirectoryVariable+"="+base)
		},
	}
	for _, c := range cases {
		for name, place := range places {
			t.Run(c.mode+"/"+name, func(t *testing.T) {
				o, base := options(t, c.mode)
				place(t, &o, base)
				if c.mode == "silent" {
					o.Timeout = 50 * time.Millisecond
				}
				p, err := Launch(t.Context(), o)
				if p != nil || err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
					t.Errorf("got %v, %v; want %s", p, err, c.want)
				}
				empty(t, base)
			})
		}
	}
}

func TestLaunchIsCancelled(t *testing.T) {
	o, _ := options(t, "silent")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Launch(ctx, o); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "start controlplane.test: ") {
		t.Errorf("cancelled: %v", err)
	}
}

// TestContextEnds: with its context the control plane ends, which is no failure.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, base := launch(t, ctx)
	cancel()
	<-p.Done()
	if err := p.Err(); err != nil {
		t.Error(err)
	}
	empty(t, base)
}

// TestKilled: the parent of a control plane that is killed says what it logged
// last, and removes what it left.
func TestKilled(t *testing.T) {
	p, base := launch(t, t.Context())
	if err := syscall.Kill(p.Ready.Process, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	const want = "controlplane.test ended by itself (signal: killed); its log ends with:\n  1\n  2\n  3\n  early\n  kube-apiserver:  [31mout of memory"
	if err := p.Err(); err == nil || err.Error() != want {
		t.Errorf("killed: %v", err)
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
	empty(t, base)
}

// TestParentIsKilled: the control plane of a parent that is killed ends, and
// leaves nothing.
func TestParentIsKilled(t *testing.T) {
	o, base := options(t, "parent")
	parent := exec.Command(o.Path)
	parent.Env = append(os.Environ(), o.Environment...)
	parent.Stderr = &bytes.Buffer{}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var r admin.Ready
	if err := json.NewDecoder(out).Decode(&r); err != nil {
		t.Fatalf("%v: %s", err, parent.Stderr)
	}
	// This connection ends with the child.
	child, err := net.Dial(r.Network, r.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Close() }()
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := parent.Wait(); err == nil {
		t.Error("the parent was not killed")
	}
	if err := child.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, child); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the child outlives its parent")
	}
	empty(t, base)
}

func TestLocate(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"given/x", "environment/x", "beside/" + executableName, "path/" + executableName} {
		path := filepath.Join(base, name)
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(base, name) }
	t.Setenv("PATH", at("path"))
	nowhere := at("nowhere")
	cases := []struct{ given, environment, beside, want string }{
		{at("given/x"), at("environment/x"), at("beside"), at("given/x")},
		{"", at("environment/x"), at("beside"), at("environment/x")},
		{"", "", at("beside"), at("beside/" + executableName)},
		{"", "", nowhere, at("path/" + executableName)},
		{nowhere, at("environment/x"), at("beside"), "the control plane that the options names: "},
		{"", nowhere, at("beside"), "the control plane that SEATRIAL_CONTROLPLANE names: "},
	}
	for _, c := range cases {
		got, err := locate(c.given, c.environment, c.beside)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%+v: %s", c, got)
		}
	}
	t.Setenv("PATH", nowhere)
	_, err := locate("", "", at("given"))
	want := "there is no seatrial-controlplane, neither in " + at("given") + " nor in PATH: get it from a release of seatrial, " +
		"or build cmd/seatrial-controlplane in a clone, and name it in SEATRIAL_CONTROLPLANE if it is elsewhere"
	if err == nil || err.Error() != want {
		t.Errorf("nowhere: %v", err)
	}
	t.Setenv(Executable, nowhere)
	if _, err := Launch(t.Context(), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an executable that is not there: %v", err)
	}
}

// TestRemoveDirectory: only the directory of a control plane that has ended is
// removed, whatever a child says.
func TestRemoveDirectory(t *testing.T) {
	base := t.TempDir()
	name := filepath.Join(base, admin.DirectoryPrefix)
	mkdir := func(path string, locked bool) string {
		t.Helper()
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if locked {
			if err := os.WriteFile(filepath.Join(path, admin.LockFile), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	good := mkdir(name+"good", true)
	foreign := mkdir(filepath.Join(base, "home"), true)
	bare := mkdir(name+"bare", false)
	open := mkdir(name+"open", true)
	held := mkdir(name+"held", true)
	file := name + "file"
	link := name + "link"
	lock, err := os.Open(filepath.Join(held, admin.LockFile))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := errors.Join(
		os.Chmod(open, 0o777),
		os.WriteFile(file, nil, 0o600),
		os.Symlink(foreign, link),
		syscall.Flock(int(lock.Fd()), syscall.LOCK_EX),
	); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ path, want string }{
		{good, ""},
		{good, ""}, // it is gone
		{foreign, "its name is not one of a control plane"},
		{".", "its name is not one of a control plane"},
		{"/", "its name is not one of a control plane"},
		{bare, "is missing, or held by a process"},
		{held, "is missing, or held by a process"},
		{open, "it belongs to someone else, or others can write to it"},
		{file, "it is no directory"},
		{link, "it is no directory"},
	}
	for _, c := range cases {
		err := removeDirectory(c.path)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
		if _, err := os.Lstat(c.path); (err == nil) == (c.want == "") {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}

// TestTail: what is kept of much output is its end, in whole lines.
func TestTail(t *testing.T) {
	var output tail
	line := strings.Repeat("x", 99) + "\n"
	for range 500 {
		_, _ = io.WriteString(&output, line)
	}
	_, _ = io.WriteString(&output, "the end\n")
	got := output.text()
	if len(got) > tailMax || len(got) < tailMax/2 || !strings.HasSuffix(got, "x\nthe end") || !strings.HasPrefix(got, line) {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	var crash tail
	for _, text := range []string{line, "pan", "ic: out of luck\n\ngoroutine 1 [running]:\n", strings.Repeat(line, 500), line} {
		_, _ = io.WriteString(&crash, text)
	}
	if got := crash.text(); len(got) > tailMax || !strings.HasPrefix(got, "panic: out of luck\n\ngoroutine 1 [running]:\nxxx") {
		t.Errorf("of a crash: %s", got)
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(strings.Repeat(line, 500)+"the end\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if fromFile := fileTail(path); fromFile != got {
		t.Errorf("of a file: %s", fromFile)
	}
	if none := fileTail(filepath.Dir(path)); none != "" {
		t.Errorf("of a directory: %s", none)
	}
}
