package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

const modulePath = "github.com/seatrial/seatrial"

// source is one parsed Go file. name is its slash-separated path from the
// repository's root.
type source struct {
	name  string
	text  string
	lines int
	fset  *token.FileSet
	file  *ast.File
}

// problem is a broken rule at a place.
type problem struct {
	place, rule, message string
}

func (p problem) String() string { return p.place + ": " + p.message }

func parse(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	lines := strings.Count(string(text), "\n")
	return &source{name: name, text: string(text), lines: lines, fset: fset, file: file}, nil
}

// load parses every Go file below root, the nested modules' too, whatever
// build tags it has. Test data and hidden folders are no source.
func load(root string) ([]*source, error) {
	var all []*source
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if full != root && (name == "testdata" || name == "bin" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(rel), text)
		if err != nil {
			return err
		}
		all = append(all, s)
		return nil
	})
	return all, err
}

// indent is how many columns of tabs stand before something, four for each; false if anything else does.
func (s *source) indent(pos token.Pos) (int, bool) {
	before := s.text[:s.fset.Position(pos).Offset]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return 4 * len(before), strings.Trim(before, "\t") == ""
}

// room is the folder of the file, "." for the root.
func (s *source) room() string { return path.Dir(s.name) }

func (s *source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// generated tells whether the file says that it is, as the Go tools read it.
func (s *source) generated() bool { return ast.IsGenerated(s.file) }

func (s *source) at(pos token.Pos) string {
	return s.name + ":" + strconv.Itoa(s.fset.Position(pos).Line)
}

// within tells whether the file lies in one of the rooms or below it.
func (s *source) within(rooms ...string) bool {
	for _, room := range rooms {
		if s.room() == room || strings.HasPrefix(s.room(), room+"/") {
			return true
		}
	}
	return false
}

// under tells whether an import path is prefix or below it.
func under(imported, prefix string) bool {
	return imported == prefix || strings.HasPrefix(imported, prefix+"/")
}

// standard tells whether an import path is of the standard library: its first
// element has no dot.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// imports calls f with each import path and its place.
func (s *source) imports(f func(imported, place string)) {
	for _, spec := range s.file.Imports {
		if imported, err := strconv.Unquote(spec.Path.Value); err == nil {
			f(imported, s.at(spec.Pos()))
		}
	}
}

// uses calls f with each use of a name of an imported package, as the import
// path and the name, under whatever name the file imports it.
func (s *source) uses(f func(imported, name, place string)) {
	packages := make(map[string]string)
	for _, spec := range s.file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		local := path.Base(imported)
		if version := strings.TrimLeft(local, "v"); version != local && version != "" && strings.Trim(version, "0123456789") == "" {
			local = path.Base(path.Dir(imported))
		}
		if spec.Name != nil {
			local = spec.Name.Name
		}
		packages[local] = imported
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok {
			if imported, known := packages[x.Name]; known {
				f(imported, selector.Sel.Name, s.at(selector.Pos()))
			}
		}
		return true
	})
}
