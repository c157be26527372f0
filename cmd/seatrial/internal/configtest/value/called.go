package value

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// deepest bounds how many functions a parameter is followed through, one called by the other.
const deepest = 3

// followed looks for what functions of the module compare a parameter with that are called with it, as ParseLevel(c.Log.Level). Where several are called on the line that reads it, or one with several
// values, it is the one of its name, or not known.
func (c *comparing) followed(body ast.Node, folder string) {
	if c.depth >= deepest {
		return
	}
	type argument struct {
		of *ast.CallExpr
		at int
	}
	var found []argument
	ast.Inspect(body, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is && asWritten(call) == ast.Expr(call) {
			for i, arg := range call.Args {
				if c.about(arg) {
					found = append(found, argument{call, i})
				}
			}
		}
		return true
	})
	if !c.elsewhere && len(found) > 1 {
		found = slices.DeleteFunc(found, func(a argument) bool { return !c.isNamed(a.of.Args[a.at]) })
	}
	if c.elsewhere || len(found) == 1 {
		for _, f := range found {
			c.into(f.of.Fun, f.at, folder)
		}
	}
}

// isNamed tells whether an expression is called as the parameter is, or as the end of its name: cfg.RateKey, as --rate-key and OAK_RATE_KEY are.
func (c *comparing) isNamed(e ast.Expr) bool {
	plain := func(name string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	}
	of, is := asWritten(e).(*ast.SelectorExpr)
	return is && slices.ContainsFunc(c.called, func(name string) bool { return strings.HasSuffix(plain(name), plain(of.Sel.Name)) })
}

// into follows a parameter that is the i-th argument of a function: of one of the same package, or of another one of the module.
func (c *comparing) into(fun ast.Expr, i int, folder string) {
	name := ""
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		of, is := f.X.(*ast.Ident)
		if !is {
			return
		}
		if name, folder = f.Sel.Name, below(c.module, imported(c.in, of.Name)); folder == "" {
			return
		}
	}
	files := sync.OnceValue(func() []*ast.File { return sources(folder) })
	for _, f := range files() {
		for _, d := range f.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Name.Name == name && fn.Recv == nil && fn.Body != nil {
				if param := parameterOf(fn, i); param != "" {
					there := comparing{module: c.module, in: f, sources: files, variables: []string{param}, elsewhere: true, depth: c.depth + 1}
					ast.Inspect(fn.Body, there.compared)
					there.followed(fn.Body, folder)
					c.constants, c.open = append(c.constants, there.constants...), c.open || there.open
				}
				return
			}
		}
	}
}

// parameterOf is the name of the i-th parameter of a function; empty if it has none.
func parameterOf(fn *ast.FuncDecl, i int) string {
	for _, field := range fn.Type.Params.List {
		for _, param := range field.Names {
			if i == 0 {
				return param.Name
			}
			i--
		}
	}
	return ""
}

// imported is the path of a package by the name that a file knows it by; empty if that is not seen.
func imported(in *ast.File, name string) string {
	for _, i := range in.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		if i.Name != nil && i.Name.Name == name || i.Name == nil && path[strings.LastIndex(path, "/")+1:] == name {
			return path
		}
	}
	return ""
}

// below is the folder of a package of a module; empty if it is none of its.
func below(module, path string) string {
	if path == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), "module "); is {
			if within, is := strings.CutPrefix(path+"/", strings.Trim(strings.TrimSpace(name), `"`)+"/"); is {
				return filepath.Join(module, filepath.FromSlash(within))
			}
		}
	}
	return ""
}

// plainer are functions whose result is the text that they are given, but for how it is written.
var plainer = []string{"ToLower", "ToUpper", "TrimSpace"}

// asWritten is what an expression makes plainer, as strings.ToLower(name) does with name; anything else is itself.
func asWritten(e ast.Expr) ast.Expr {
	for {
		call, is := ast.Unparen(e).(*ast.CallExpr)
		if !is || len(call.Args) != 1 {
			return e
		}
		f, is := call.Fun.(*ast.SelectorExpr)
		if !is || !slices.Contains(plainer, f.Sel.Name) {
			return e
		}
		if of, is := f.X.(*ast.Ident); !is || of.Name != "strings" {
			return e
		}
		e = call.Args[0]
	}
}
