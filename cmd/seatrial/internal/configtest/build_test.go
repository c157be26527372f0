package configtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestProgramsAreKept: what was linked for a map is not linked again, neither for another one nor for a comparison; for other texts it is.
func TestProgramsAreKept(t *testing.T) {
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "gateway"))); err != nil {
		t.Fatal(err)
	}
	path, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := "#!/bin/sh\necho \"$@\" >> " + log + "\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(path, "go"), []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	t.Setenv("PATH", path+string(filepath.ListSeparator)+os.Getenv("PATH"))
	o := options(t, folder, t.TempDir())
	o.Builds = t.TempDir()
	built := func() int {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(log)
		return strings.Count("\n"+string(text), "\ntest -c ")
	}
	if _, err := Map(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := built(); n != 1 {
		t.Fatalf("first it is built %d times", n)
	}
	o.Fresh = true
	m, err := Map(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := built(); n != 0 {
		t.Errorf("again it is built %d times", n)
	}
	if len(m.Packages) == 0 || len(m.Packages[0].Tests) == 0 || len(m.Libraries) == 0 {
		t.Errorf("the map is %v", m)
	}
	file := filepath.Join(folder, "gateway_test.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, "\n// another text\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Map(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := built(); n != 1 {
		t.Errorf("of another text it is built %d times", n)
	}
	if left, err := filepath.Glob(filepath.Join(o.Builds, "programs", ".new-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
