package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// scripts finds the blocks of a page that are lines for a shell.
var scripts = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// applied is a kubectl that looks at what it is given, and no further.
const applied = `#!/bin/sh
case "$*" in "apply -f "*) ;; *) exit 1 ;; esac; grep -q "server: https://127.0.0.1:" "$KUBECONFIG" && echo applied
`

// TestControlPlanePage runs every line that docs/controlplane.md has for a shell.
func TestControlPlanePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/controlplane.md")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	count := 0
	for _, block := range scripts.FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(block[1]) {
			count++
			line = strings.TrimSpace(line)
			t.Log(line)
			switch command, _, _ := strings.Cut(line, "#"); {
			case strings.Contains(command, " -- "):
				if out := s.run(t, line); out != "applied\n" {
					t.Errorf("%s: prints %q", line, out)
				}
			case strings.Contains(command, "-o json"):
				s.serve(t, line, true)
			case strings.HasPrefix(command, "bin/seatrial controlplane"):
				s.serve(t, line, false)
			case strings.HasPrefix(command, "curl "):
				if out := s.run(t, line); !strings.Contains(out, `"revision":`) {
					t.Errorf("%s: prints %q", line, out)
				}
			default:
				t.Errorf("%s: say here what it should do", line)
			}
		}
	}
	if count == 0 {
		t.Error("the page has no lines for a shell")
	}
}

// TestControlPlaneHistory: what was written to a control plane by hand is kept, with who wrote it.
func TestControlPlaneHistory(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	cmd := s.command("bin/seatrial controlplane --mode=lean --history=history.jsonl")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	config.UserAgent = "somebody"
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings"}, Data: map[string]string{"a": "b"}}
	if _, err := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default").Create(t.Context(), settings, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(s.directory, "history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, err := history.Read(f)
	if err != nil || !slices.ContainsFunc(events, func(e history.Event) bool {
		return e.Type == history.Create && e.String() == "configmaps default/settings" && e.Actor == "somebody" && e.Object.Text("data", "a") == "b"
	}) {
		t.Errorf("%v in %+v", err, events)
	}
}

// shell is a place where bin/seatrial is, and the variables of its user.
type shell struct {
	directory string
	variables []string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	s := &shell{directory: t.TempDir()}
	executable := os.Getenv(controlplane.Executable)
	if executable == "" {
		executable = filepath.Join(s.directory, "seatrial-controlplane")
		build := exec.Command("go", "build", "-buildvcs=false", "-tags", "grpcnotrace", "-o", executable, ".")
		build.Dir = "../seatrial-controlplane"
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build the control plane: %v\n%s", err, out)
		}
	}
	seatrial, err := exec.LookPath("seatrial")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(s.directory, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(seatrial, filepath.Join(bin, "seatrial")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(applied), 0o700); err != nil {
		t.Fatal(err)
	}
	s.variables = append(os.Environ(), controlplane.Executable+"="+executable, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return s
}

func (s *shell) command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", "exec "+line)
	cmd.Dir, cmd.Env, cmd.Stderr = s.directory, s.variables, os.Stderr
	return cmd
}

// run runs a line to its end and returns what it prints.
func (s *shell) run(t *testing.T, line string) string {
	t.Helper()
	out, err := s.command(line).Output()
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return string(out)
}

// serve runs a line that runs until an interrupt. One that says where its admin
// interface is runs until the test ends, for the lines that come after it.
func (s *shell) serve(t *testing.T, line string, admits bool) {
	t.Helper()
	cmd := s.command(line)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: after an interrupt: %v", line, err)
		}
	}
	said, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Errorf("%s: prints %q, %v", line, said, err)
	}
	if !admits {
		if _, err := os.Stat(strings.TrimSpace(said)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		stop()
		return
	}
	t.Cleanup(stop)
	var ready admin.Ready
	if err := json.Unmarshal([]byte(said), &ready); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	s.variables = append(s.variables, "ADDRESS="+ready.Address, "TOKEN="+ready.Token)
}
