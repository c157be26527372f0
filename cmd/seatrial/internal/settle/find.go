package settle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// library is the import path of what tests call.
const library = "github.com/seatrial/seatrial/settle"

// InputError is about the user's module, its tests or the go command.
type InputError struct{ text string }

func (e *InputError) Error() string { return e.text }

func inputf(format string, args ...any) error { return &InputError{fmt.Sprintf(format, args...)} }

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, ForTest  string
	Deps                      []string
	TestGoFiles, XTestGoFiles []string
	Error                     *struct{ Pos, Err string }
}

// tested is a package with tests that call the library.
type tested struct {
	path, directory string
	// tests are the names of those tests; empty if all of the package are to be run.
	tests []string
}

// find lists the packages whose tests call the library.
func find(ctx context.Context, o Options) ([]tested, error) {
	if _, err := exec.LookPath(o.goCommand()); err != nil {
		return nil, inputf("the go command is needed to build the tests, and is not in PATH: install Go from https://go.dev/dl (%v)", err)
	}
	all, err := list(ctx, o)
	if err != nil {
		return nil, err
	}
	byPath := map[string]listed{}
	for _, p := range all {
		byPath[p.ImportPath] = p
	}
	var found []tested
	for _, p := range all {
		if p.Error != nil && p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") {
			return nil, inputf("%s: %s", p.ImportPath, strings.TrimSpace(strings.TrimPrefix(p.Error.Pos+": "+p.Error.Err, ": ")))
		}
		path, isTest := strings.CutSuffix(p.ImportPath, ".test")
		of, known := byPath[path]
		if !isTest || !known || !slices.ContainsFunc(p.Deps, func(d string) bool { return d == library || strings.HasPrefix(d, library+" ") }) {
			continue
		}
		names, err := calling(of)
		if err != nil {
			return nil, err
		}
		found = append(found, tested{path, of.Dir, names})
	}
	if len(found) == 0 {
		return nil, inputf("no test in %s calls settle.Check: docs/settle.md shows how to write one", strings.Join(o.Packages, " "))
	}
	return found, nil
}

// list asks the go command.
func list(ctx context.Context, o Options) (all []listed, err error) {
	args := []string{"list", "-e", "-test", "-json=ImportPath,Dir,ForTest,Deps,TestGoFiles,XTestGoFiles,Error"}
	cmd := exec.CommandContext(ctx, o.goCommand(), append(append(args, o.tags()...), o.Packages...)...)
	cmd.Dir, cmd.Env = o.Directory, o.Environment
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, inputf("go list %s: %s", strings.Join(o.Packages, " "), lastLines(said.String(), 8))
	}
	for d := json.NewDecoder(&out); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			if len(all) == 0 {
				return nil, inputf("no packages match %s: %s", strings.Join(o.Packages, " "), lastLines(said.String(), 4))
			}
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// lastLines are the last lines of a text, in one.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], "\n")
}

// pattern is what go test -run gets.
func pattern(o Options, found []tested) string {
	if o.Run != "" {
		return o.Run
	}
	var names []string
	for _, p := range found {
		if len(p.tests) == 0 {
			return "."
		}
		for _, name := range p.tests {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	slices.Sort(names)
	return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
}

// files are the test files of a package.
func (p listed) files() (files []string) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		files = append(files, filepath.Join(p.Dir, name))
	}
	return files
}
