package configtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
)

// try runs a command in the current folder with trials that a test makes up.
func try(t *testing.T, trial Trial, args ...string) (code int, out, errs string) {
	t.Helper()
	streams, o, e := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"SEATRIAL_SAVE": "false"}})
	trial.Runs = runstore.Store{Folder: ".seatrial"}
	cmd := New(console.New(streams, "v1"), trial)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetErr(&bytes.Buffer{})
	err := cmd.ExecuteContext(t.Context())
	var f *failure.Error
	if errors.As(err, &f) {
		code = int(f.Code)
		if f.Err != nil {
			return code, o.String(), e.String() + f.Err.Error()
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return code, o.String(), e.String()
}

// inFolder has two versions of a configuration.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"old.yaml": "a: 1\n", "new.yaml": "a: 2\n", "bad.yaml": "a: [\n",
		"c.yaml":   "apiVersion: seatrial.dev/v1alpha1\nkind: Components\ncomponents: [{image: web, module: .}]\n",
		"one.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: '1'}}\n", "two.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: '2'}}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDiffIsTold: what flags and arguments become.
func TestDiffIsTold(t *testing.T) {
	inFolder(t)
	for _, c := range []struct {
		args, want string
	}{
		{"old.yaml new.yaml", "[./...] 1m0s 20s race=false start=[] 5s a: 1 a: 2 old.yaml"},
		{"--race --test-timeout=2s --test-budget=0 --parallel=3 old.yaml new.yaml ./a ./b", "[./a ./b] 2s 0s race=true start=[] 5s a: 1 a: 2 old.yaml"},
		{"--start=./cmd/x\\ --config\\ {} --start-time=1s old.yaml new.yaml", "[./...] 1m0s 20s race=false start=[./cmd/x --config {}] 1s a: 1 a: 2 old.yaml"},
	} {
		var told string
		_, _, errs := try(t, Trial{Diff: func(_ context.Context, o configtest.Options, before, after configtest.Version) (*configtest.Outcome, error) {
			told = fmt.Sprintf("%v %v %v race=%v start=%v %v %s %s %s", o.Packages, o.Timeout, o.Budget, o.Race, o.Start.Command, o.Start.Within,
				strings.TrimSpace(string(before.Text)), strings.TrimSpace(string(after.Text)), filepath.Base(before.File))
			if !slices.ContainsFunc(o.Environment, func(e string) bool { return strings.HasPrefix(e, "PATH=") }) {
				t.Errorf("the environment is %v", o.Environment)
			}
			return &configtest.Outcome{}, nil
		}}, append([]string{"diff", "-o", "text=" + filepath.Join(t.TempDir(), "out")}, fields(c.args)...)...)
		if told != c.want {
			t.Errorf("%s: %q, want %q\n%s", c.args, told, c.want, errs)
		}
	}
}

// TestGenerateIsTold: what flags and arguments become.
func TestGenerateIsTold(t *testing.T) {
	inFolder(t)
	for args, want := range map[string]string{
		"old.yaml":         "[./...] 10s [] 24 a: 1",
		"./a ./b":          "[./a ./b] 10s [] 24 ",
		"old.yaml ./a/...": "[./a/...] 10s [] 24 a: 1",
		"--test-timeout=2s --parameter=a --parameter=b --per-parameter=3": "[./...] 2s [a b] 3 ",
	} {
		var told string
		_, _, errs := try(t, Trial{Generate: func(_ context.Context, o configtest.Options, g configtest.Generating) (*configtest.Generation, error) {
			told = fmt.Sprintf("%v %v %v %d ", o.Packages, o.Timeout, g.Parameters, g.Most)
			if g.File != nil {
				told += strings.TrimSpace(string(g.File.Text))
			}
			return &configtest.Generation{}, nil
		}}, append([]string{"generate", "-o", "text=" + filepath.Join(t.TempDir(), "out")}, strings.Fields(args)...)...)
		if told != want {
			t.Errorf("%s: %q, want %q\n%s", args, told, want, errs)
		}
	}
}

// fields are words with spaces between them; a space in one has a backslash before it.
func fields(line string) []string {
	words := strings.Split(strings.ReplaceAll(line, `\ `, "\x00"), " ")
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "\x00", " ")
	}
	return words
}

// TestCodes: how the commands end.
func TestCodes(t *testing.T) {
	inFolder(t)
	ended := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	m := &parameter.Map{Schema: parameter.Schema, Module: "example.com/a"}
	text, err := m.Marshal()
	if err == nil {
		err = os.WriteFile("map.yaml", text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		err  func(context.Context) error
		code int
		says string
	}{
		{"diff old.yaml new.yaml", nil, 0, ""},
		{"diff old.yaml", nil, 2, "it takes OLD and NEW"},
		{"diff old.yaml none.yaml", nil, 2, "none.yaml: there is no such file"},
		{"diff old.yaml bad.yaml", nil, 2, "bad.yaml:"},
		{"diff -C none old.yaml new.yaml", nil, 2, "-C none: there is no such folder"},
		{"diff --start=' old.yaml new.yaml", nil, 2, "--start: "},
		{"diff --start= old.yaml new.yaml", nil, 2, "--start: there is no program in it"},
		{"map --check=none.yaml", nil, 2, "--check=none.yaml: there is no such file: make it with"},
		{"diff --start-time=0s old.yaml new.yaml", nil, 2, "--start-time=0s: it has to be more than nothing"},
		{"diff --test-budget=-1s old.yaml new.yaml", nil, 2, "--test-budget=-1s: it has to be 0 or more"},
		{"diff --parallel=-1 old.yaml new.yaml", nil, 2, "--parallel=-1: it has to be 0 or more"},
		{"diff old.yaml new.yaml", func(context.Context) error { return errors.New("the disk is full") }, 4, "the disk is full"},
		{"diff --timeout=10ms old.yaml new.yaml", ended, 3, ""},
		{"diff --components=c.yaml old.yaml new.yaml", nil, 2, "old.yaml: there are no objects of Kubernetes in it"},
		{"diff --components=c.yaml one.yaml two.yaml", nil, 3, ""},
		{"diff --components=c.yaml one.yaml one.yaml", nil, 0, ""},
		{"diff --components=c.yaml one.yaml two.yaml", func(context.Context) error { return errors.New("the disk is full") }, 4, "the disk is full"},
		{"diff --components=c.yaml one.yaml two.yaml ./a", nil, 2, "there are packages, and --components"},
		{"diff --components=c.yaml -C . one.yaml two.yaml", nil, 2, "-C and --components exclude each other"},
		{"diff --components=c.yaml --values=a.yaml one.yaml two.yaml", nil, 2, "one.yaml: values are for a chart"},
		{"diff --components=none.yaml one.yaml two.yaml", nil, 2, "none.yaml: there is no such file"},
		{"diff --values=a.yaml one.yaml two.yaml", nil, 2, "need --components FILE"},
		{"generate old.yaml", nil, 0, ""},
		{"generate ./...", nil, 0, ""},
		{"generate none.yaml", nil, 2, "none.yaml: there is no such file"},
		{"generate --per-parameter=0", nil, 2, "--per-parameter=0: it has to be 1 or more"},
		{"generate --timeout=10ms", ended, 3, ""},
		{"map", nil, 0, ""},
		{"map --check=map.yaml", nil, 0, ""},
		{"map --check=old.yaml", nil, 2, "old.yaml: this is not the map of a module"},
		{"map --shard=3/2", nil, 2, "--shard=3/2: it is of the form 2/5"},
		{"map --timeout=10ms", ended, 3, "the time is over"},
	} {
		run := func(ctx context.Context) error {
			if c.err != nil {
				return c.err(ctx)
			}
			return nil
		}
		code, _, errs := try(t, Trial{
			Diff: func(ctx context.Context, _ configtest.Options, _, _ configtest.Version) (*configtest.Outcome, error) {
				if err := run(ctx); err != nil {
					return nil, err
				}
				return &configtest.Outcome{}, nil
			},
			Generate: func(ctx context.Context, _ configtest.Options, _ configtest.Generating) (*configtest.Generation, error) {
				if err := run(ctx); err != nil {
					return nil, err
				}
				return &configtest.Generation{}, nil
			},
			Map: func(ctx context.Context, _ configtest.Options) (*parameter.Map, error) { return m, run(ctx) },
			Components: func(ctx context.Context, _ configtest.Options, c *component.Comparison) (*configtest.Components, error) {
				return &configtest.Components{Comparison: c, Outcomes: make([]*configtest.Outcome, len(c.Parts))}, run(ctx)
			},
		}, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %q, want %d, %q", c.args, code, errs, c.code, c.says)
		}
	}
	untrue := &parameter.Map{Schema: parameter.Schema, Packages: []parameter.Package{{Path: "a", Tests: []parameter.Test{{Name: "TestX", Marked: []parameter.ID{"env:X"}}}}}}
	if code, out, errs := try(t, Trial{Map: func(context.Context, configtest.Options) (*parameter.Map, error) { return untrue, nil }}, "map"); code != 1 || !strings.Contains(out, "TestX") || !strings.Contains(errs, "a.TestX is marked for env:X, and was not seen to read it") {
		t.Errorf("an untrue mark exits with %d: %s %s", code, out, errs)
	}
	m.Module = "example.com/b"
	if code, _, errs := try(t, Trial{Map: func(context.Context, configtest.Options) (*parameter.Map, error) { return m, nil }}, "map", "--check=map.yaml"); code != 1 || !strings.Contains(errs, "is not the map of the code as it is") {
		t.Errorf("another map exits with %d: %s", code, errs)
	}
}
