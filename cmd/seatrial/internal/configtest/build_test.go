package configtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestProgramsAreKept: what was linked for a map is not linked again, neither for another one nor for a comparison; for
// other texts it is.
func TestProgramsAreKept(t *testing.T) {
	pace.Slow(t)
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
	if err := os.WriteFile(file, append(text, "\nvar another = 1\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Map(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := built(); n != 1 {
		t.Errorf("of another text it is built %d times", n)
	}
	if err := os.WriteFile(file, append(text, "\nvar another = 1 // a comment\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Map(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := built(); n != 0 {
		t.Errorf("of another comment it is built %d times", n)
	}
	if left, err := filepath.Glob(filepath.Join(o.Builds, "programs", ".new-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestContent: tests whose program is the same run again if what they asked the system for is another one, and not for
// a comment.
func TestContent(t *testing.T) {
	pace.Slow(t)
	folder, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/limit\n\ngo 1.24\n")
	write("limit.txt", "3")
	write("testdata/limit.txt", "4")
	write("limit_test.go", `package limit

import (
	"os"
	"testing"
)

func TestLimit(t *testing.T) {
	f, err := os.OpenFile(os.Getenv("LIMIT_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("run\n")
	text, err := os.ReadFile("limit.txt")
	if err != nil || len(text)+len(os.Getenv("LIMIT")) > Most {
		t.Error(text, err)
	}
}
`)
	cache, builds, comment := t.TempDir(), t.TempDir(), "\n// a comment"
	for _, c := range []struct {
		what, most, limit string
		change            func()
		same, runs        bool
	}{
		{what: "nothing known", most: "10", runs: true},
		{what: "a comment", most: "10"},
		{what: "code", most: "11", runs: true},
		{what: "a variable", most: "11", limit: "5", runs: true},
		{what: "the same code with another variable", most: "11", limit: "6", same: true, runs: true},
		{what: "the same code and variable", most: "11", limit: "6", same: true},
		{what: "the same code with another file", most: "11", limit: "6", same: true, change: func() { write("limit.txt", "5") }, runs: true},
		{what: "a comment, once more", most: "11", limit: "6"},
		{what: "a file", most: "11", limit: "6", change: func() { write("limit.txt", "7") }, runs: true},
		{what: "testdata", most: "11", limit: "6", change: func() { write("testdata/limit.txt", "8") }, runs: true},
		{what: "another test", most: "11", limit: "6", change: func() { write("more_test.go", "package limit\n\nimport \"testing\"\n\nfunc TestMore(*testing.T) {}\n") }, runs: true},
	} {
		if !c.same {
			comment += ", and more of it"
		}
		write("limit.go", "package limit\n\nconst Most = "+c.most+"\n"+comment+"\n")
		if c.change != nil {
			c.change()
		}
		_ = os.Remove(log)
		o := options(t, folder, cache)
		o.Builds, o.Environment = builds, append(o.Environment, "LIMIT="+c.limit, "LIMIT_LOG="+log)
		m, err := Map(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(log); (err == nil) != c.runs {
			t.Errorf("%s: tests run: %t", c.what, err == nil)
		}
		if len(m.Packages) != 1 || len(m.Packages[0].Tests) == 0 || len(m.Packages[0].Tests[0].Reads) == 0 {
			t.Errorf("%s: the map is %v", c.what, m)
		}
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
