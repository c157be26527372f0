package field

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// ofText are methods by which a value makes itself of a text.
var ofText = []string{"UnmarshalText", "Set", "UnmarshalFlag"}

// bindFilled is for x.F.UnmarshalText([]byte(os.Getenv(…))) and, of a function of the program that asks for a variable,
// for intVar(&x.F, "APP_SIZE").
func (v *visitor) bindFilled(n *ast.CallExpr) {
	if v.file.test {
		return
	}
	leaf, names := v.filledBy(n)
	switch {
	case leaf == nil:
	case names == nil:
		v.fromVariables(leaf.id(), n.Args[0])
	default:
		v.alias(parameter.New(parameter.Env, names[0]), leaf.id())
	}
}

// filledBy is the leaf that a call fills with a variable of the environment, and the name of that, if the call says it;
// nil if it fills none.
func (v *visitor) filledBy(n *ast.CallExpr) (*node, []string) {
	if by, is := ast.Unparen(n.Fun).(*ast.SelectorExpr); is && slices.Contains(ofText, by.Sel.Name) && len(n.Args) == 1 {
		return v.leafAt(by.X), nil
	}
	var into []*node
	var names []string
	for i, arg := range n.Args {
		if u, is := ast.Unparen(arg).(*ast.UnaryExpr); is && u.Op == token.AND {
			if leaf := v.leafAt(u.X); leaf != nil {
				into = append(into, leaf)
			}
		}
		if name, is := v.askedFor(v.info, n, i); is {
			names = append(names, name)
		}
	}
	if len(into) == 1 && len(names) == 1 && v.called(v.info, n) != nil {
		return into[0], names
	}
	return nil, nil
}

// leafAt is the leaf that an expression is; nil if it is none, or a part of one.
func (v *visitor) leafAt(e ast.Expr) *node {
	if all := v.nodes(e); len(all) == 1 && all[0].leaf {
		return all[0]
	}
	return nil
}
