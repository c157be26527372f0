package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// handsOnError are functions of libraries by which a test says that there is to be no error.
var handsOnError = regexp.MustCompile(`^(NoError|NoErrorf|NilError|Nil|Nilf|Must)$`)

// HandsOn tells whether a test does no more at a place, file:line in a folder, than to fail as there is an error: that is compared with nothing but nil, and what the test expects is no text of its own.
func HandsOn(folder, at string) bool {
	name, number, _ := strings.Cut(at, ":")
	line, err := strconv.Atoi(number)
	if err != nil || filepath.Base(name) != name {
		return false
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	here := func(n ast.Node) bool {
		return set.Position(n.Pos()).Line <= line && line <= set.Position(n.End()).Line
	}
	is := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt: // the innermost one says it
			switch {
			case here(n.Body):
				is = ofNil(n.Cond)
			case n.Else != nil && here(n.Else):
				is = false
			}
		case *ast.ExprStmt:
			if call, calls := n.X.(*ast.CallExpr); calls && here(n) && handsOnError.MatchString(called(call)) {
				is = true
			}
		}
		return true
	})
	return is
}

// ofNil tells whether a condition is that something is not nil.
func ofNil(e ast.Expr) bool {
	b, is := ast.Unparen(e).(*ast.BinaryExpr)
	if !is || b.Op != token.NEQ {
		return false
	}
	name, is := ast.Unparen(b.Y).(*ast.Ident)
	return is && name.Name == "nil"
}
