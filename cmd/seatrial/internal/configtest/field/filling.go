package field

import (
	"go/ast"
	"go/token"
	"slices"
)

// ofText are methods by which a value makes itself of a text.
var ofText = []string{"UnmarshalText", "Set", "Decode", "UnmarshalFlag", "UnmarshalJSON", "UnmarshalYAML", "Parse"}

// bindFilled is for x.F.UnmarshalText([]byte(os.Getenv(…))) and, of a function of the program that asks for a variable, for intVar(&x.F, "APP_SIZE").
func (v *visitor) bindFilled(n *ast.CallExpr) {
	if v.file.test {
		return
	}
	if by, is := ast.Unparen(n.Fun).(*ast.SelectorExpr); is && slices.Contains(ofText, by.Sel.Name) && len(n.Args) == 1 {
		if leaf := v.leafOn(by.X); leaf != nil {
			v.fromVariables(leaf.id(), n.Args[0])
			return
		}
	}
	var into []*node
	for _, arg := range n.Args {
		if u, is := ast.Unparen(arg).(*ast.UnaryExpr); is && u.Op == token.AND {
			if leaf := v.leafOn(u.X); leaf != nil {
				into = append(into, leaf)
			}
		}
	}
	if len(into) == 1 && v.called(v.info, n) != nil {
		v.fromVariables(into[0].id(), n)
	}
}
