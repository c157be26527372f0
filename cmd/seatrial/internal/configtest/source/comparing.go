package source

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// comparing looks for what a parameter is compared with in one function.
type comparing struct {
	site               // where it is read; the names of packages are those of its file
	folder    string   // of the package; empty if nothing else of that is asked
	variables []string // what is assigned on the line
	fields    []string // of structs, which have the parameter from there
	elsewhere bool     // in another function, where only those are known
	called    []string // names of the parameter
	depth     int      // how many functions it has come through
	constants []string
	open      bool // it is compared with more than these
	away      bool // it is handed on to code that is not the module's
}

// comparing looks at a site at which a parameter of some names is read.
func (p site) comparing(names []string) *comparing {
	return &comparing{site: p, folder: filepath.Dir(p.file), called: names}
}

// of is another file, of which no line is meant.
func (p site) of(f *ast.File) site { return site{module: p.module, in: f} }

// sources are the files of the package.
func (c *comparing) sources() []*ast.File {
	if c.folder == "" {
		return nil
	}
	return c.module.program(c.folder)
}

// names collects the variables and the fields that the parameter is read into.
func (c *comparing) names(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if !c.here(n) || len(n.Lhs) != 1 {
			break
		}
		if _, literal := n.Rhs[0].(*ast.BasicLit); literal { // as of what counts up to it
			break
		}
		switch to := n.Lhs[0].(type) {
		case *ast.Ident:
			if to.Name != "_" {
				c.variables = append(c.variables, to.Name)
			}
		case *ast.SelectorExpr:
			c.fields = append(c.fields, to.Sel.Name)
		}
	case *ast.CompositeLit: // of another module
		if of, is := n.Type.(*ast.SelectorExpr); is && c.in != nil && c.here(n) {
			name, _ := of.X.(*ast.Ident)
			c.away = c.away || name != nil && c.module.below(imported(c.in, name.Name)) == "" && slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
				pair, is := e.(*ast.KeyValueExpr)
				return is && c.begins(pair) && !literally(pair.Value)
			})
		}
	case *ast.KeyValueExpr:
		key, is := n.Key.(*ast.Ident)
		if _, read := n.Value.(*ast.SelectorExpr); is && read && c.here(n) {
			c.fields = append(c.fields, key.Name)
		}
	}
	return true
}

// literally tells whether an expression is a figure or a text as it is.
func literally(e ast.Expr) bool {
	_, is := ast.Unparen(e).(*ast.BasicLit)
	return is
}

// about says whether an expression is the parameter.
func (c *comparing) about(e ast.Expr) bool {
	e = asWritten(e)
	if name, is := ast.Unparen(e).(*ast.Ident); is {
		return slices.Contains(c.variables, name.Name)
	}
	if c.elsewhere {
		of, is := ast.Unparen(e).(*ast.SelectorExpr)
		return is && slices.Contains(c.fields, of.Sel.Name)
	}
	switch ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.CallExpr, *ast.StarExpr:
		return c.here(e)
	}
	return false
}

// isNamed tells whether an expression is called as the parameter is, or as the end of its name: cfg.RateKey, as
// --rate-key and OAK_RATE_KEY are.
func (c *comparing) isNamed(e ast.Expr) bool {
	of, is := asWritten(e).(*ast.SelectorExpr)
	return is && slices.ContainsFunc(c.called, func(name string) bool { return value.EndsWith(name, of.Sel.Name) })
}

// side is one side of a comparison: what stands there, and how that compares with what.
type side struct {
	of   ast.Expr
	by   token.Token
	with ast.Expr
}

// sides are both of a comparison, each as if it stood on the left.
func sides(b *ast.BinaryExpr) []side {
	return []side{{b.X, b.Op, b.Y}, {b.Y, turned(b.Op), b.X}}
}

// turned is how the right side compares with the left one.
func turned(by token.Token) token.Token {
	switch by {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return by
}
