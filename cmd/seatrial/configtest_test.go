package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// shared is a folder with the programs of examples/configtest that have one ConfigMap, and a shell in which there are
// seatrial, and what stands for helm.
func shared(t *testing.T) *shell {
	t.Helper()
	s := &shell{directory: t.TempDir()}
	for _, name := range []string{"shared", "thumbs", "mailer"} {
		if err := os.CopyFS(filepath.Join(s.directory, name), os.DirFS(filepath.Join("../../examples/configtest", name))); err != nil {
			t.Fatal(err)
		}
	}
	bin := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "helm"), "./internal/render/testdata/helm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.variables = append(os.Environ(), "GOWORK=off", "SEATRIAL_SAVE=false", "XDG_CACHE_HOME="+t.TempDir(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return s
}

// says runs a line as a runner does, and returns what it prints and how it ends.
func (s *shell) says(t *testing.T, line string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", line)
	cmd.Dir, cmd.Env = s.directory, s.variables
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if ended != nil && ended.ExitCode() == 2 {
		out = append(out, ended.Stderr...)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// edit changes a file of the folder.
func (s *shell) edit(t *testing.T, file, from, to string) {
	t.Helper()
	at := filepath.Join(s.directory, file)
	text, err := os.ReadFile(at)
	if err == nil && !strings.Contains(string(text), from) {
		t.Fatalf("%s has no %q", file, from)
	}
	if err == nil {
		err = os.WriteFile(at, []byte(strings.Replace(string(text), from, to, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestConfigtestWorkflow runs what the workflow of the example runs, for pull requests that change nothing but
// values.yaml.
func TestConfigtestWorkflow(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Uses, Run string } }
	}
	unmarshal(t, "../../examples/configtest/shared/workflow.yaml", &workflow)
	var lines []string
	for _, step := range workflow.Jobs["configtest"].Steps {
		if step.Run != "" {
			lines = append(lines, step.Run)
		}
	}
	if len(lines) != 1 {
		t.Fatalf("the workflow runs %q", lines)
	}
	s := shared(t)
	summary := filepath.Join(t.TempDir(), "summary")
	s.variables = append(s.variables, "GITHUB_BASE_REF=main", "GITHUB_STEP_SUMMARY="+summary)
	if out, code := s.says(t, "git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm before && git update-ref refs/remotes/origin/main HEAD"); code != 0 {
		t.Fatal(out)
	}
	for _, c := range []struct {
		from, to string
		code     int
		want     []string
	}{
		{"tag: 2.1.0", "tag: 2.1.1", 0, []string{"::notice title=seatrial%3A holds::"}},
		{"patience: 300s", "patience: 300", 1, []string{
			"::error file=shared/chart/values.yaml,line=2,title=SEA4001 passes::mailer: smtp.timeout: TestGreeting: ",
			"::error file=shared/chart/values.yaml,line=2,title=SEA4001 passes::thumbs: cache.ttl: TestCacheKeeps: a thumbnail is gone after a second",
		}},
		{"patience: 300s", "patience: 200s", 0, []string{"::notice title=seatrial%3A holds::2 properties"}},
		{"from: noreply@", "from: hello@", 3, []string{"::warning file=shared/chart/values.yaml,line=10,title=SEA4001 passes::mailer: message.from: inconclusive: overridden by the test"}},
		{"patience: 300s", "patience: [", 2, []string{"seatrial: helm template release-name shared/chart "}},
	} {
		s.edit(t, "shared/chart/values.yaml", c.from, c.to)
		out, code := s.says(t, lines[0])
		s.edit(t, "shared/chart/values.yaml", c.to, c.from)
		if code != c.code {
			t.Errorf("%s: it exits with %d, want %d\n%s", c.to, code, c.code, out)
		}
		for _, want := range c.want {
			if !strings.Contains("\n"+out, "\n"+want) {
				t.Errorf("%s: it prints\n%s\nwant\n%s", c.to, out, want)
			}
		}
		if text, err := os.ReadFile(summary); c.code == 1 && (err != nil || !strings.Contains(string(text), "cache.ttl")) {
			t.Errorf("the summary is %q, %v", text, err)
		}
	}
	if out, _ := s.says(t, "git status --porcelain"); out != "" {
		t.Errorf("the repository is not what it was: %s", out)
	}
}

// TestConfigtestFormats: each format names the component and the place, and none shows a secret.
func TestConfigtestFormats(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const old, secret = "7351s", "7352"
	for name, value := range map[string]string{"old.yaml": old, "new.yaml": secret} {
		text, err := os.ReadFile(filepath.Join(s.directory, "shared/manifests.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		with := strings.Replace(string(text), "        - name: MAILER_CONFIG\n", "        - name: MAILER_SMTP__TIMEOUT\n          valueFrom: {secretKeyRef: {name: mailer, key: patience}}\n        - name: MAILER_CONFIG\n", 1)
		with += fmt.Sprintf("---\napiVersion: v1\nkind: Secret\nmetadata: {name: mailer}\nstringData:\n  patience: %s\n", value)
		write(t, filepath.Join(s.directory, name), with, 0o600)
	}
	line := "seatrial configtest diff --components shared/seatrial.components.yaml"
	formats := []string{"text", "json", "sarif", "junit", "markdown", "html", "github"}
	for _, f := range formats {
		line += " -o " + f + "=" + f
	}
	if out, code := s.says(t, line+" old.yaml new.yaml"); code != 1 {
		t.Fatalf("it exits with %d: %s", code, out)
	}
	for _, f := range formats {
		text, err := os.ReadFile(filepath.Join(s.directory, f))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"mailer: MAILER_SMTP__TIMEOUT", "new.yaml"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %s", f, want)
			}
		}
		if strings.Contains(string(text), old) || strings.Contains(string(text), secret) {
			t.Errorf("%s shows a secret", f)
		}
	}
	if out, code := s.says(t, "seatrial configtest diff --components shared/seatrial.components.yaml --timeout=1ms old.yaml new.yaml"); code != 3 || !strings.Contains(out, "INCONCLUSIVE") {
		t.Errorf("when its time is over it exits with %d: %s", code, out)
	}
}
