package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Nothing tells whether the program compares a parameter with 0 where it reads it, at places as [Module.Constants] has
// them: 0 means something of its own then, or is refused. Where it only refuses what is less than that, it does not.
// names are what the parameter is called: where one stands on the line, it is only that which is meant there.
func (m *Module) Nothing(sites []string, names ...string) bool {
	for p := range m.sites(sites) {
		if p.in != nil && !isTest(p.file) && p.comparing(names).divided() {
			return true
		}
	}
	return false
}

// divided tells whether what reads the parameter tells 0 from 1.
func (c *comparing) divided() bool {
	there, elsewhere, undivided := false, false, false
	for d := range c.declared() {
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
			divided := slices.ContainsFunc(sides(b), func(s side) bool { return c.about(s.of) && s.divides() })
			there, elsewhere = there || divided && c.here(b), elsewhere || divided && !c.here(b)
			undivided = undivided || !divided && c.here(b) && slices.ContainsFunc(sides(b), func(s side) bool { return c.about(s.of) && s.nothing() })
			return true
		})
	}
	return elsewhere || there && !undivided // of several on a line nobody knows which is which
}

// Guarded tells whether the program compares a field of one of some names, as [Module.Constants] has them, with nothing
// anywhere, or may do so: it hands it to cmp.Or or max, or assigns it to a variable.
func (m *Module) Guarded(names ...string) bool {
	c := &comparing{called: names}
	for f := range m.everywhere(false) {
		if c.guards(f) {
			return true
		}
	}
	return false
}

// guards tells whether a file does.
func (c *comparing) guards(f *ast.File) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || slices.ContainsFunc(sides(n), func(s side) bool { return c.isNamed(s.of) && s.divides() })
		case *ast.CallExpr:
			found = found || chooses(n.Fun) && slices.ContainsFunc(n.Args, c.isNamed)
		case *ast.AssignStmt:
			_, local := n.Lhs[0].(*ast.Ident)
			found = found || local && slices.ContainsFunc(n.Rhs, c.isNamed)
		}
		return !found
	})
	return found
}

// chooses tells whether a function gives one of what it is called with, or has a name like that: cmp.Or, max,
// orDefault.
func chooses(fun ast.Expr) bool {
	name := ""
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	name = strings.ToLower(name)
	return name == "max" || name == "min" || strings.HasPrefix(name, "or") || strings.HasSuffix(name, "or") || strings.Contains(name, "default") || strings.Contains(name, "clamp")
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

// isOther tells whether a comparison has neither the parameter in it by its name, nor a variable that it is read into
// on one side.
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

// divides tells whether the comparison tells 0 from 1 on that side.
func (s side) divides() bool {
	n, is := figure(s.with)
	switch s.by {
	case token.EQL, token.NEQ, token.LEQ, token.GTR:
		return is && n == 0
	case token.LSS, token.GEQ:
		return is && n == 1
	}
	return false
}

// nothing tells whether the other side is 0.
func (s side) nothing() bool {
	n, is := figure(s.with)
	return is && n == 0
}

// figure is a number that is written out; false for anything else.
func figure(e ast.Expr) (float64, bool) {
	lit, is := ast.Unparen(e).(*ast.BasicLit)
	if !is {
		return 0, false
	}
	n, err := strconv.ParseFloat(lit.Value, 64)
	return n, err == nil
}
