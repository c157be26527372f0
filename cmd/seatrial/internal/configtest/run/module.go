// Package run runs the tests of a Go module, each in a process of its own, as go test would but with
// values of ours: the packages are compiled once, outside of the module, by the user's go command.
package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// InputError is about the user's module or the go command.
type InputError struct{ text string }

func (e *InputError) Error() string { return e.text }

func inputf(format string, args ...any) error { return &InputError{fmt.Sprintf(format, args...)} }

// Module is a Go module, and how the go command is called in it.
type Module struct {
	// Directory is where it is, with no symbolic link in it.
	Directory string
	// Path is its import path.
	Path string
	// Root is where the Go is that builds it.
	Root string
	// Go is the go command; Tags are build tags, apart by commas.
	Go, Tags string
	// Environment is that of the go command and of the tests, as NAME=value.
	Environment []string

	building []string // what the go command has beside that
	work     string   // the go.work that it uses; empty for none
}

// Find looks at a folder that is in a module. work is a folder of ours, outside of it.
func Find(ctx context.Context, folder, tags string, environment []string, work string) (*Module, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, inputf("the go command is needed to build the tests, and is not in PATH: install Go from https://go.dev/dl (%v)", err)
	}
	directory, err := filepath.Abs(folder)
	if err == nil {
		directory, err = filepath.EvalSymlinks(directory)
	}
	if err != nil {
		return nil, inputf("%s: there is no such folder", folder)
	}
	m := &Module{Directory: directory, Go: "go", Tags: tags, Environment: environment}
	if err := m.isolate(ctx, work); err != nil {
		return nil, err
	}
	said, err := m.output(ctx, "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, err
	}
	// In a workspace there are several.
	for line := range strings.Lines(string(said)) {
		name, root, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if root, err = filepath.EvalSymlinks(root); err == nil && (directory == root || strings.HasPrefix(directory, root+string(filepath.Separator))) && len(name) > 0 {
			if m.Path == "" || len(root) > len(m.Directory) {
				m.Path, m.Directory = name, root
			}
		}
	}
	if m.Path == "" {
		return nil, inputf("%s is in no Go module: there is no go.mod in it or above it", folder)
	}
	return m, nil
}

// Package is one with tests.
type Package struct {
	// Path is its import path, Name that from the root of the module; . for the root itself.
	Path, Name string
	// Directory is where its tests run.
	Directory string
	// Tests are the names of its tests, in order.
	Tests []string
	// Parallel are those of them that say that they may run beside others.
	Parallel []string
	// Key says what its tests were built from: the module's files, and what it requires. Equal keys, equal tests.
	Key string
	// Data says what is in its folder testdata. It is part of Key.
	Data string
	// Folders are those of the module, and of modules that are folders, from which its tests are built.
	Folders []string
	// Problem is why its tests cannot be run, in one line; empty if they can.
	Problem string
}

// Packages lists those with tests that match patterns. extra is part of every key.
func (m *Module) Packages(ctx context.Context, patterns []string, extra string) ([]Package, error) {
	all, err := m.list(ctx, patterns)
	if err != nil {
		return nil, err
	}
	language, err := m.language()
	if err != nil {
		return nil, err
	}
	keys := newKeys(m, all, extra+"\n"+language)
	var out []Package
	for _, l := range all {
		// One that the go command cannot read, as with a full disk, is of no module that it would know.
		ours := l.Module != nil && l.Module.Main || l.Module == nil && l.Error != nil && !l.Standard
		if l.ForTest != "" || !ours || strings.HasSuffix(l.ImportPath, ".test") || l.DepOnly {
			continue
		}
		if len(l.TestGoFiles)+len(l.XTestGoFiles) == 0 && l.Error == nil {
			continue
		}
		p := Package{Path: l.ImportPath, Directory: l.Dir, Name: name(m.Path, l.ImportPath)}
		if l.Error != nil {
			p.Problem = strings.TrimPrefix(strings.TrimSpace(l.Error.Pos+": "+oneLine(l.Error.Err)), ": ")
		} else if p.Tests, p.Parallel, err = testsOf(l); err != nil {
			p.Problem = oneLine(err.Error())
		}
		if p.Problem == "" {
			if p.Key, p.Data, p.Folders, err = keys.of(l.ImportPath); err != nil {
				return nil, err
			}
		}
		if len(p.Tests) > 0 || p.Problem != "" {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func name(module, importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, ForTest string
	Module                   *struct {
		Path, Version, Dir, GoVersion string
		Main                          bool
		Replace                       *struct{ Path, Version, Dir string }
	}
	DepOnly, Standard                           bool
	GoFiles, CgoFiles, CFiles, HFiles, SFiles   []string
	CXXFiles, SysoFiles                         []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
	TestGoFiles, XTestGoFiles                   []string
	Imports, TestImports, XTestImports          []string
	Error                                       *struct{ Pos, Err string }
}

const fields = "ImportPath,Dir,ForTest,Module,DepOnly,Standard,GoFiles,CgoFiles,CFiles,CXXFiles,HFiles,SFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles," +
	"TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Error"

func (m *Module) list(ctx context.Context, patterns []string) (all []listed, err error) {
	said, err := m.output(ctx, slices.Concat([]string{"list", "-e", "-test", "-deps", "-json=" + fields}, m.tags(), []string{"--"}, patterns)...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(said)); ; {
		var l listed
		switch err := d.Decode(&l); {
		case errors.Is(err, io.EOF):
			if len(all) == 0 {
				return nil, inputf("no packages match %s", strings.Join(patterns, " "))
			}
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, l)
	}
}

// Dependencies are the import paths of a package and of all that it imports.
func (m *Module) Dependencies(ctx context.Context, of string) ([]string, error) {
	said, err := m.output(ctx, slices.Concat([]string{"list", "-e", "-deps", "-f", "{{.ImportPath}}"}, m.tags(), []string{"--", of})...)
	return strings.Fields(string(said)), err
}

func (m *Module) output(ctx context.Context, args ...string) ([]byte, error) {
	return m.Command(ctx, nil, args...)
}

func (m *Module) tags() []string {
	if m.Tags == "" {
		return nil
	}
	return []string{"-tags=" + m.Tags}
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// binary is how the go command calls the test program of a package.
func binary(importPath string) string {
	elements := strings.Split(importPath, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && version.MatchString(last) && last != "v0" && last != "v1" {
		last = elements[len(elements)-2]
	}
	return path.Base(last) + ".test"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// lastLines are the last lines of a text, in one.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], "\n")
}
