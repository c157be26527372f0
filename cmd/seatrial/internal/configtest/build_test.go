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

// TestNothingBuilds: a module of which no test can be built is no input, and one of which some can is.
func TestNothingBuilds(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n", "a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { none() }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, folder, t.TempDir())
	if _, err := Map(t.Context(), o); !IsInput(err) || !strings.Contains(err.Error(), "no tests can be built here: a: ") || !strings.Contains(err.Error(), "undefined: none") {
		t.Errorf("it says %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "b_test.go"), []byte("package b\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := Map(t.Context(), o); err != nil || len(m.Packages) != 2 || m.Packages[1].Problem == "" {
		t.Errorf("%v %v", m, err)
	}
}
