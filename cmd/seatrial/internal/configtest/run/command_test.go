package run

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWritesNothing: the go command leaves the module as it is, whatever it has been told, and asks git nothing.
func TestWritesNothing(t *testing.T) {
	untidy := "module example.com/shop\n\ngo 1.24\n\nreplace example.com/dep => ./dep\n"
	for _, c := range []struct {
		name, mod, flags string
		builds           bool
	}{
		{"untidy", untidy, "-mod=mod -buildvcs=true", false},
		{"tidy", untidy + "\nrequire example.com/dep v0.0.0\n", "-p=2 --mod=mod", true},
		{"vendored", untidy + "\nrequire example.com/dep v0.0.0\n", "-buildvcs=true", true},
	} {
		folder := write(t, map[string]string{
			"go.mod": c.mod, "main.go": "package main\n\nimport _ \"example.com/dep\"\n\nfunc main() {}\n", "main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
			"dep/go.mod": "module example.com/dep\n\ngo 1.24\n", "dep/dep.go": "package dep\n", ".git/HEAD": "ref: refs/heads/main\n",
		})
		if c.name == "vendored" { // and that is what is built
			for name, text := range map[string]string{
				"vendor/modules.txt":            "# example.com/dep v0.0.0 => ./dep\n## explicit; go 1.24\nexample.com/dep\n# example.com/dep => ./dep\n",
				"vendor/example.com/dep/dep.go": "package dep\n", "dep/dep.go": "package broken {\n",
			} {
				file := filepath.Join(folder, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		tools := write(t, map[string]string{"git": "#!/bin/sh\necho \"$0 $*\" >>\"$(dirname \"$0\")/asked\"\nexit 128\n"})
		if err := os.Chmod(filepath.Join(tools, "git"), 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
		environment := append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS="+c.flags, "PATH="+tools+":"+os.Getenv("PATH"))
		m, err := Find(t.Context(), folder, "", environment, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		packages, err := m.Packages(t.Context(), []string{"./..."}, "")
		if err != nil || len(packages) != 1 {
			t.Errorf("%s: the packages are %v, %v", c.name, packages, err)
		}
		b := Build{Folder: t.TempDir()}
		if programs, err := m.Compile(t.Context(), b, packages); err != nil || (programs[0].File != "") != c.builds {
			t.Errorf("%s: the programs are %v, %v", c.name, programs, err)
		}
		if _, err := m.Main(t.Context(), b, "."); (err == nil) != c.builds {
			t.Errorf("%s: the program: %v", c.name, err)
		}
		if contents := m.Contents(t.Context(), b, []string{"example.com/shop"}); (len(contents) == 1) != c.builds {
			t.Errorf("%s: the contents are %v", c.name, contents)
		}
		if mod, err := os.ReadFile(filepath.Join(folder, "go.mod")); err != nil || string(mod) != c.mod {
			t.Errorf("%s: the go.mod is now\n%s", c.name, mod)
		}
		if asked, err := os.ReadFile(filepath.Join(tools, "asked")); err == nil {
			t.Errorf("%s: git was asked\n%s", c.name, asked)
		}
		if got := strings.Join(m.Environment, "\n"); !strings.Contains(got, "\nGOFLAGS="+c.flags+"\n") || strings.Count(got, "GOFLAGS=") > 1 {
			t.Errorf("%s: the tests are told something else", c.name)
		}
	}
}

// TestStoppedBuilding: of a go command that is stopped nothing runs on, and nothing is left where nobody removes it.
func TestStoppedBuilding(t *testing.T) {
	tools, temporary := t.TempDir(), t.TempDir()
	open, tool := filepath.Join(tools, "open"), filepath.Join(tools, "tool")
	if err := syscall.Mkfifo(open, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\ncase \"$2\" in -V*) exec \"$@\";; esac\nexec sleep 1000 9>" + open + "\n" // what is compiled waits
	if err := os.WriteFile(tool, []byte(script), 0o700); err != nil {                               //nolint:gosec // a program
		t.Fatal(err)
	}
	folder := write(t, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "a_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Log(\"" + temporary + "\") }\n"})
	m, err := Find(t.Context(), folder, "", append(os.Environ(), "GOWORK=off", "GOTMPDIR=", "TMPDIR="+temporary), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended, opened := make(chan error, 1), make(chan *os.File, 1)
	go func() {
		_, err := m.Compile(ctx, Build{Folder: t.TempDir(), Flags: []string{"-toolexec=" + tool}}, []Package{{Path: "example.com/shop"}})
		ended <- err
	}()
	go func() {
		if f, err := os.Open(open); err == nil { // when the tool has opened it, too
			opened <- f
		}
	}()
	select {
	case err := <-ended:
		t.Fatalf("nothing was compiled: %v", err)
	case f := <-opened:
		defer f.Close()
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("in the folder of everybody are %v, %v", left, err)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ends with %v", err)
		}
		if err := f.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(f); err != nil {
			t.Errorf("the tool runs on: %v", err)
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 { // and not in what goes with the session
		t.Errorf("left are %v, %v", left, err)
	}
}
