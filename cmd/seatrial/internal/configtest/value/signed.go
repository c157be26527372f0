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

// Signed tells whether a program compares a parameter with what is less than nothing, or tells that from more: by its name anywhere, or by what it reads it into, at places as [Constants] has them. So it does where [Meant] says so.
func Signed(module string, sites []string, names ...string) bool {
	c, found := comparing{called: names}, Meant(module, "-1", names...)
	files(module, false, func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			b, is := n.(*ast.BinaryExpr)
			found = found || is && (c.isNamed(b.X) && signs(b.Op, b.Y) || c.isNamed(b.Y) && signs(turned(b.Op), b.X))
			return !found
		})
	})
	each(module, sites, names, func(c *comparing, d ast.Decl) {
		ast.Inspect(d, c.names)
		named := c.namedHere(d)
		ast.Inspect(d, func(n ast.Node) bool {
			b, is := n.(*ast.BinaryExpr)
			if is && named && c.here(b) && c.isOther(b) {
				return true
			}
			found = found || is && (c.about(b.X) && signs(b.Op, b.Y) || c.about(b.Y) && signs(turned(b.Op), b.X))
			return !found
		})
	})
	return found
}

// mentionsEnd tells whether a text has the last word of one of some names, and another one beside it if many names end with that.
func mentionsEnd(text string, names []string) bool {
	text = strings.ToLower(text)
	has := func(word string) bool { return strings.Contains(text, word) }
	for _, name := range names {
		of := words(name)
		if len(of) == 0 || !has(of[len(of)-1]) {
			continue
		}
		if last := of[len(of)-1]; !slices.Contains(general, last) || slices.ContainsFunc(of[:len(of)-1], func(word string) bool { return !slices.Contains(general, word) && has(word) }) {
			return true
		}
	}
	return false
}

// each calls f for each declaration at places as [Constants] has them, tests left aside.
func each(module string, sites, names []string, f func(*comparing, ast.Decl)) {
	for _, site := range sites {
		file, number, has := strings.Cut(site, ":")
		line, err := strconv.Atoi(number)
		if !has || err != nil || !filepath.IsLocal(file) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		in, err := parser.ParseFile(set, filepath.Join(module, file), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range in.Decls {
			if set.Position(d.Pos()).Line <= line && line <= set.Position(d.End()).Line {
				f(&comparing{set: set, line: line, called: names}, d)
			}
		}
	}
}

// signs tells whether to compare something with an expression tells less than nothing from more.
func signs(by token.Token, with ast.Expr) bool {
	e := ast.Unparen(with)
	if u, is := e.(*ast.UnaryExpr); is && u.Op == token.SUB {
		return true
	}
	switch by {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return nothing(e)
	}
	return false
}

// Bounds tells whether all that a program does with a parameter, at places as [Constants] has them, is to compare something with it that is no figure in the source: it is a bound. False where it is not known by its name there.
func Bounds(module string, sites []string, names ...string) bool {
	known, all := false, true
	for _, site := range sites {
		file, _, _ := strings.Cut(site, ":")
		all = all && !strings.HasSuffix(file, "_test.go")
	}
	each(module, sites, names, func(c *comparing, d ast.Decl) {
		uses, compared := 0, 0
		ast.Inspect(d, func(n ast.Node) bool {
			if e, is := n.(ast.Expr); is && c.here(e) && c.isNamed(e) {
				uses++
				return false
			}
			b, is := n.(*ast.BinaryExpr)
			if !is || !c.here(b) {
				return true
			}
			switch b.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				if _, figure := ast.Unparen(b.Y).(*ast.BasicLit); c.reckoned(b.X) && !figure {
					compared++
				}
				if _, figure := ast.Unparen(b.X).(*ast.BasicLit); c.reckoned(b.Y) && !figure {
					compared++
				}
			}
			return true
		})
		known, all = known || uses > 0, all && uses > 0 && uses == compared
	})
	return known && all
}

// reckoned tells whether an expression is the parameter by its name, or a number that is reckoned from it and from constants.
func (c *comparing) reckoned(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return c.isNamed(e)
	case *ast.BinaryExpr:
		return c.reckoned(e.X) || c.reckoned(e.Y)
	case *ast.CallExpr:
		_, conversion := e.Fun.(*ast.Ident)
		return conversion && len(e.Args) == 1 && c.reckoned(e.Args[0])
	}
	return false
}
