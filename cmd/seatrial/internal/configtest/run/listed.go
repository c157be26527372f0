package run

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// testsOf reads the names of what runs with a package's tests from the files: to ask the program for them is to run its
// TestMain. That are tests, fuzz tests with their seeds, and examples that say what they print. The outside of a
// package may have a test of the same name as the package: they are one, which may run beside others if both may.
func testsOf(l listed) (tests, parallel []string, err error) {
	waits := map[string]bool{}
	for _, file := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, file), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range doc.Examples(f) {
			if e.Output != "" || e.EmptyOutput {
				tests = append(tests, "Example"+e.Name)
				waits["Example"+e.Name] = true
			}
		}
		for _, d := range f.Decls {
			if f, is := d.(*ast.FuncDecl); is && isTest(f) {
				tests = append(tests, f.Name.Name)
				waits[f.Name.Name] = waits[f.Name.Name] || !isParallel(f)
			}
		}
	}
	slices.Sort(tests)
	tests = slices.Compact(tests)
	return tests, slices.DeleteFunc(slices.Clone(tests), func(test string) bool { return waits[test] }), nil
}

// isParallel tells whether a test calls t.Parallel itself.
func isParallel(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // a subtest, or something that may not run
			return false
		case *ast.CallExpr:
			of, is := n.Fun.(*ast.SelectorExpr)
			found = found || is && of.Sel.Name == "Parallel" && len(n.Args) == 0
		}
		return true
	})
	return found
}

// isTest is for functions that the go command takes for tests, TestX(t *testing.T), and for fuzz tests, FuzzX(f
// *testing.F).
func isTest(f *ast.FuncDecl) bool {
	if f.Recv != nil || f.Type.TypeParams != nil || len(f.Type.Params.List) != 1 || len(f.Type.Params.List[0].Names) > 1 {
		return false
	}
	star, is := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !is {
		return false
	}
	of := ""
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		of = x.Sel.Name
	case *ast.Ident:
		of = x.Name
	}
	return of == "T" && called(f, "Test") || of == "F" && called(f, "Fuzz")
}

// called tells whether the name of a function begins with a word, and goes on as that of a test does.
func called(f *ast.FuncDecl, word string) bool {
	rest, is := strings.CutPrefix(f.Name.Name, word)
	first, _ := utf8.DecodeRuneInString(rest)
	return is && (rest == "" || !unicode.IsLower(first))
}
