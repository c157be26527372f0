package field

import (
	"go/ast"
	"go/types"
	"slices"
)

// parses is the leaf that a call has read a text itself, as Set and UnmarshalText do; nil if it does nothing of the
// kind.
func (v *visitor) parses(call *ast.CallExpr) ast.Expr {
	of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !is || !slices.Contains(parsers, of.Sel.Name) || !v.isLeaf(of.X) {
		return nil
	}
	s := v.info.Selections[of]
	if s == nil || s.Kind() != types.MethodVal {
		return nil
	}
	if _, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); !pointer {
		return nil
	}
	return of.X
}

// setByItself notes the leaves that read a text themselves in a statement of a test.
func (v *visitor) setByItself(stmt ast.Stmt, in ast.Expr) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if leaf := v.parses(n); leaf != nil {
				v.set(stmt, leaf, nil)
			}
		}
		return true
	})
}
