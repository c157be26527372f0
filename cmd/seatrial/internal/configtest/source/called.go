package source

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// deepest bounds how many functions a parameter is followed through, one called by the other.
const deepest = 3

// followed looks for what functions of the module compare a parameter with that are called with it, as
// ParseLevel(c.Log.Level). Where several are called on the line that reads it, or one with several values, it is the
// one of its name, or not known.
func (c *comparing) followed(body ast.Node) {
	if c.depth >= deepest {
		c.away = true // it is not followed any further
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
				if c.about(arg) || c.about(inBytes(arg)) {
					found = append(found, argument{call, i})
				}
			}
		}
		return true
	})
	if !c.elsewhere && len(found) > 1 {
		found = slices.DeleteFunc(found, func(a argument) bool { return !c.isNamed(inBytes(a.of.Args[a.at])) })
		c.away = c.away || len(found) != 1 // it may be any of them
	}
	if c.elsewhere || len(found) == 1 {
		for _, f := range found {
			c.into(f.of.Fun, f.at)
		}
	}
}

// inBytes is what is made bytes of; anything else is itself.
func inBytes(e ast.Expr) ast.Expr {
	if call, is := ast.Unparen(e).(*ast.CallExpr); is && len(call.Args) == 1 {
		if _, bytes := call.Fun.(*ast.ArrayType); bytes {
			return call.Args[0]
		}
	}
	return e
}

// into follows a parameter that is the i-th argument of a function: of one of the same package, or of another one of
// the module.
func (c *comparing) into(fun ast.Expr, i int) {
	name, folder := "", c.folder
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		name = f.Name
	default:
		c.away = true
		return
	case *ast.SelectorExpr:
		of, is := f.X.(*ast.Ident)
		if !is {
			c.away = true
			return
		}
		path := imported(c.in, of.Name)
		if name, folder = f.Sel.Name, c.module.below(path); folder == "" {
			c.away = c.away || !slices.Contains(writing, path) && !(path == "" && says.MatchString(name))
			return
		}
	}
	files := c.module.program(folder)
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Name.Name == name && fn.Recv == nil && fn.Body != nil {
				if param := parameterOf(fn, i); param != "" {
					there := comparing{site: c.of(f), folder: folder, variables: []string{param}, elsewhere: true, depth: c.depth + 1}
					ast.Inspect(fn.Body, there.compared)
					there.followed(fn.Body)
					c.constants, c.open, c.away = append(c.constants, there.constants...), c.open || there.open, c.away || there.away
				}
				return
			}
		}
	}
	_, plain := fun.(*ast.Ident)
	c.away = c.away || !plain || !isType(name, files)
}

// builtins are functions and types of the language that make no more of a value than it is.
var builtins = []string{"len", "cap", "string", "append", "panic", "print", "println", "min", "max", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "any", "error"}

// isType tells whether a name is one of those, or of a type of a package.
func isType(name string, in []*ast.File) bool {
	return slices.Contains(builtins, name) || slices.ContainsFunc(in, func(f *ast.File) bool {
		return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			g, is := d.(*ast.GenDecl)
			return is && g.Tok == token.TYPE && slices.ContainsFunc(g.Specs, func(s ast.Spec) bool { return s.(*ast.TypeSpec).Name.Name == name })
		})
	})
}

// writing are packages that make a text of what they are given, or compare it.
var writing = []string{"fmt", "log", "log/slog", "strings", "errors", "slices", "strconv"}

// says is how methods of tests and of logs are called that only write what they are given.
var says = regexp.MustCompile(`^(?:Error|Fatal|Log|Skip|Print|Info|Warn|Warning|Debug|Trace|Panic)(?:f|ln|w|Context)?$`)

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
