package settle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// calls are the functions of the library that leave a report.
var calls = []string{"Check", "Finds"}

// function is one of a package's test files: what it may call there, and whether it calls the
// library.
type function struct {
	names   map[string]bool
	library bool
}

// calling are the tests of a package that call the library, themselves or through other functions
// of the test files. Tests that do so through another package cannot be told: then there are
// none here, and all are run.
func calling(p listed) ([]string, error) {
	functions := map[string]*function{}
	for _, file := range p.files() {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, inputf("%v", err)
		}
		name := importedAs(parsed)
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				functions[f.Name.Name] = merge(functions[f.Name.Name], body(f, name))
			}
		}
	}
	var tests []string
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if strings.HasPrefix(name, "Test") && name != "TestMain" && reaches(functions, name, map[string]bool{}) {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

// importedAs is the name of the library in a file; empty if it is not imported.
func importedAs(f *ast.File) string {
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		switch {
		case err != nil || path != library:
		case i.Name != nil:
			return i.Name.Name
		default:
			return "settle"
		}
	}
	return ""
}

func body(f *ast.FuncDecl, library string) *function {
	out := &function{names: map[string]bool{}}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			out.names[n.Name] = true
			out.library = out.library || library == "." && slices.Contains(calls, n.Name)
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			out.library = out.library || ok && library != "" && of.Name == library && slices.Contains(calls, n.Sel.Name)
		}
		return true
	})
	return out
}

// merge is for methods of one name: any of them may be called.
func merge(a, b *function) *function {
	if a == nil {
		return b
	}
	maps.Copy(b.names, a.names)
	b.library = b.library || a.library
	return b
}

func reaches(functions map[string]*function, name string, seen map[string]bool) bool {
	f := functions[name]
	if f == nil || seen[name] {
		return false
	}
	seen[name] = true
	if f.library {
		return true
	}
	for called := range f.names {
		if reaches(functions, called, seen) {
			return true
		}
	}
	return false
}
