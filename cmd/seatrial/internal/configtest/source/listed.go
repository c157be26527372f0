package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Listed are the texts of the lists, of the cases of switches, and of comparisons that stand together, in the tests of
// a package that have a text among others: what the tests take, where the code compares a parameter with nothing.
func (m *Module) Listed(pkg, text string) []string {
	var out []string
	for _, f := range m.tests(m.folder(pkg)) {
		if f == nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if texts := listed(n); len(texts) > 1 && slices.ContainsFunc(texts, func(t string) bool { return strings.EqualFold(t, text) }) {
				out = append(out, texts...)
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// listed are the texts of a list, of all cases of a switch, or of comparisons with && or || between them; none of
// anything else.
func listed(n ast.Node) []string {
	c := &comparing{}
	switch n := n.(type) {
	case *ast.CompositeLit:
		if _, list := n.Type.(*ast.ArrayType); list {
			c.items(n)
		}
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			ast.Inspect(n, func(n ast.Node) bool {
				if b, is := n.(*ast.BinaryExpr); is && (b.Op == token.EQL || b.Op == token.NEQ) {
					c.add(b.X)
					c.add(b.Y)
				}
				return true
			})
		}
	case *ast.SwitchStmt:
		for _, s := range n.Body.List {
			if clause, is := s.(*ast.CaseClause); is {
				for _, e := range clause.List {
					c.add(e)
				}
			}
		}
	}
	return c.constants
}
