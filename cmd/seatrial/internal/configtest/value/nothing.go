package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Nothing tells whether the program compares a parameter with 0 where it reads it, at places as [Constants] has them: 0 means something of its own then, or is refused. Where it only refuses what is less than that, it does not.
// names are what the parameter is called: where one stands on the line, it is only that which is meant there.
func Nothing(module string, sites []string, names ...string) bool {
	for _, site := range sites {
		file, number, has := strings.Cut(site, ":")
		line, err := strconv.Atoi(number)
		if !has || err != nil || !filepath.IsLocal(file) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, filepath.Join(module, file), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		c := comparing{set: set, line: line, called: names}
		there, elsewhere, undivided := false, false, false
		for _, d := range f.Decls {
			if set.Position(d.Pos()).Line > line || line > set.Position(d.End()).Line {
				continue
			}
			ast.Inspect(d, c.names)
			named := c.namedHere(d)
			ast.Inspect(d, func(n ast.Node) bool {
				b, is := n.(*ast.BinaryExpr)
				if !is || b.Op == token.LAND || b.Op == token.LOR {
					return true
				}
				if named && c.here(b) && c.isOther(b) {
					return true
				}
				divided := c.about(b.X) && divides(b.Op, b.Y) || c.about(b.Y) && divides(turned(b.Op), b.X)
				there, elsewhere = there || divided && c.here(b), elsewhere || divided && !c.here(b)
				undivided = undivided || !divided && c.here(b) && (c.about(b.X) && nothing(b.Y) || c.about(b.Y) && nothing(b.X))
				return true
			})
		}
		if elsewhere || there && !undivided { // of several on a line nobody knows which is which
			return true
		}
	}
	return false
}

// namedHere tells whether the parameter stands on the line by its name.
func (c *comparing) namedHere(d ast.Decl) (is bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		e, expression := n.(ast.Expr)
		is = is || expression && c.here(e) && c.isNamed(e)
		return !is
	})
	return is
}

// isOther tells whether a comparison has neither the parameter in it by its name, nor a variable that it is read into on one side.
func (c *comparing) isOther(b *ast.BinaryExpr) bool {
	return !c.mentions(b) && !c.isVariable(b.X) && !c.isVariable(b.Y)
}

// isVariable tells whether an expression is a variable that the parameter is read into.
func (c *comparing) isVariable(e ast.Expr) bool {
	name, is := asWritten(e).(*ast.Ident)
	return is && slices.Contains(c.variables, name.Name)
}

// mentions tells whether an expression has the parameter in it by its name.
func (c *comparing) mentions(of ast.Expr) (is bool) {
	ast.Inspect(of, func(n ast.Node) bool {
		e, expression := n.(ast.Expr)
		is = is || expression && c.isNamed(e)
		return !is
	})
	return is
}

// divides tells whether to compare something with an expression tells 0 from 1.
func divides(by token.Token, with ast.Expr) bool {
	lit, is := ast.Unparen(with).(*ast.BasicLit)
	if !is {
		return false
	}
	n, err := strconv.ParseFloat(lit.Value, 64)
	switch by {
	case token.EQL, token.NEQ, token.LEQ, token.GTR:
		return err == nil && n == 0
	case token.LSS, token.GEQ:
		return err == nil && n == 1
	}
	return false
}

// nothing tells whether an expression is 0.
func nothing(e ast.Expr) bool {
	lit, is := ast.Unparen(e).(*ast.BasicLit)
	if !is {
		return false
	}
	n, err := strconv.ParseFloat(lit.Value, 64)
	return err == nil && n == 0
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
