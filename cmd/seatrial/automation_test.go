package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// action is what action.yml has.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Shell, Run string
			Env              map[string]string
		}
	}
}

// step runs a step of the action as GitHub does: with the inputs that are given, the
// defaults of the others, and files for what it tells the steps that follow. It
// returns what is printed, the exit code, and what is in these files.
func (s *shell) step(t *testing.T, name string, inputs map[string]string, variables ...string) (printed string, code int, told string) {
	t.Helper()
	var a action
	unmarshal(t, "../../action.yml", &a)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range a.Runs.Steps {
		if step.Name != name {
			continue
		}
		file := filepath.Join(t.TempDir(), "told")
		cmd := exec.Command("bash", "-c", step.Run)
		cmd.Dir = s.directory
		cmd.Env = append(slices.Clone(s.variables), "GITHUB_ACTION_PATH="+root, "GITHUB_PATH="+file, "GITHUB_OUTPUT="+file, "GITHUB_STEP_SUMMARY=")
		for variable, text := range step.Env {
			for name, input := range a.Inputs {
				value, given := inputs[name]
				if !given {
					value = input.Default
				}
				text = strings.ReplaceAll(text, "${{ inputs."+name+" }}", value)
			}
			text = strings.NewReplacer("${{ github.action_ref }}", "main", "${{ runner.temp }}", s.directory).Replace(text)
			if strings.Contains(text, "${{") {
				t.Errorf("%s: what is %s?", variable, text)
			}
			cmd.Env = append(cmd.Env, variable+"="+text)
		}
		cmd.Env = append(cmd.Env, variables...)
		out, _ := cmd.CombinedOutput() // the code says it
		said, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode(), string(said)
	}
	t.Fatalf("the action has no step %s", name)
	return "", 0, ""
}

// TestActionInstalls: a release is installed if it is what its checksums say.
func TestActionInstalls(t *testing.T) {
	s := &shell{directory: t.TempDir(), variables: os.Environ()}
	releases := t.TempDir()
	release := func(folder string, sum func([]byte) string) {
		write(t, filepath.Join(releases, "seatrial"), "#!/bin/sh\necho seatrial of "+folder+"\n", 0o700)
		write(t, filepath.Join(releases, "seatrial-controlplane"), "#!/bin/sh\n", 0o700)
		at := filepath.Join(releases, folder)
		sums := ""
		for _, name := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
			archive := filepath.Join(at, "seatrial_"+name+".tar.gz")
			write(t, archive, "", 0o600)
			if out, err := exec.Command("tar", "-C", releases, "-czf", archive, "seatrial", "seatrial-controlplane").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			sums += fmt.Sprintf("%s  %s\n", sum(text), filepath.Base(archive))
		}
		write(t, filepath.Join(at, "checksums.txt"), sums, 0o600)
	}
	right := func(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
	release("latest/download", right)
	release("download/v1.2.3", right)
	release("download/v6.6.6", func([]byte) string { return strings.Repeat("0", 64) })

	for _, c := range []struct {
		version string
		code    int
		want    string
	}{
		{"", 0, "seatrial of latest/download\n"},
		{"latest", 0, "seatrial of latest/download\n"},
		{"v1.2.3", 0, "seatrial of download/v1.2.3\n"},
		{"v6.6.6", 2, "is not what checksums.txt says; nothing is installed"},
		{"v9.9.9", 2, "cannot be had"},
		{"$(touch pwned)", 2, "version is '$(touch pwned)', and must be latest or a release like v1.2.3"},
	} {
		folder := filepath.Join(s.directory, "seatrial")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		out, code, told := s.step(t, "Install seatrial", map[string]string{"version": c.version}, "RELEASES=file://"+releases)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("version %q: code %d, %s", c.version, code, out)
		}
		if _, err := os.Stat(filepath.Join(folder, "seatrial")); (err == nil) != (code == 0) {
			t.Errorf("version %q: installed: %v", c.version, err)
		}
		if added := told == folder+"\n"; added != (code == 0) {
			t.Errorf("version %q: PATH gets %q", c.version, told)
		}
	}
}

// TestActionChecks: inputs reach the command as they are, and the step ends as the
// check does.
func TestActionChecks(t *testing.T) {
	s := newShell(t)
	for name, text := range shop {
		write(t, filepath.Join(s.directory, name), text, 0o600)
	}
	write(t, filepath.Join(s.directory, "$(touch pwned) 'a b'.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n", 0o600)

	out, code, told := s.step(t, "Check", map[string]string{"paths": "deploy/\nscenario.yaml\n$(touch pwned) 'a b'.yaml\n", "args": "--accept=StatefulSet/default/db\r\n", "html": "page.html"})
	if code != 1 || told != "exit-code=1\n" || !strings.Contains(out, "::error file=deploy/shop.yaml,line=") {
		t.Errorf("code %d, told %q, %s", code, told, out)
	}
	for file, is := range map[string]bool{"seatrial.sarif": true, "page.html": true, "pwned": false} {
		if _, err := os.Stat(filepath.Join(s.directory, file)); (err == nil) != is {
			t.Errorf("%s: %v", file, err)
		}
	}
	out, code, told = s.step(t, "Check", map[string]string{"sarif": ""})
	if code != 2 || told != "exit-code=2\n" || !strings.Contains(out, "no PATH was given") {
		t.Errorf("code %d, told %q, %s", code, told, out)
	}
}

// TestHooks runs the entry of each hook of pre-commit in a repository that says what
// to check.
func TestHooks(t *testing.T) {
	var hooks []struct {
		ID, Entry string
		Args      []string
		Pass      *bool `json:"pass_filenames"`
	}
	unmarshal(t, "../../.pre-commit-hooks.yaml", &hooks)
	s := newShell(t)
	for name, text := range shop {
		write(t, filepath.Join(s.directory, name), text, 0o600)
	}
	write(t, filepath.Join(s.directory, ".seatrial.yaml"), "check: {paths: [deploy, scenario.yaml]}\n", 0o600)
	for _, h := range hooks {
		if h.Pass == nil || *h.Pass {
			t.Errorf("%s: it gets the files that changed, and checks these alone", h.ID)
		}
		cmd := exec.Command(filepath.Join(s.directory, "bin", filepath.Base(h.Entry)), h.Args...)
		cmd.Dir, cmd.Env = s.directory, s.variables
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "VIOLATED") {
			t.Errorf("%s: %v, %s", h.ID, err, out)
		}
	}
	if len(hooks) != 2 {
		t.Errorf("%d hooks were found", len(hooks))
	}
}

// TestRelease holds what is released to what the Makefile builds, and the names of
// the archives to those that the action asks for.
func TestRelease(t *testing.T) {
	var config struct {
		Builds []struct {
			Dir, Binary  string
			Tags         []string
			Ldflags      []string
			Goos, Goarch []string
		}
		Archives []struct {
			Template string `json:"name_template"`
		}
		Checksum struct {
			Template string `json:"name_template"`
		}
	}
	unmarshal(t, "../../.goreleaser.yaml", &config)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	install, err := os.ReadFile("../../action/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	stamps := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(?:CONTROLPLANE_)?STAMP = (\S+)$`).FindAllStringSubmatch(string(makefile), -1) {
		stamps[m[1]] = true
	}
	for _, b := range config.Builds {
		if _, err := os.Stat(filepath.Join("../..", b.Dir, "main.go")); err != nil || filepath.Base(b.Dir) != b.Binary {
			t.Errorf("%s: %v", b.Dir, err)
		}
		if !slices.Equal(b.Tags, []string{"grpcnotrace"}) {
			t.Errorf("%s: tags %v", b.Dir, b.Tags)
		}
		for _, m := range regexp.MustCompile(`-X (\S+)=`).FindAllStringSubmatch(strings.Join(b.Ldflags, " "), -1) {
			delete(stamps, m[1])
		}
		for _, word := range slices.Concat(b.Goos, b.Goarch) {
			if !strings.Contains(string(install), "="+word+" ;;") {
				t.Errorf("%s: the action never asks for %s", b.Dir, word)
			}
		}
	}
	if len(stamps) > 0 {
		t.Errorf("no release is stamped with %v", slices.Collect(maps.Keys(stamps)))
	}
	if len(config.Archives) != 1 || config.Archives[0].Template != "seatrial_{{.Os}}_{{.Arch}}" || !strings.Contains(string(install), "seatrial_${system}_$machine.tar.gz") {
		t.Errorf("the action asks for other archives than %v", config.Archives)
	}
	if !strings.Contains(string(install), config.Checksum.Template) {
		t.Errorf("the action does not ask for %s", config.Checksum.Template)
	}
}

func unmarshal(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
