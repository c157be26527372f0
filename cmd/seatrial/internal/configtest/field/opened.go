package field

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// opening are functions that open a file, or read it.
var opening = []string{"os.Open", "os.OpenFile", "os.ReadFile", "io/ioutil.ReadFile", "io/fs.ReadFile", "(io/fs.FS).Open", "(io/fs.ReadFileFS).ReadFile", "(embed.FS).Open", "(embed.FS).ReadFile"}

// opened tells whether a document of JSON is a file, and what is decoded is no part of something else.
func (d *decoder) opened(a *analysis, f *file, call *ast.CallExpr, into ast.Expr) bool {
	into = ast.Unparen(into)
	if u, is := into.(*ast.UnaryExpr); is {
		into = ast.Unparen(u.X)
	}
	if _, variable := into.(*ast.Ident); !variable {
		return false
	}
	fn := a.enclosing(f, call)
	return fn != nil && d.ofFile(a, fn)
}

// ofFile tells whether a document of JSON that a function decodes is a file: the function opens one, or is given what
// another one has opened.
func (d *decoder) ofFile(a *analysis, fn *function) bool {
	return d.path.MatchString("encoding/json") && (opens(fn.file.info, fn.node) || a.isGiven()[key(fn.object)])
}

// opens tells whether a function opens a file.
func opens(info *types.Info, fn *ast.FuncDecl) (is bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, calls := n.(*ast.CallExpr); calls {
			called, known := typeutil.Callee(info, call).(*types.Func)
			is = is || known && slices.Contains(opening, called.FullName())
		}
		return !is
	})
	return is
}

// isGiven are functions of the program that take a text or a reader, and that a function calls which opens a file.
func (a *analysis) isGiven() map[string]bool {
	if a.given != nil {
		return a.given
	}
	a.given = map[string]bool{}
	for _, f := range a.files {
		if f.test {
			continue
		}
		for _, decl := range f.syntax.Decls {
			fn, is := decl.(*ast.FuncDecl)
			if !is || fn.Body == nil || !opens(f.info, fn) {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if call, calls := n.(*ast.CallExpr); calls {
					if called, known := typeutil.Callee(f.info, call).(*types.Func); known && a.own(called.Pkg()) && takesText(called) {
						a.given[key(called)] = true
					}
				}
				return true
			})
		}
	}
	return a.given
}

// takesText tells whether a function has a parameter for what is in a file.
func takesText(f *types.Func) bool {
	for p := range f.Signature().Params().Variables() {
		if text := types.TypeString(p.Type(), nil); text == "[]byte" || text == "io.Reader" {
			return true
		}
	}
	return false
}
