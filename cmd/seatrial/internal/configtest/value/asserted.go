package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	fails   = regexp.MustCompile(`^(Error|Errorf|Fatal|Fatalf|Fail|FailNow|Failf|FailNowf)$`)
	asserts = regexp.MustCompile(`^(Assert|Check|DeepEqual|Equal|Equalf|EqualValues|Equals|Exactly|False|Falsef|Is|IsFalse|IsTrue|NotEqual|NotTo|Should|ShouldNot|To|ToNot|True|Truef)$`)
	// compares are those beside that do nothing but to look.
	compares = regexp.MustCompile(`^(Assert|Contains|Diff|EqualFold|Expect|HasPrefix|Sprint|Sprintf|That|len|string|Ω)$`)
)

// Asserted tells whether all of some places, file:line from the root of a module, are in tests that say there what they expect: in the condition of something that fails, or in an
// assertion of a library. What a test hands on to the program from a place is none.
func Asserted(module string, sites []string) bool {
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(site string) bool { return !asserted(module, site) })
}

func asserted(module, site string) bool {
	file, _, _ := strings.Cut(site, ":")
	f, here := sourceAt(module, site)
	if f == nil || !strings.HasSuffix(file, "_test.go") {
		return false
	}
	is := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			says := here(n.Cond) && !handsOn(n.Cond)
			if n.Init != nil {
				says = (here(n.Init) || here(n.Cond)) && !handsOn(n.Init) && !handsOn(n.Cond)
			}
			is = is || says && calls(n.Body, fails)
		case *ast.ExprStmt: // what it gives is nobody's
			is = is || here(n) && calls(n, asserts) && !handsOn(n)
		}
		return !is
	})
	return is
}

// sourceAt is the file of a place, file:line below a folder, and whether something in it is on that line; nil if it cannot be read.
func sourceAt(folder, place string) (*ast.File, func(ast.Node) bool) {
	name, number, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	if err != nil || !filepath.IsLocal(name) {
		return nil, nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil
	}
	return f, func(n ast.Node) bool {
		return set.Position(n.Pos()).Line <= line && line <= set.Position(n.End()).Line
	}
}

// calls tells whether a function of some names is called.
func calls(in ast.Node, names *regexp.Regexp) (is bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if call, calls := n.(*ast.CallExpr); calls {
			is = is || names.MatchString(called(call))
		}
		return !is
	})
	return is
}

// called is the last name of what is called.
func called(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// handsOn tells whether something that is selected, as a field is, is an argument of a function that may do something with it, or there are statements inside.
func handsOn(in ast.Node) (is bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			is = true
		case *ast.CallExpr:
			if asserts.MatchString(called(n)) || compares.MatchString(called(n)) {
				break
			}
			for _, arg := range n.Args {
				ast.Inspect(arg, func(n ast.Node) bool {
					_, selects := n.(*ast.SelectorExpr)
					is = is || selects
					return !is
				})
			}
		}
		return !is
	})
	return is
}
