package manifest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

const namespaceYAML = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"

// tree makes a folder with files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// wantProblems compares an error with lines in which DIR stands for dir.
func wantProblems(t *testing.T, err error, dir, want string) {
	t.Helper()
	problems, ok := AsProblems(err)
	if !ok {
		t.Fatalf("error %v (%T) is not Problems", err, err)
	}
	got := problems.Error()
	if dir != "" {
		got = strings.ReplaceAll(got, dir, "DIR")
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func load(paths ...string) (*Input, error) {
	return Load(context.Background(), paths, strings.NewReader(""), Options{})
}

func TestFoldersAreReadToTheBottom(t *testing.T) {
	other := strings.Replace(namespaceYAML, "name: a", "name: b", 1)
	dir := tree(t, map[string]string{
		"a.yaml": namespaceYAML, "deep/er/b.yml": other, ".git/c.yaml": "broken: [", ".hidden.yaml": "broken: [",
		"notes.txt": "broken: [", "empty.json": "",
	})
	symlink(t, filepath.Join(dir, "a.yaml"), filepath.Join(dir, "again.yaml"))
	symlink(t, filepath.Join(dir, "deep"), filepath.Join(dir, "deeper"))
	in, err := load(dir, filepath.Join(dir, "a.yaml"), dir+"/./deep")
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Namespaces) != 2 || in.Files != 3 {
		t.Errorf("%d namespaces from %d files", len(in.Namespaces), in.Files)
	}
	// A file that is named is read whatever its extension.
	_, err = load(filepath.Join(dir, "notes.txt"))
	wantProblems(t, err, dir, "DIR/notes.txt:1: malformed YAML: did not find expected node content")
}

func TestBadPaths(t *testing.T) {
	dir := tree(t, map[string]string{"empty/.keep": "", "loop/a.yaml": namespaceYAML, "ok.yaml": namespaceYAML})
	symlink(t, dir+"/loop", dir+"/loop/back")
	symlink(t, dir+"/self.yaml", dir+"/self.yaml")
	if err := os.MkdirAll(dir+"/broken/x.yaml", 0o755); err != nil {
		t.Fatal(err)
	}
	symlink(t, dir+"/nowhere.yaml", dir+"/broken/dangling.yaml")
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{dir + "/empty"}, "DIR/empty: no manifests in this folder: nothing ends in .yaml, .yml or .json"},
		{[]string{dir + "/nowhere"}, "DIR/nowhere: no such file or folder"},
		{[]string{""}, "an empty path: name a file or folder, or - for standard input"},
		{nil, "nothing to read: name files or folders, or - for standard input"},
		{[]string{dir + "/loop"}, "DIR/loop/back: a symlink loop: it leads back to DIR/loop"},
		{[]string{dir + "/self.yaml"}, "DIR/self.yaml: a symlink loop"},
		{[]string{dir + "/broken"}, "DIR/broken/dangling.yaml: a symlink that leads nowhere"},
		{[]string{"-"}, "no objects in -"},
		{[]string{dir + "/ok.yaml", dir + "/nowhere", dir + "/empty"}, "DIR/empty: no manifests in this folder: nothing ends in .yaml, .yml or .json\nDIR/nowhere: no such file or folder"},
	} {
		_, err := load(c.paths...)
		wantProblems(t, err, dir, c.want)
	}
}

func TestLargeFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(dir + "/large.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(100<<20), f.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = load(dir)
	wantProblems(t, err, dir, "DIR/large.yaml: larger than 32 MiB: split it or pass only the objects to check")
	_, err = Load(context.Background(), []string{"-"}, bytes.NewReader(make([]byte, fileBytesMax+1)), Options{})
	wantProblems(t, err, dir, "<stdin>: larger than 32 MiB: split it or pass only the objects to check")
}

func TestBinaryGarbage(t *testing.T) {
	for text, want := range map[string]string{
		"a: b\n\x00\x01":                   "<stdin>:2: not a text file: byte 0x00 at offset 5 (YAML and JSON are read as UTF-8)",
		"\x7fELF":                          "<stdin>:1: not a text file: byte 0x7f at offset 0 (YAML and JSON are read as UTF-8)",
		"a: \xff":                          "<stdin>:1: not a text file: byte 0xff at offset 3 (YAML and JSON are read as UTF-8)",
		"\x1f\x8b\x08gz":                   "<stdin>:1: not a text file: byte 0x1f at offset 0 (YAML and JSON are read as UTF-8)",
		strings.Repeat("[", 20000):         "<stdin>:1: malformed YAML: exceeded max depth of 10000",
		"a: \"\\x1b[31mred\\x1b[0m\\n\"\n": "<stdin>:1: not a Kubernetes object: apiVersion and kind are missing",
		"apiVersion: v1\nkind: \"\\e[31mPod\\nx\"\n": `<stdin>:2: no kind ?[31mPod x in v1`,
	} {
		_, err := Load(context.Background(), []string{"-"}, strings.NewReader(text), Options{})
		wantProblems(t, err, "", want)
	}
}

// TestAliasesDoNotExplode reads documents that would become huge: by many
// aliases, by aliases of one long text, by merge keys.
func TestAliasesDoNotExplode(t *testing.T) {
	long := "a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a, ", 5000) + "]\n"
	merges := "a: &a {k: v}\n"
	for c := 'b'; c <= 'z'; c++ {
		merges += fmt.Sprintf("%c: &%c {<<: [%s]}\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	for _, text := range []string{long, merges} {
		_, err := Load(context.Background(), []string{"-"}, strings.NewReader(text), Options{})
		wantProblems(t, err, "", "<stdin>:1: larger than 64 MiB when its aliases are replaced by what they stand for")
	}
}

func TestUnreadableInput(t *testing.T) {
	_, err := Load(context.Background(), []string{"-"}, iotest.ErrReader(errors.New("the pipe broke")), Options{})
	wantProblems(t, err, "", "<stdin>: the pipe broke")

	dir := tree(t, map[string]string{"a.yaml": namespaceYAML})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Load(ctx, []string{dir}, nil, Options{})
	wantProblems(t, err, dir, "DIR: reading was cut short: context canceled")
}

// TestPermissionDenied reads what its owner may not read. The super-user may
// read all the same, and then finds what is wrong in the files.
func TestPermissionDenied(t *testing.T) {
	dir := tree(t, map[string]string{"shut/a.yaml": namespaceYAML, "secret.yaml": namespaceYAML})
	for _, path := range []string{dir + "/shut", dir + "/secret.yaml"} {
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir+"/shut", 0o700) })
	want := "DIR/secret.yaml: permission denied\nDIR/shut: permission denied"
	if os.Geteuid() == 0 {
		want = "DIR/shut/a.yaml:3: Namespace a stands twice: also in DIR/secret.yaml:1"
	}
	_, err := load(dir)
	wantProblems(t, err, dir, want)
}

func TestProblemsAreSortedAndCounted(t *testing.T) {
	var text strings.Builder
	for range 70 {
		text.WriteString("kind: Pod\n---\n")
	}
	_, err := Load(context.Background(), []string{"-"}, strings.NewReader(text.String()), Options{})
	problems, ok := AsProblems(err)
	if !ok || len(problems) != 70 {
		t.Fatalf("%v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 51 || lines[0] != "<stdin>:1: apiVersion is missing" || lines[49] != "<stdin>:99: apiVersion is missing" || lines[50] != "… and 20 more" {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
}
