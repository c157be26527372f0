// Package source has what the Go sources of a module under test say of a parameter: what the program compares it with
// where it reads it, what it means by nothing of it, which words it knows, and what the tests assert. It reads text,
// and runs nothing.
package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"sync"
)

// Module is a module by its sources, which are taken not to change: each file is read once, when it is asked for first.
// Several goroutines may ask.
type Module struct {
	directory, path string
	set             *token.FileSet
	files           kept[*ast.File]
	folders         kept[[]string]          // the files in each
	constants       kept[map[string]string] // of the package in a folder, by their names
	all             func() []string
}

// Of is the module in a folder, with its import path; empty if that is not known.
func Of(directory, path string) *Module {
	m := &Module{directory: filepath.Clean(directory), path: path, set: token.NewFileSet()}
	m.all = sync.OnceValue(m.walk)
	return m
}

// kept is what is found out once for each name.
type kept[V any] struct {
	mu sync.Mutex
	of map[string]func() V
}

// get finds it out if nobody has yet; who asks for another name meanwhile does not wait for that.
func (k *kept[V]) get(name string, find func(name string) V) V {
	k.mu.Lock()
	once, known := k.of[name]
	if !known {
		if k.of == nil {
			k.of = map[string]func() V{}
		}
		once = sync.OnceValue(func() V { return find(name) })
		k.of[name] = once
	}
	k.mu.Unlock()
	return once()
}

// file is what a file says; nil if it cannot be read.
func (m *Module) file(path string) *ast.File {
	return m.files.get(path, func(path string) *ast.File {
		f, err := parser.ParseFile(m.set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil { // there may be some of it
			return nil
		}
		return f
	})
}

// in are the files of a folder.
func (m *Module) in(folder string) []string {
	return m.folders.get(folder, func(folder string) []string {
		files, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the pattern is well-formed
		return files
	})
}

// program are the files of a package, without its tests and what cannot be read.
func (m *Module) program(folder string) []*ast.File {
	var out []*ast.File
	for _, path := range m.in(folder) {
		if isTest(path) {
			continue
		}
		if f := m.file(path); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// tests are the files of the tests of a package; nil for each that cannot be read.
func (m *Module) tests(folder string) []*ast.File {
	var out []*ast.File
	for _, path := range m.in(folder) {
		if isTest(path) {
			out = append(out, m.file(path))
		}
	}
	return out
}

// everywhere are all files that can be read, without what the module has of others, and with its tests if so.
func (m *Module) everywhere(tests bool) iter.Seq[*ast.File] {
	return func(yield func(*ast.File) bool) {
		for _, path := range m.all() {
			if !tests && isTest(path) {
				continue
			}
			if f := m.file(path); f != nil && !yield(f) {
				return
			}
		}
	}
}

// walk finds the files of the module.
func (m *Module) walk() []string {
	var out []string
	_ = filepath.WalkDir(m.directory, func(path string, d fs.DirEntry, err error) error { // what can't be read says nothing
		switch {
		case err != nil:
			return nil
		case d.IsDir():
			if name := d.Name(); path != m.directory && (name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, ".go"):
			out = append(out, path)
		}
		return nil
	})
	return out
}

// folder is that of a package by its path from the root of the module.
func (m *Module) folder(pkg string) string {
	return filepath.Join(m.directory, filepath.FromSlash(pkg))
}

// below is the folder of a package by its import path; empty if it is none of the module's.
func (m *Module) below(path string) string {
	within, is := strings.CutPrefix(path+"/", m.path+"/")
	if path == "" || m.path == "" || !is {
		return ""
	}
	return filepath.Join(m.directory, filepath.FromSlash(within))
}

// lineOf is the line of something in a file.
func (m *Module) lineOf(at token.Pos) int { return m.set.Position(at).Line }

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }
