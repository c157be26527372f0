package field

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// fillers is for functions of other modules that put something into what they are given.
var fillers = regexp.MustCompile(`^(Must|Weak)?(Unmarshal|Decode|NewDecoder|Load|Parse|Read|Process|Populate|Scan|Bind|Fill)`)

// filled is a call in a function that hands a struct of a type to a function of another module which fills it in a way
// that is not known; nil if there is none. Behind that come the program's defaults and what it checks, so that values
// which are put in at the end never see these.
func (v *visitor) filled(fn *ast.FuncDecl, of *node) *ast.CallExpr {
	key := v.typeKey(of.typ)
	var out *ast.CallExpr
	ast.Inspect(fn, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || out != nil {
			return out == nil
		}
		by, is := typeutil.Callee(v.info, call).(*types.Func)
		if !is || by.Pkg() == nil || !fillers.MatchString(by.Name()) || v.own(by.Pkg()) || !strings.Contains(by.Pkg().Path(), ".") {
			return true
		}
		if d, _ := decodes(v.info, call); d != nil {
			return true // that is known
		}
		for _, arg := range call.Args {
			ast.Inspect(arg, func(n ast.Node) bool {
				e, is := n.(ast.Expr)
				if !is {
					return true
				}
				t := v.info.TypeOf(e)
				if t == nil {
					return true
				}
				if _, pointer := t.Underlying().(*types.Pointer); pointer && v.typeKey(t) == key {
					out = call
				}
				return out == nil
			})
		}
		return out == nil
	})
	return out
}
