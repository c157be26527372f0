package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// Nothing tells whether the program compares a parameter with 0 where it reads it, at places as [Constants] has them: 0 means something of its own then, or is refused.
func Nothing(module string, sites []string) bool {
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
		c, found := comparing{set: set, line: line}, false
		for _, d := range f.Decls {
			if set.Position(d.Pos()).Line > line || line > set.Position(d.End()).Line {
				continue
			}
			ast.Inspect(d, c.names)
			ast.Inspect(d, func(n ast.Node) bool {
				if b, is := n.(*ast.BinaryExpr); is && ordered(b.Op) {
					found = found || c.about(b.X) && isNothing(b.Y) || c.about(b.Y) && isNothing(b.X)
				}
				return !found
			})
		}
		if found {
			return true
		}
	}
	return false
}

func ordered(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

func isNothing(e ast.Expr) bool {
	lit, is := ast.Unparen(e).(*ast.BasicLit)
	if !is {
		return false
	}
	n, err := strconv.ParseFloat(lit.Value, 64)
	return err == nil && n == 0
}
