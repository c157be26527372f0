//go:build darwin || linux

package render

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program puts a shell script into PATH under a name, and nothing else but a shell's
// own tools.
func program(t *testing.T, name, script string) {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, name), "#!/bin/sh\n"+script)
	if err := os.Chmod(filepath.Join(folder, name), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+"/bin")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestHelmSaysWhichTemplateADocumentIsFrom(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{
		"charts/web/Chart.yaml", "charts/web/templates/web.yaml", "charts/web/charts/cache/templates/cache.yaml",
		"charts/web/charts/db-2.1.0.tgz", "charts/web/charts/db-admin-1.0.0.tgz", "web-1.0.0.tgz",
	} {
		write(t, file, "")
	}
	cases := []struct{ chart, path, want string }{
		{"charts/web", "web/templates/web.yaml", "charts/web/templates/web.yaml"},
		{"./charts/web", "web/templates/web.yaml", "charts/web/templates/web.yaml"},
		{"charts/web", "web/charts/cache/templates/cache.yaml", "charts/web/charts/cache/templates/cache.yaml"},
		{"charts/web", "web/charts/db/templates/db.yaml", "charts/web/charts/db-2.1.0.tgz"},
		{"charts/web", "web/charts/queue/templates/queue.yaml", "charts/web/Chart.yaml"},
		{"charts/web", "web/../../../secret.yaml", "charts/web/Chart.yaml"},
		{"charts/web", "", "charts/web/Chart.yaml"},
		{"web-1.0.0.tgz", "web/templates/web.yaml", "web-1.0.0.tgz"},
		{"bitnami/web", "web/templates/web.yaml", ""},
		{"oci://example.org/web", "web/templates/web.yaml", ""},
	}
	for _, c := range cases {
		if got := template(c.chart, c.path); got != c.want {
			t.Errorf("%s of %s is from %q, want %q", c.path, c.chart, got, c.want)
		}
	}
}

func TestOnlyTheFirstLineOfADocumentIsAMark(t *testing.T) {
	m := marksOf([]byte(`---
# Source: web/templates/a.yaml
kind: ConfigMap
data:
  script: |
# Source: not/this/one
---
kind: Service
# Source: nor/this
--- # a comment
# Source: web/templates/b.yaml
`))
	if diff := cmp.Diff(marks{{2, "web/templates/a.yaml"}, {11, "web/templates/b.yaml"}}, m, cmp.AllowUnexported(mark{})); diff != "" {
		t.Error(diff)
	}
	for line, want := range map[int]string{0: "", 1: "", 2: "web/templates/a.yaml", 10: "web/templates/a.yaml", 11: "web/templates/b.yaml", 99: "web/templates/b.yaml"} {
		if got := m.before(line); got != want {
			t.Errorf("line %d is from %q, want %q", line, got, want)
		}
	}
}

func TestKustomizeNotesOrigins(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "base/web.yaml", "")
	write(t, "prod/kustomization.yaml", "")
	cases := []struct{ name, raw, want string }{
		{"a file of the base", `{"metadata":{"annotations":{"config.kubernetes.io/origin":"path: ../base/web.yaml\n"}}}`, "base/web.yaml"},
		{"what a generator made", `{"metadata":{"annotations":{"config.kubernetes.io/origin":"configuredIn: kustomization.yaml\nconfiguredBy:\n  kind: ConfigMapGenerator\n"}}}`, "prod/kustomization.yaml"},
		{"another repository", `{"metadata":{"annotations":{"config.kubernetes.io/origin":"path: ../base/web.yaml\nrepo: https://example.org/x\n"}}}`, ""},
		{"a file that is not there", `{"metadata":{"annotations":{"config.kubernetes.io/origin":"path: none.yaml"}}}`, ""},
		{"somewhere else", `{"metadata":{"annotations":{"config.kubernetes.io/origin":"path: /etc/hosts"}}}`, ""},
		{"no annotation", `{"metadata":{}}`, ""},
		{"no YAML", `{"metadata":{"annotations":{"config.kubernetes.io/origin":"{{"}}}`, ""},
		{"not parsed", ``, ""},
	}
	for _, c := range cases {
		if got := noted("prod", []byte(c.raw)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAProgramThatPrintsTooMuchIsEnded(t *testing.T) {
	program(t, "helm", "while :; do echo 'kind: ConfigMap, and so on and on and on and on and on and on and on'; done\n")
	_, err := Helm(t.Context(), Chart{Name: "web"})
	if err == nil || err.Error() != "helm template release-name web --namespace=default --kube-version=1.36 --skip-tests prints more than 32 MiB" {
		t.Errorf("says %v", err)
	}
}

// What a program has started goes with it, even if it does not listen, and so do its
// temporary files.
func TestAnInterruptEndsAProgramAndWhatItStarted(t *testing.T) {
	folder := t.TempDir()
	alive, never := filepath.Join(folder, "alive"), filepath.Join(folder, "never")
	for _, pipe := range []string{alive, never} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program(t, "kustomize", `: >"$TMPDIR/clone"
(trap "" TERM; exec 3>"`+alive+`"; echo "$TMPDIR" >&3; read nothing <"`+never+`") &
wait
`)
	ctx, interrupt := context.WithCancelCause(t.Context())
	why := errors.New("interrupted")
	ended := make(chan error, 1)
	go func() {
		_, err := Kustomize(ctx, folder)
		ended <- err
	}()
	pipe, err := os.Open(alive) // waits for the one who writes
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	lines := bufio.NewReader(pipe)
	temporary, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	interrupt(why)
	if err := <-ended; !errors.Is(err, why) {
		t.Errorf("says %v", err)
	}
	if _, err := lines.ReadByte(); err == nil { // waits for its end
		t.Error("what the program started writes on")
	}
	if _, err := os.Stat(strings.TrimSpace(temporary)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder: %v", err)
	}
}

func TestWhatCannotBeRunIsSaidInOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.yaml", "")
	kustomize := func(directory string) func() error {
		return func() error { _, err := Kustomize(t.Context(), directory); return err }
	}
	helm := func(c Chart) func() error {
		return func() error { _, err := Helm(t.Context(), c); return err }
	}
	write(t, "helm", "#!/bin/sh\nexit 1\n")
	if err := os.Chmod("helm", 0o700); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, path string
		render     func() error
		want       string
	}{
		{"no kustomize, no kubectl", "/nowhere", kustomize("."), "-k .: neither kustomize nor kubectl is in PATH; install one, or pipe what it renders: … | seatrial check -"},
		{"no helm", "/nowhere", helm(Chart{Name: "web"}), "--helm web: helm is not in PATH; install it, or pipe what it renders: helm template … | seatrial check -"},
		{"a program of the repository", "/nowhere:.", helm(Chart{Name: "web"}), "helm is not run: PATH finds it in the current folder (helm); put its folder into PATH by its full name"},
		{"a file", "/bin", kustomize("a.yaml"), "-k a.yaml: it takes the folder of a kustomization, not a file"},
		{"a flag for kustomize", "/bin", kustomize("--enable-exec"), "-k --enable-exec: it begins with a dash, which kustomize would take for a flag; ./ before it helps"},
		{"a flag for helm", "/bin", helm(Chart{Name: "web", Release: "--debug"}), `--helm: "--debug" begins with a dash, which helm would take for a flag; ./ before a folder helps`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			err := c.render()
			var its *Error
			if !errors.As(err, &its) || err.Error() != c.want {
				t.Errorf("says %v", err)
			}
		})
	}
}

func TestComplaintsAreBoundedAndPrintable(t *testing.T) {
	got := complaint([]byte(strings.Repeat("x\n", 30) + "\x1b[31mred\r\n"))
	if strings.Count(got, "\n") != saidLinesMax+1 || !strings.Contains(got, "… 11 lines") || strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("%q", got)
	}
	b := &bounded{most: 10, last: true}
	for range 100 {
		if n, err := b.Write([]byte("0123456789abc")); n != 13 || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := string(b.bytes()); got != "3456789abc" {
		t.Errorf("keeps %q", got)
	}
}

func FuzzMarks(f *testing.F) {
	f.Add("---\n# Source: web/templates/a.yaml\nkind: A\n", 2)
	f.Add("# Source: \r\n---\n---", 0)
	f.Fuzz(func(t *testing.T, text string, line int) {
		m := marksOf([]byte(text))
		for i := range m {
			if i > 0 && m[i].line <= m[i-1].line {
				t.Errorf("marks are out of order: %v", m)
			}
			if got := m.before(m[i].line); got != m[i].path {
				t.Errorf("line %d is from %q, want %q", m[i].line, got, m[i].path)
			}
		}
		if at := template(".", m.before(line)); strings.HasPrefix(at, "..") || filepath.IsAbs(at) {
			t.Errorf("%q is outside", at)
		}
	})
}

func FuzzOrigin(f *testing.F) {
	f.Add([]byte(`{"metadata":{"annotations":{"config.kubernetes.io/origin":"path: doc.go"}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if at := noted(".", raw); at != "" && !isFile(at) {
			t.Errorf("%q is no file", at)
		}
	})
}
