package field

import (
	"go/ast"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/types/typeutil"
)

// loggers are the packages of functions and methods by which a program says what it does. What is printed otherwise may
// be what it is for.
var loggers = regexp.MustCompile(`^(log|log/slog|github\.com/go-logr/logr|k8s\.io/klog(/v2)?|go\.uber\.org/zap|github\.com/sirupsen/logrus|github\.com/rs/zerolog(/log)?|github\.com/hashicorp/go-hclog)$`)

var (
	// statements is for those that end a statement, and goBy for those that are told by an argument whether anything is
	// said, or where.
	statements = regexp.MustCompile(`^(Print|Trace|Debug|Info|Warn|Error|Fatal|Panic|DPanic|Msg|Send)`)
	goBy       = regexp.MustCompile(`^(V|Level|WithLevel|Enabled|Check|Log|LogAttrs|Set.*|New.*)$`)
	// wording is for what only puts a value into words.
	wording = regexp.MustCompile(`^(Sprint|String$|Error$|Seconds$|Minutes$|Hours$|Milliseconds$|Microseconds$|Nanoseconds$)`)
)

// logged tells whether an expression of the program is only what a log says: the code that goes by it is somewhere
// else, and a test that comes past here need not come there.
func (v *visitor) logged(e ast.Expr) bool {
	if v.test {
		return false
	}
	var below ast.Node = e
	for i := 0; ; i++ {
		around := v.above(i)
		switch n := around.(type) {
		case *ast.ParenExpr, *ast.SelectorExpr, *ast.StarExpr:
		case *ast.CallExpr:
			if !v.worded(n, below) {
				return false
			}
		case *ast.ExprStmt:
			call, is := ast.Unparen(n.X).(*ast.CallExpr)
			if !is {
				return false
			}
			by := logger(v.info, call)
			return by != nil && statements.MatchString(by.Name())
		default:
			return false
		}
		below = around
	}
}

// worded tells whether a call puts what is below it into words, or says it.
func (v *visitor) worded(call *ast.CallExpr, below ast.Node) bool {
	if by := logger(v.info, call); by != nil {
		return ast.Unparen(call.Fun) == below || !goBy.MatchString(by.Name())
	}
	if v.info.Types[call.Fun].IsType() {
		return true
	}
	by, is := typeutil.Callee(v.info, call).(*types.Func)
	return is && wording.MatchString(by.Name())
}

// logger is the function or the method of a package for logs that is called; nil for any other one.
func logger(info *types.Info, call *ast.CallExpr) *types.Func {
	by, is := typeutil.Callee(info, call).(*types.Func)
	if !is || by.Pkg() == nil || !loggers.MatchString(by.Pkg().Path()) {
		return nil
	}
	return by
}
