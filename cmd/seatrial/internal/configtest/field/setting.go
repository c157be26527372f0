package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// handedTo are the parameters that what a call gives is handed on to, as more arguments.
func (v *visitor) handedTo(fun ast.Expr) string {
	call, is := v.above(0).(*ast.CallExpr)
	if !is || call.Fun != fun {
		return ""
	}
	var out strings.Builder
	for _, id := range v.flows[call] {
		out.WriteString(", " + strconv.Quote(string(id)))
	}
	if name := v.setsFlag(call, v.above(1)); name != "" {
		out.WriteString(`, "flag:--"+` + name)
	}
	if out.Len() == 0 {
		return v.byTable(call)
	}
	return out.String()
}

// byTable is what stands for what a table says, of a call that asks for a variable whose name is known only then.
func (v *visitor) byTable(call *ast.CallExpr) string {
	if v.test || len(call.Args) != 1 {
		return ""
	}
	if _, constant := constantText(v.info, call.Args[0]); constant {
		return ""
	}
	return `, "*"`
}

// setsFlag is the text of the name of the flag that is set to what a call gives, in the function that the call is in,
// with what is around it; empty if none is, or which one it is cannot be said at the call. Many a program goes through
// its flags, asks for a variable that is called as each is, and sets it to that.
func (v *visitor) setsFlag(call *ast.CallExpr, around ast.Node) string {
	if v.test {
		return ""
	}
	var value types.Object
	if to, is := around.(*ast.AssignStmt); is && len(to.Rhs) == 1 {
		if name, is := to.Lhs[0].(*ast.Ident); is {
			value = v.info.ObjectOf(name)
		}
	}
	uses := func(e ast.Expr) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			name, is := n.(*ast.Ident)
			found = found || n == call || is && value != nil && v.info.Uses[name] == value
			return !found
		})
		return found
	}
	out := ""
	ast.Inspect(v.body(), func(n ast.Node) bool {
		set, is := n.(*ast.CallExpr)
		if !is || out != "" {
			return out == ""
		}
		if name, suffix := v.flagSet(set); name != nil && uses(set.Args[len(set.Args)-1]) && v.knownAt(name, call) {
			out = string(v.text[v.offset(name.Pos()):v.offset(name.End())]) + suffix
		}
		return true
	})
	return out
}

// askedForFlag wraps a call that asks viper or koanf for what a flag is set to: it is that flag, and nobody has read it
// yet.
func (v *visitor) askedForFlag(call *ast.CallExpr) {
	kind := v.library(call)
	if kind == "" || !v.knownAt(call.Args[0], call) {
		return
	}
	if name := v.setsFlag(call, v.above(0)); name != "" {
		key := string(v.text[v.offset(call.Args[0].Pos()):v.offset(call.Args[0].End())])
		v.wrap(call, recorder+".Handed(", fmt.Sprintf(", %q, %s, %s, %s)", kind, key, name, v.at(call)))
	}
}

// askedToLog wraps a call that asks viper or koanf for what is only logged: that is no use of it, as of a field.
func (v *visitor) askedToLog(call *ast.CallExpr) {
	if kind := v.library(call); kind != "" && constantOrName(call.Args[0]) && v.logged(call) {
		key := string(v.text[v.offset(call.Args[0].Pos()):v.offset(call.Args[0].End())])
		v.wrap(call, recorder+".Logged(", fmt.Sprintf(", %q, %s, %s)", kind, key, v.at(call)))
	}
}

// library is the kind of the parameters whose value a call asks for by a key; empty if it does not.
func (v *visitor) library(call *ast.CallExpr) parameter.Kind {
	f, is := v.info.Uses[calledBy(call)].(*types.Func)
	if !is || f.Pkg() == nil || len(call.Args) != 1 || f.Signature().Results().Len() != 1 {
		return ""
	}
	switch path := f.Pkg().Path(); {
	case path == "github.com/spf13/viper" && strings.HasPrefix(f.Name(), "Get"):
		return parameter.Viper
	case strings.HasPrefix(path, "github.com/knadh/koanf") && (f.Name() == "Get" || f.Name() == "String" || getters.MatchString(f.Name())):
		return parameter.Koanf
	}
	return ""
}

// flagSet is the name of the flag that a call sets, as an expression and what stands behind it; nil if it sets none.
func (v *visitor) flagSet(call *ast.CallExpr) (name ast.Expr, suffix string) {
	f, is := v.info.Uses[calledBy(call)].(*types.Func)
	if !is || f.Name() != "Set" || !ofFlags(f.Pkg()) {
		return nil, ""
	}
	if len(call.Args) == 2 {
		return call.Args[0], ""
	}
	if by, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is && len(call.Args) == 1 { // f.Value.Set(…)
		if of, is := ast.Unparen(by.X).(*ast.SelectorExpr); is && of.Sel.Name == "Value" && isFlag(v.info.TypeOf(of.X)) {
			return of.X, ".Name"
		}
	}
	return nil, ""
}

// knownAt tells whether an expression can be said at a call, and is the same there.
func (v *visitor) knownAt(e ast.Expr, call *ast.CallExpr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.BasicLit:
			return true
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			o := v.info.Uses[x]
			return o != nil && (o.Pos() < call.Pos() || o.Pkg() != nil && o.Parent() == o.Pkg().Scope())
		default:
			return false
		}
	}
}

// body is that of the innermost function that the node which is visited is in.
func (v *visitor) body() ast.Node {
	for _, n := range slices.Backward(v.stack) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return v.file.syntax
}
