package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

const (
	// extensionLinesMax is the longest that an actor or event of one's own may
	// be on its page.
	extensionLinesMax = 60
	extendingPage     = "../../docs/extending.md"
)

var (
	// pageFile is a file that the page shows, with its name before it.
	pageFile = regexp.MustCompile("(?ms)^`([^`\n]+)`:\n\n```(?:yaml|go)\n(.*?)^```$")
	// pageRun is a command that the page shows, with what it prints.
	pageRun = regexp.MustCompile("(?ms)^```console\n\\$ seatrial ([^\n]*)\n(.*?)^```$")
)

// extension is what the page shows: files by name, commands with their output.
type extension struct {
	files map[string]string
	runs  [][2]string
}

func readExtension(t *testing.T) extension {
	t.Helper()
	text, err := os.ReadFile(extendingPage)
	if err != nil {
		t.Fatal(err)
	}
	x := extension{files: map[string]string{}}
	for _, m := range pageFile.FindAllStringSubmatch(string(text), -1) {
		x.files[m[1]] = m[2]
		if n := strings.Count(m[2], "\n"); n > extensionLinesMax {
			t.Errorf("%s has %d lines, more than %d", m[1], n, extensionLinesMax)
		}
	}
	for _, m := range pageRun.FindAllStringSubmatch(string(text), -1) {
		x.runs = append(x.runs, [2]string{m[1], m[2]})
	}
	if len(x.files) != 5 || len(x.runs) != 2 {
		t.Fatalf("the page shows %d files and %d commands", len(x.files), len(x.runs))
	}
	return x
}

// write puts the manifests into a folder, and the Go files elsewhere. It returns
// the overlay that puts these into the module.
func (x extension) write(t *testing.T, folder string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, text := range x.files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if filepath.Ext(name) == ".go" {
			replace[filepath.Join(root, filepath.FromSlash(name))] = file
			if _, err := os.Stat(filepath.Join(root, name)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is there already: %v", name, err)
			}
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestExtendingInTheScenario runs the actor and the event that the page declares.
func TestExtendingInTheScenario(t *testing.T) {
	x := readExtension(t)
	folder := t.TempDir()
	x.write(t, folder)
	t.Chdir(folder)
	streams, out, _ := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8", "SEATRIAL_SAVE": "false"}})
	code := cli.Main(append([]string{"seatrial"}, strings.Fields(x.runs[0][0])...), streams, trials())
	if diff := cmp.Diff(x.runs[0][1], out.String()); diff != "" || code != int(finding.CodeViolated) {
		t.Errorf("exit code %d; seatrial %s prints something else (-shown +printed):\n%s", code, x.runs[0][0], diff)
	}
}

// TestExtendingInGo compiles the actor and the event of the page into the
// command, without writing them into the repository, and runs them. The command
// as it is knows neither.
func TestExtendingInGo(t *testing.T) {
	pace.Slow(t)
	x := readExtension(t)
	folder := t.TempDir()
	overlay := x.write(t, folder)
	binary := filepath.Join(folder, "seatrial")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-overlay", overlay, "-o", binary, ".")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, said)
	}
	t.Chdir(folder)
	arguments := strings.Fields(x.runs[1][0])
	check := exec.CommandContext(t.Context(), binary, arguments...)
	check.Env = append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=", "COLUMNS=", "SEATRIAL_SAVE=false")
	said, err := check.Output()
	failed := &exec.ExitError{}
	if !errors.As(err, &failed) || failed.ExitCode() != int(finding.CodeViolated) {
		t.Errorf("want exit code %d, got %v", finding.CodeViolated, err)
	}
	if diff := cmp.Diff(x.runs[1][1], string(said)); diff != "" {
		t.Errorf("seatrial %s prints something else (-shown +printed):\n%s", x.runs[1][0], diff)
	}
	streams, _, stderr := iostreams.Test("", iostreams.Terminal{})
	if code := cli.Main(append([]string{"seatrial"}, arguments...), streams, trials()); code != int(finding.CodeInput) ||
		!strings.Contains(stderr.String(), `"power-cut"`) {
		t.Errorf("without the extension: exit code %d, %s", code, stderr)
	}
}
