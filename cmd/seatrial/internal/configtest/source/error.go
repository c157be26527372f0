package source

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// noError are functions of libraries by which a test says that there is to be no error.
var noError = regexp.MustCompile(`^(NoError|NoErrorf|NilError|Nil|Nilf|Must)$`)

// HandsOn tells whether a test does no more at a place, file:line in the folder of its package, than to fail as there
// is an error: that is compared with nothing but nil, and what the test expects is no text of its own. Where a helper
// of the tests fails (t.Helper), the place is that at which it is called: it must do no more in any way.
func (m *Module) HandsOn(pkg, at string) bool {
	folder := m.folder(pkg)
	p, is := m.at(folder, at)
	if !is || p.in == nil || strings.ContainsRune(at, filepath.Separator) {
		return false
	}
	if handsOnWhere(p.in, p.here) {
		return true
	}
	helpers := m.helpers(folder)
	only, other := false, false
	ast.Inspect(p.in, func(n ast.Node) bool {
		call, calls := n.(*ast.CallExpr)
		if !calls || !p.here(call) {
			return true
		}
		switch helper := helpers[called(call)]; {
		case helper != nil:
			only = only || handsOnAlways(helper)
			other = other || !handsOnAlways(helper)
		case fails.MatchString(called(call)):
			other = true
		}
		return true
	})
	return only && !other
}

// handsOnWhere tells whether what is at a place fails for an error.
func handsOnWhere(in ast.Node, here func(ast.Node) bool) bool {
	is := false
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt: // the innermost one says it
			switch {
			case here(n.Body):
				is = ofNil(n.Cond)
			case n.Else != nil && here(n.Else):
				is = false
			}
		case *ast.ExprStmt:
			if call, calls := n.X.(*ast.CallExpr); calls && here(n) && noError.MatchString(called(call)) {
				is = true
			}
		}
		return true
	})
	return is
}

// handsOnAlways tells whether all by which a function fails a test is for an error.
func handsOnAlways(f *ast.FuncDecl) bool {
	var places []ast.Node
	asserting := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if s, is := n.(*ast.ExprStmt); is {
			call, calls := s.X.(*ast.CallExpr)
			switch {
			case !calls:
			case fails.MatchString(called(call)) || noError.MatchString(called(call)):
				places = append(places, s)
			case asserts.MatchString(called(call)):
				asserting = true
			}
		}
		return true
	})
	return !asserting && len(places) > 0 && !slices.ContainsFunc(places, func(place ast.Node) bool {
		return !handsOnWhere(f, func(n ast.Node) bool { return n.Pos() <= place.Pos() && place.End() <= n.End() })
	})
}

// helpers are the functions of the tests of a folder that say that they are helpers, by their names; nil for a name
// that several have.
func (m *Module) helpers(folder string) map[string]*ast.FuncDecl {
	out := map[string]*ast.FuncDecl{}
	for _, f := range m.tests(folder) {
		if f == nil {
			continue
		}
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Body == nil || !calls(fn.Body, helps) {
				continue
			}
			if _, again := out[fn.Name.Name]; again {
				fn = nil
			}
			out[d.(*ast.FuncDecl).Name.Name] = fn
		}
	}
	return out
}

var helps = regexp.MustCompile(`^Helper$`)

// ofNil tells whether a condition is that something is not nil.
func ofNil(e ast.Expr) bool {
	b, is := ast.Unparen(e).(*ast.BinaryExpr)
	if !is || b.Op != token.NEQ {
		return false
	}
	name, is := ast.Unparen(b.Y).(*ast.Ident)
	return is && name.Name == "nil"
}
