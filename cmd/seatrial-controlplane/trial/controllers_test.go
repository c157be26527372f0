//go:build darwin || linux

package trial

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/history"
)

// TestControllersProcess: controllers of kube-controller-manager in a process of their
// own act on a plane that lacks them, in either encoding, until they are asked to end.
func TestControllersProcess(t *testing.T) {
	p := controlplane.Start(t, lean, func(o *controlplane.Options) { o.Spec.Controllers = []string{"-replicaset-controller"} })
	for _, wire := range []string{"application/vnd.kubernetes.protobuf", "application/json"} {
		t.Run(filepath.Base(wire), func(t *testing.T) {
			p.Reset()
			cmd := exec.Command(os.Getenv(controlplane.Executable), "controllers", "--controllers=replicaset-controller",
				"--kube-api-content-type="+wire, "--feature-gates=StaleControllerConsistencyReplicaSet=false")
			cmd.Env = append(os.Environ(), "KUBECONFIG="+p.Kubeconfig)
			var said bytes.Buffer
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			create(t, clientOf(t, p.Kubeconfig), deployment("web", 2))
			pods := 0
			await(t, p, "two pods", func(e history.Event) bool {
				if e.Resource == "pods" && e.Type == history.Create {
					pods++
					if e.Actor != "kube-controller-manager" {
						t.Errorf("%s was made by %q", e.Key, e.Actor)
					}
				}
				return pods == 2
			})
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("asked to end, it ended with %v: %s", err, said.String())
			}
			if !strings.Contains(said.String(), "seatrial-controlplane controllers: running replicaset-controller\n") || strings.Contains(said.String(), "controller is disabled") {
				t.Errorf("it said %s", said.String())
			}
		})
	}
}

// TestControllersRefused: what is wrong with what was asked for is said in one line.
func TestControllersRefused(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	some := "--controllers=job-controller"
	cases := []struct {
		arguments []string
		want      string
	}{
		{nil, `--controllers says which, such as replicaset-controller,job-controller`},
		{[]string{"--controllers=nonsense"}, `kube-controller-manager has no controller "nonsense"; there are: .*`},
		{[]string{some}, `no API server: give --kubeconfig, or set KUBECONFIG`},
		{[]string{some, "--kubeconfig=/nowhere"}, `kubeconfig /nowhere: .* no such file or directory`},
		{[]string{some, "--kubeconfig=" + empty}, `kubeconfig .*: invalid configuration: no configuration has been provided.*`},
		{[]string{some, "--feature-gates=Nonsense=true"}, `feature gates: unrecognized feature gate: Nonsense`},
		{[]string{some, "--controller-manager=nonsense=1", "--kubeconfig=FILE"}, `kube-controller-manager has no flag --nonsense`},
		{[]string{some, "--kube-api-content-type=text"}, `invalid value "text" for flag -kube-api-content-type: "text" is neither .*protobuf nor application/json`},
		{[]string{some, "more"}, `unexpected argument "more"`},
		{[]string{"--port=1"}, `flag provided but not defined: -port`},
	}
	usable := filepath.Join(t.TempDir(), "usable")
	if err := os.WriteFile(usable, []byte("{clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}], contexts: [{name: a, context: {cluster: a}}], current-context: a}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(strings.Join(c.arguments, " "), func(t *testing.T) {
			cmd := exec.Command(os.Getenv(controlplane.Executable), append([]string{"controllers"}, c.arguments...)...)
			for i, a := range cmd.Args {
				cmd.Args[i] = strings.Replace(a, "=FILE", "="+usable, 1)
			}
			cmd.Env = append(os.Environ(), "KUBECONFIG=")
			var said bytes.Buffer
			cmd.Stderr = &said
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("it ended with %v", err)
			}
			if want := regexp.MustCompile("(^|\n)seatrial-controlplane controllers: " + c.want + "\n$"); !want.MatchString(said.String()) {
				t.Errorf("it said %q, want %s", said.String(), want)
			}
		})
	}
}
