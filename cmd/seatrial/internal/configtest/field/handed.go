package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// handedOn tells whether an address is put into a struct of another module, as options of controller-runtime take
// theirs: LeaseDuration: &c.Lease.Duration. What is behind it is read there, where nobody looks. One that is put
// anywhere else may be for who writes to it: a table of what a loader fills.
func (v *visitor) handedOn(n *ast.UnaryExpr) bool {
	switch around := v.above(0).(type) {
	case *ast.KeyValueExpr:
		lit, is := v.above(1).(*ast.CompositeLit)
		return is && around.Value == n && v.foreign(v.info.TypeOf(lit)) && v.flagLiteral(v.info, lit) == nil
	case *ast.AssignStmt:
		for i, from := range around.Rhs {
			if ast.Unparen(from) != n || len(around.Lhs) != len(around.Rhs) || around.Tok != token.ASSIGN {
				continue
			}
			to, is := ast.Unparen(around.Lhs[i]).(*ast.SelectorExpr)
			return is && v.foreign(v.info.TypeOf(to.X))
		}
	}
	return false
}

// foreign tells whether a type is a struct of another module.
func (v *visitor) foreign(t types.Type) bool {
	n := named(t)
	if n == nil || n.Obj().Pkg() == nil || structOf(n) == nil {
		return false
	}
	path, _, _ := strings.Cut(n.Obj().Pkg().Path(), " ") // that of a variant of a package has the tests behind it
	return path != v.module.Path && !strings.HasPrefix(path, v.module.Path+"/")
}
