//go:build darwin || linux

package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/controlplane/option"
	"github.com/seatrial/seatrial/history"
)

// place is a directory for those of control planes, empty before and after.
func place(t *testing.T) string {
	t.Helper()
	path, err := os.MkdirTemp("", "s") // short: the path of a socket has its bounds
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(path) })
	return path
}

func vacant(t *testing.T, path string) {
	t.Helper()
	if left, err := os.ReadDir(path); err != nil || len(left) > 0 {
		t.Errorf("left in the directory: %v, %v", left, err)
	}
}

// launch starts a lean control plane in a place of its own.
func launch(t *testing.T) (*controlplane.Process, string) {
	t.Helper()
	path := place(t)
	p, err := controlplane.Launch(t.Context(), controlplane.Options{
		Spec: admin.Spec{Mode: "lean"}, Arguments: option.Process{Directory: path}.Arguments(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() })
	return p, path
}

// ended waits until a connection to a process breaks, which its end does.
func ended(t *testing.T, r admin.Ready) func() {
	t.Helper()
	connection, err := net.Dial(r.Network, r.Address)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		defer func() { _ = connection.Close() }()
		if err := connection.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, connection); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("the process did not end")
		}
	}
}

// TestKilled: who started a control plane that is killed hears of it, and nothing
// is left. A request that waits meanwhile ends.
func TestKilled(t *testing.T) {
	p, path := launch(t)
	waits := make(chan error, 1)
	go func() {
		_, err := p.Admin.Parked(context.Background(), p.Ready.Plane.Name, 1<<40)
		waits <- err
	}()
	create(t, clientOf(t, p.Ready.Plane.Kubeconfig), deployment("web", 6))
	if err := syscall.Kill(p.Ready.Process, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "ended by itself (signal: killed)") {
		t.Errorf("it ended with %v", err)
	}
	if err := <-waits; err == nil {
		t.Error("a request to a control plane that is gone was answered")
	}
	vacant(t, path)
}

// TestAsked: a control plane that somebody else asked to end says that, in one line,
// and nothing is left.
func TestAsked(t *testing.T) {
	p, path := launch(t)
	if err := p.Admin.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if err := p.Err(); !errors.Is(err, controlplane.ErrAsked) || strings.Contains(err.Error(), "\n") {
		t.Errorf("it ended with %v", err)
	}
	vacant(t, path)
}

// TestKilledInReset: the same in the middle of a reset.
func TestKilledInReset(t *testing.T) {
	p, path := launch(t)
	create(t, clientOf(t, p.Ready.Plane.Kubeconfig), deployment("web", 6))
	done := make(chan error, 1)
	go func() {
		var err error
		for err == nil {
			_, err = p.Admin.Reset(context.Background(), p.Ready.Plane.Name)
		}
		done <- err
	}()
	// The first reset takes the Deployment away: then there is another.
	follow(t, p.Admin, p.Ready.Plane, "a reset", func(e history.Event) bool { return e.Resource == "deployments.apps" && e.Type == history.Delete })
	if err := syscall.Kill(p.Ready.Process, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if err := <-done; err == nil {
		t.Error("a reset of a control plane that is gone was answered")
	}
	vacant(t, path)
}

// TestParentIsKilled: a control plane ends with who started it, however that ends.
func TestParentIsKilled(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := place(t)
	parent := exec.Command(own)
	parent.Env = append(os.Environ(), parentMode+"=1", admin.DirectoryVariable+"="+path)
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
	gone := ended(t, r)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	gone()
	// It removes its directory before the process, and with it the connection, ends.
	vacant(t, path)
}

// TestTwoAtOnce: control planes of one user do not meet.
func TestTwoAtOnce(t *testing.T) {
	path := place(t)
	start := func() *controlplane.Process {
		p, err := controlplane.Launch(t.Context(), controlplane.Options{
			Spec: admin.Spec{Mode: "lean"}, Environment: []string{admin.DirectoryVariable + "=" + path},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Stop() })
		return p
	}
	first, second := start(), start()
	create(t, clientOf(t, first.Ready.Plane.Kubeconfig), deployment("web", 1))
	if got := namesOf(t, clientOf(t, second.Ready.Plane.Kubeconfig)); got != "" {
		t.Errorf("the second has %s", got)
	}
	if err := first.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := second.Admin.Reset(t.Context(), second.Ready.Plane.Name); err != nil {
		t.Errorf("without the first: %v", err)
	}
	if err := second.Stop(); err != nil {
		t.Error(err)
	}
	vacant(t, path)
}

// byHand starts the executable as a user does.
func byHand(t *testing.T, path string, arguments ...string) (cmd *exec.Cmd, out io.Reader, stderr *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Getenv(controlplane.Executable), arguments...)
	cmd.Env = append(os.Environ(), admin.DirectoryVariable+"="+path)
	stderr = &bytes.Buffer{}
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, pipe, stderr
}

// TestInterrupt: an interrupt ends a control plane that was started by hand, whose
// admin interface may be on loopback, and leaves nothing.
func TestInterrupt(t *testing.T) {
	path := place(t)
	cmd, out, stderr := byHand(t, path, "--mode=lean", "--nodes=1", "--tcp")
	var r admin.Ready
	if err := json.NewDecoder(out).Decode(&r); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	if r.Network != "tcp" || !strings.HasPrefix(r.Address, "127.0.0.1:") {
		t.Errorf("the admin interface is at %s %s", r.Network, r.Address)
	}
	client := admin.NewClient(r)
	if s, err := client.Status(t.Context()); err != nil || len(s.Planes) != 1 {
		t.Errorf("status %+v, %v", s, err)
	}
	r.Token = "guess"
	if _, err := admin.NewClient(r).Status(t.Context()); err == nil {
		t.Error("the admin interface answers without the token")
	}
	client.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr)
	}
	vacant(t, path)
}

// TestRefused: what is wrong with what was asked for is said in one line, with
// exit code 2, and nothing is left.
func TestRefused(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	file := func(content string) string {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const noPlugin = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{plugins: {score: {enabled: [{name: Nope}]}}}]\n"
	cases := []struct{ flag, want string }{
		{fmt.Sprintf("--port=%d", taken.Addr().(*net.TCPAddr).Port), `listen for the API server: .* address already in use`},
		{"--nonsense", `flag provided but not defined: -nonsense`},
		{"--mode=fat", `invalid value "fat" for flag -mode: it is lean or full`},
		{"--spec=" + file("{"), `.*/file: spec: unexpected EOF`},
		{"--spec=" + file(`{"mode": "fat"}`), `mode "fat": it is full or lean`},
		{"--controllers=nonsense", `kube-controller-manager has no controller "nonsense"; there are: .*`},
		{"--feature-gates=Nonsense=true", `feature gates: unrecognized feature gate: Nonsense`},
		{"--scheduler-config=" + file("kind: Nonsense"), `scheduler configuration: .*`},
		{"--scheduler-config=" + file(noPlugin), `start kube-scheduler: .*ScorePlugin "Nope" does not exist`},
		{"--descheduler-policy=" + file("kind: Nonsense"), `descheduler policy: .*`},
		{"--api-server=nonsense=1", `kube-apiserver has no flag --nonsense`},
		{"--controller-manager=nonsense=1", `kube-controller-manager has no flag --nonsense`},
		{"--node=" + file("kind: Pod"), `node 0: it is apiVersion "", kind "Pod", and not v1, Node`},
		{"--rules=" + file("nonsense: 1"), `rules:1: rules are a list: begin each with a dash`},
		{"--directory=/nowhere", `make a directory for the control plane: .* no such file or directory`},
	}
	for _, c := range cases {
		t.Run(strings.TrimLeft(strings.SplitN(c.flag, "=", 2)[0], "-"), func(t *testing.T) {
			path := place(t)
			cmd, out, stderr := byHand(t, path, c.flag)
			said, err := io.ReadAll(out)
			if err != nil || len(said) > 0 {
				t.Errorf("standard output: %s, %v", said, err)
			}
			err = cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("it ended with %v", err)
			}
			if want := regexp.MustCompile("^seatrial-controlplane: " + c.want + "\n$"); !want.MatchString(stderr.String()) {
				t.Errorf("it said %q, want %s", stderr, want)
			}
			vacant(t, path)
		})
	}
}
