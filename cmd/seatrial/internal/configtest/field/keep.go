package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// begins is how tests are called, fuzz tests, and examples.
var begins = regexp.MustCompile(`^(Test|Fuzz|Example)`)

// keepers are functions of the module that give variables of packages other values while the program runs, as the
// runtime calls them. What they read may be kept there, so that nobody reads it again. Tests themselves are none: what
// one of them keeps is for itself.
func (a *analysis) keepers() []string {
	out := []string{}
	for _, fn := range a.functions {
		name := fn.node.Name.Name
		if name == "init" || name == "TestMain" || fn.file.test && fn.node.Recv == nil && begins.MatchString(name) {
			continue
		}
		if keeps(fn.file.info, fn.node.Body) {
			out = append(out, running(fn.object))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// running is what the runtime calls a function.
func running(f *types.Func) string {
	name := f.Pkg().Path() + "."
	if receiver := f.Signature().Recv(); receiver != nil {
		of := named(receiver.Type()).Obj().Name()
		if _, is := receiver.Type().(*types.Pointer); is {
			of = "(*" + of + ")"
		}
		name += of + "."
	}
	return name + f.Name()
}

// keeps tells whether a function gives a variable of a package another value.
func keeps(info *types.Info, body *ast.BlockStmt) (is bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				constant := len(n.Lhs) == len(n.Rhs) && (info.Types[n.Rhs[i]].Value != nil || info.Types[n.Rhs[i]].IsNil())
				is = is || n.Tok == token.ASSIGN && !constant && global(info, to)
			}
		case *ast.CallExpr:
			called, method := typeutil.Callee(info, n).(*types.Func)
			at, selected := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if method && selected && called.Pkg() != nil && slices.Contains([]string{"sync", "sync/atomic"}, called.Pkg().Path()) {
				is = is || slices.Contains([]string{"Do", "Store", "Swap", "CompareAndSwap", "LoadOrStore"}, called.Name()) && global(info, at.X)
			}
		}
		return !is
	})
	return is
}

// global tells whether something is in a variable of a package.
func global(info *types.Info, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, is := info.Uses[x].(*types.Var)
			return is && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
		case *ast.SelectorExpr:
			if v, is := info.Uses[x.Sel].(*types.Var); is && !v.IsField() {
				return true // of another package
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return false
		}
	}
}
