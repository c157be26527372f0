package source

import (
	"go/ast"
	"go/token"
	"path/filepath"
)

// Bounds tells whether all that the program does with a parameter is to compare something with it that no constant
// says, at places as [Module.Constants] has them and wherever else it stands by its name; and where it is put into a
// field there, with that, in its package: it is a bound, of which neither 0 nor less stands for anything else. False
// where that is not known.
func (m *Module) Bounds(sites []string, names ...string) bool {
	fields, known := map[string][]string{}, len(sites) > 0
	for p := range m.sites(sites) {
		if isTest(p.file) {
			continue // what a test does with it is no use of it
		}
		if p.in == nil {
			return false
		}
		into, is := p.comparing(names).putInto()
		known = known && is
		if into != "" {
			folder := filepath.Dir(p.file)
			fields[folder] = append(fields[folder], into)
		}
	}
	if !known {
		return false
	}
	uses := 0
	bounds := func(c *comparing, f *ast.File) bool {
		n, only := c.bounding(f)
		uses += n
		return only
	}
	for f := range m.everywhere(false) {
		if !bounds(&comparing{called: names}, f) {
			return false
		}
	}
	for folder, all := range fields {
		for _, f := range m.program(folder) {
			if !bounds(&comparing{fields: all, elsewhere: true}, f) {
				return false
			}
		}
	}
	return uses > 0
}

// putInto is the field that the parameter is put into on the line; empty if it stands there by its name and is put
// nowhere. False if neither is known.
func (c *comparing) putInto() (field string, known bool) {
	ast.Inspect(c.in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, is := n.Key.(*ast.Ident); is && c.begins(n) {
				field, known = key.Name, true
			}
		case *ast.SelectorExpr:
			known = known || c.here(n) && c.isNamed(n)
		}
		return true
	})
	return field, known
}

// bounding is how often a file has the parameter by its name, or a field that it is put into, in a comparison with what
// no constant says; false if it has it anywhere else but where it is put into a field.
func (c *comparing) bounding(f *ast.File) (compared int, only bool) {
	constants := map[string][]ast.Node{}
	for _, d := range f.Decls {
		if g, is := d.(*ast.GenDecl); is && g.Tok == token.CONST {
			declares(constants, d)
		}
	}
	of := func(e ast.Expr) bool {
		s, is := e.(*ast.SelectorExpr)
		return is && (c.isNamed(e) || c.elsewhere && c.about(s))
	}
	uses := 0
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if of(ast.Unparen(n.Value)) {
				return false
			}
		case *ast.BinaryExpr:
			for _, s := range sides(n) {
				if n.Op.Precedence() == token.EQL.Precedence() && reckoned(s.of, of) && !constant(s.with, f, constants) {
					compared++
				}
			}
		case *ast.SelectorExpr:
			if of(n) {
				uses++
			}
		}
		return true
	})
	return compared, uses == compared
}

// reckoned tells whether an expression is what is asked for, or a number that is reckoned from it.
func reckoned(e ast.Expr, of func(ast.Expr) bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return of(e)
	case *ast.BinaryExpr:
		return e.Op.Precedence() > token.EQL.Precedence() && (reckoned(e.X, of) || reckoned(e.Y, of))
	case *ast.CallExpr:
		_, conversion := e.Fun.(*ast.Ident)
		return conversion && len(e.Args) == 1 && reckoned(e.Args[0], of)
	}
	return false
}

// constant tells whether an expression of a file is a figure, or a constant, or is of another package, and may be one.
func constant(e ast.Expr, in *ast.File, known map[string][]ast.Node) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return constant(e.X, in, known)
	case *ast.Ident:
		return known[e.Name] != nil
	case *ast.SelectorExpr:
		of, is := e.X.(*ast.Ident)
		return is && imported(in, of.Name) != ""
	}
	return false
}
