package source

import (
	"go/ast"
	"regexp"
	"slices"
)

var (
	fails   = regexp.MustCompile(`^(Error|Errorf|Fatal|Fatalf|Fail|FailNow|Failf|FailNowf)$`)
	asserts = regexp.MustCompile(`^(Assert|Check|DeepEqual|Equal|Equalf|EqualValues|Equals|Exactly|False|Falsef|Is|IsFalse|IsTrue|NotEqual|NotTo|Should|ShouldNot|To|ToNot|True|Truef)$`)
	// compares are those beside that do nothing but to look.
	compares = regexp.MustCompile(`^(Assert|Contains|Diff|EqualFold|Expect|HasPrefix|Sprint|Sprintf|That|len|string|Ω)$`)
)

// Asserted tells whether all of some places, file:line from the root of the module, are in tests that say there what
// they expect: in the condition of something that fails, or in an assertion of a library. What a test hands on to the
// program from a place is none.
func (m *Module) Asserted(sites []string) bool {
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(site string) bool {
		p, is := m.at(m.directory, site)
		return !is || !p.asserted()
	})
}

func (p site) asserted() bool {
	if p.in == nil || !isTest(p.file) {
		return false
	}
	is := false
	ast.Inspect(p.in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			says := p.here(n.Cond) && !handsOn(n.Cond)
			if n.Init != nil {
				says = (p.here(n.Init) || p.here(n.Cond)) && !handsOn(n.Init) && !handsOn(n.Cond)
			}
			is = is || says && calls(n.Body, fails)
		case *ast.ExprStmt: // what it gives is nobody's
			is = is || p.here(n) && calls(n, asserts) && !handsOn(n)
		}
		return !is
	})
	return is
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

// handsOn tells whether something that is selected, as a field is, is an argument of a function that may do something
// with it, or there are statements inside.
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
