package field

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// affix is what a function puts around a name before it asks the environment for that: SHOP_ before it.
type affix struct{ before, behind string }

// around is a name with what is put around it.
func (a affix) around(name string) string { return a.before + name + a.behind }

// affixed is an expression without constants around it, and these: name of "SHOP_" + name.
func affixed(info *types.Info, e ast.Expr) (ast.Expr, affix) {
	var out affix
	for {
		e = ast.Unparen(e)
		x, is := e.(*ast.BinaryExpr)
		if !is || x.Op != token.ADD {
			return e, out
		}
		if text, is := constantText(info, x.X); is {
			out.before, e = out.before+text, x.Y
		} else if text, is := constantText(info, x.Y); is {
			out.behind, e = text+out.behind, x.X
		} else {
			return e, out
		}
	}
}

// asksFor tells whether an argument of a call is the name of a variable that is asked for, with what the function puts around it.
func (a *analysis) asksFor(info *types.Info, call *ast.CallExpr, i int) (affix, bool) {
	if f, is := typeutil.Callee(info, call).(*types.Func); is && (f.FullName() == "os.Getenv" || f.FullName() == "os.LookupEnv") {
		return affix{}, true
	}
	if called := a.called(info, call); called != nil {
		out, is := called.variables[i]
		return out, is
	}
	return affix{}, false
}

// askedFor is the name of the variable that an argument of a call asks for, if that is a constant.
func (a *analysis) askedFor(info *types.Info, call *ast.CallExpr, i int) (string, bool) {
	with, asks := a.asksFor(info, call, i)
	name, is := constantText(info, call.Args[i])
	return with.around(name), asks && is
}
