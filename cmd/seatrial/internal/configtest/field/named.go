package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

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

// asksFor tells whether an argument of a call is the name of a variable that is asked for, with what the function puts
// around it.
func (a *analysis) asksFor(info *types.Info, call *ast.CallExpr, i int) (affix, bool) {
	switch o := typeutil.Callee(info, call).(type) {
	case *types.Func:
		if f := o.FullName(); f == "os.Getenv" || f == "os.LookupEnv" {
			return affix{}, true
		}
	case *types.Var:
		if i == 0 && inPlaceOfEnvironment(o) {
			return affix{}, true
		}
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

// inPlaceOfEnvironment tells whether a variable is a function that a program asks in the place of os.Getenv or
// os.LookupEnv, as tests may give another one: by its type, and by what it is called.
func inPlaceOfEnvironment(o *types.Var) bool {
	name := strings.ToLower(o.Name())
	if !strings.Contains(name, "env") && !strings.HasPrefix(name, "lookup") {
		return false
	}
	f, is := o.Type().Underlying().(*types.Signature)
	if !is || f.Variadic() || f.Params().Len() != 1 || !isBasic(f.Params().At(0).Type(), types.String) {
		return false
	}
	results := f.Results()
	return results.Len() > 0 && results.Len() < 3 && isBasic(results.At(0).Type(), types.String) && (results.Len() == 1 || isBasic(results.At(1).Type(), types.Bool))
}

// isBasic tells whether a type is a basic one itself.
func isBasic(t types.Type, kind types.BasicKind) bool {
	b, is := t.(*types.Basic)
	return is && b.Kind() == kind
}

// asksInPlace wraps a function that is asked in the place of the environment.
func (v *visitor) asksInPlace(n *ast.CallExpr) {
	if o, is := typeutil.Callee(v.info, n).(*types.Var); is && inPlaceOfEnvironment(o) && len(n.Args) == 1 && !v.test {
		by := map[int]string{1: ".AsksEnv(", 2: ".LooksUpEnv("}[o.Type().Underlying().(*types.Signature).Results().Len()]
		v.wrap(n.Fun, recorder+by, ", "+v.at(n)+v.byTable(n)+")")
	}
}
