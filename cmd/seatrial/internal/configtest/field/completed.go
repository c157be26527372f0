package field

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// completed are the fields that a function, or one that it calls, gives a default where they say nothing: if x.F == 0 {
// x.F = 1 }. Behind it none of them is nothing, whatever a file says.
func (a *analysis) completed(fn *function) map[parameter.ID]bool {
	if fn == nil || fn.file.test {
		return nil
	}
	name := key(fn.object)
	if known, is := a.completes[name]; is {
		return known
	}
	out := map[parameter.ID]bool{}
	a.completes[name] = out // one that calls itself
	v := &visitor{analysis: a, file: fn.file}
	ast.Inspect(fn.node.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if !asksForNone(n.Cond) {
				return true
			}
			for _, e := range v.defaulted(n) {
				for _, of := range v.nodes(e) {
					out[of.id()] = true
				}
			}
		case *ast.CallExpr:
			for id := range a.completed(a.called(fn.file.info, n)) {
				out[id] = true
			}
		}
		return true
	})
	return out
}

// asksForNone tells whether a condition is true of what says nothing, whatever else is.
func asksForNone(cond ast.Expr) bool {
	switch x := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LOR {
			return asksForNone(x.X) && asksForNone(x.Y)
		}
		return x.Op == token.EQL || x.Op == token.LEQ
	case *ast.UnaryExpr:
		return x.Op == token.NOT
	case *ast.CallExpr: // IsZero
		return true
	}
	return false
}

// but are the fields of a struct that are not put into it as nothing where a function ends, as more arguments: it has
// given them a default then.
func (v *visitor) but(fn *ast.FuncDecl, of *node) string {
	completed := v.completed(v.enclosing(v.file, fn))
	var out strings.Builder
	for _, l := range of.leaves() {
		if completed[l.id()] {
			fmt.Fprintf(&out, ", %q", l.id())
		}
	}
	return out.String()
}
